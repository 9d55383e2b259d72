import { resolve } from "node:path";
import { counted } from "../core/text.ts";
import { unmountedFolders } from "../library/host-folders.ts";
import { hostTitles, refusingHosts } from "../library/lint.ts";
import type { Health, Library, Verification } from "../library.ts";
import { verifyHome } from "../library.ts";
import type { Call } from "./command.ts";
import { progressLine } from "./io.ts";
import { given, homeOf, line, printJson, say, withLibrary } from "./session.ts";

/** Exit 1 where there is a problem (C63). */
export async function run(call: Call): Promise<number> {
  return call.options["verify"] === true ? verify(call) : examine(call);
}

async function examine(call: Call): Promise<number> {
  return withLibrary(call, {}, async (library) => {
    const health = await library.doctor();
    const lines = [...health.lines, ...(await unmounted(call, library))];
    const problems = health.problems.map(({ file, line, code, message }) => ({
      ...{ file, line, code },
      hosts: refusingHosts(file, code, library.home),
      message,
    }));
    if (call.options.json === true) printJson(call, { problems, lines });
    else {
      for (const { check, status, message, next } of lines) {
        line(call, `${status.padEnd(7)} ${check.padEnd(8)} ${message}`);
        if (next !== undefined) line(call, `${" ".repeat(17)}→ ${next}`);
      }
      if (call.options.verbose === true)
        for (const one of await library.warnings())
          line(call, `${one.file}:${one.line}: ${one.code}: ${one.message}`);
      for (const { file, line: at, code, hosts, message } of problems)
        line(call, `${file}:${at}: ${code}: ${message}${refusal(hosts)}`);
    }
    const bad = lines.filter((one) => one.status === "problem").length;
    if (bad > 0) say(call, `${counted(bad, "problem")} found.`);
    return bad > 0 ? 1 : 0;
  });
}

function refusal(hosts: readonly string[]): string {
  return hosts.length === 0 ? "" : ` Refused by ${hostTitles(hosts)}.`;
}

/** Folders in which hosts find skills that a search does not. */
async function unmounted(call: Call, library: Library): Promise<Health["lines"]> {
  const repo = resolve(call.io.cwd, call.options.repo ?? ".");
  const mounted = (await library.mounts()).map(({ dir }) => dir);
  return unmountedFolders(repo, mounted).map(({ dir, readers, scope }) => ({
    check: "hosts",
    status: "note" as const,
    message: `${dir} is not mounted; ${hostTitles(readers)} read${readers.length === 1 ? "s" : ""} it`,
    next: `canonry mount ${dir}${scope === "project" ? " --project" : ""}`,
  }));
}

/** Every file, without opening the home: what opening would mend is named as it stands. */
async function verify(call: Call): Promise<number> {
  const [driver, dsn, engine] = [given(call, "driver"), given(call, "dsn"), given(call, "engine")];
  const shown = progressLine(call.io, call.options.quiet === true);
  const verification = await verifyHome(
    {
      home: homeOf(call),
      ...(driver === undefined ? {} : { driver }),
      ...(dsn === undefined ? {} : { dsn }),
      ...(engine === undefined ? {} : { engine }),
    },
    { progress: shown.progress },
  ).finally(shown.done);
  const problems = verification.findings.filter((one) => one.severity === "problem");
  const notes = verification.findings.filter((one) => one.severity === "note");
  const sum = closing(verification, problems.length, notes.length);
  if (call.options.json === true) {
    const bare = ({ severity: _, message, next, ...at }: Verification["findings"][number]) => ({
      ...at,
      hosts: [],
      message,
      next,
    });
    const status = problems.length > 0 ? "problem" : notes.length > 0 ? "note" : "ok";
    printJson(call, {
      problems: problems.map(bare),
      notes: notes.map(bare),
      lines: [{ check: "verify", status, message: sum }],
      checked: verification.checked,
    });
  } else {
    for (const { severity, file, line: at, code, message, next } of verification.findings)
      line(call, `${severity.padEnd(7)} ${file}:${at}: ${code}: ${message} → ${next}`);
    line(call, sum);
  }
  return problems.length > 0 ? 1 : 0;
}

function closing({ checked }: Verification, problems: number, notes: number): string {
  const { files, objects, versions, claims, ledgerLines } = checked;
  const looked = [
    counted(files, "file"),
    counted(objects, "object"),
    counted(versions, "version"),
    counted(claims, "claim"),
    counted(ledgerLines, "ledger line"),
  ];
  return `Checked ${looked.join(", ")}: ${counted(problems, "problem")}, ${counted(notes, "note")}.`;
}
