import { counted } from "../core/text.ts";
import type { Library, ReindexReport } from "../library.ts";
import type { Call } from "./command.ts";
import { line, printJson, say, withLibrary } from "./session.ts";

export async function run(call: Call): Promise<number> {
  return withLibrary(call, {}, (library) => reindexAndPrint(call, library, call.options["full"] === true));
}

/** Reindexes with progress on a terminal, prints the counts, names each unreadable file; always exit 0 (C63). */
export async function reindexAndPrint(call: Call, library: Library, full: boolean): Promise<number> {
  const report = await library.reindex({ full });
  if (call.options.json === true) printJson(call, report);
  else print(call, report);
  return 0;
}

function print(call: Call, report: ReindexReport): void {
  const { skills, places, added, changed, removed, unreadable, driver, engine, ms } = report;
  for (const one of unreadable) say(call, `${one.file}:${one.line}: ${one.code}: ${one.message}`);
  line(
    call,
    `${counted(skills, "skill")} in ${counted(places, "place")}: ${added} added, ${changed} changed, ${removed} removed, ${unreadable.length} unreadable (${driver}, ${engine}, ${ms} ms)`,
  );
}
