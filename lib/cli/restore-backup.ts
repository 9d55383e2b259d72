import { createWriteStream, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { CanonryError } from "../core/errors.ts";
import { counted } from "../core/text.ts";
import { restoreAlone } from "../library/backups.ts";
import type { RestoreReport } from "../library.ts";
import { archiveFile } from "./archive-file.ts";
import type { Call } from "./command.ts";
import { progressLine } from "./io.ts";
import { homeOptions, line, printJson, say } from "./session.ts";
import { untilSignal } from "./signals.ts";

/** Exit 1 where something could not be put in place. */
export async function run(call: Call): Promise<number> {
  return untilSignal(call, (signal) => restored(call, signal));
}

async function restored(call: Call, signal: AbortSignal): Promise<number> {
  const [given = ""] = call.args;
  const scratch = mkdtempSync(join(tmpdir(), "canonry-restore-"));
  try {
    const file = given === "-" ? await fromStdin(call, scratch, signal) : archiveFile(call, given);
    const report = await restore(call, file, signal);
    if (call.options.json === true) printJson(call, report);
    else print(call, report, given);
    return report.refused.length > 0 ? 1 : 0;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function restore(call: Call, file: string, signal: AbortSignal): Promise<RestoreReport> {
  const shown = progressLine(call.io, call.options.quiet === true);
  const dryRun = call.options["dryRun"] === true;
  return restoreAlone(homeOptions(call), file, { dryRun, progress: shown.progress, signal }).finally(
    shown.done,
  );
}

async function fromStdin(call: Call, scratch: string, signal: AbortSignal): Promise<string> {
  if (call.io.inIsTerminal)
    throw new CanonryError(
      "CANONRY_USAGE",
      "A backup is not typed in. Name a file, or pipe one: canonry restore-backup - <canonry.tar.gz",
      { data: { received: "-" } },
    );
  const file = join(scratch, "stdin.tar.gz");
  await pipeline(call.io.input(), createWriteStream(file, { mode: 0o600 }), { signal });
  return file;
}

function print(call: Call, report: RestoreReport, archive: string): void {
  const { dryRun, files, present, events, lines, restored, kept, refused } = report;
  if (dryRun) for (const path of restored) line(call, `would restore  ${path}`);
  for (const one of kept)
    line(call, `kept as it is  ${one.path}: ${reasonOf(one)}; ${whereabouts(one, archive)}`);
  for (const { path, message } of refused) say(call, `not restored: ${path}: ${message}`);
  line(
    call,
    `${dryRun ? "would be restored" : "restored"}: ${counted(files, "file")}, ${counted(events, "event")}, ${counted(lines, "line")} of records; ${present} there already, ${kept.length} kept as they are${refused.length === 0 ? "" : `, ${refused.length} not restored`}`,
  );
}

function reasonOf({ reason, path, stands }: RestoreReport["kept"][number]): string {
  if (reason === "moved") return `it stands at ${stands} by now`;
  if (reason === "older") return "the backup has an earlier version of it";
  if (reason === "newer") return "the backup has a later version of it";
  return stands === path ? "the backup has another text" : `another text stands at ${stands}`;
}

/** How to get at what the backup has. */
function whereabouts({ text, path }: RestoreReport["kept"][number], archive: string): string {
  if (text !== null) return `the backup's text is ${text}`;
  return `to see the backup's: tar -xzOf ${archive} canonry-backup/${path}`;
}
