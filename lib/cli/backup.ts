import { createReadStream, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { CanonryError, errnoOf } from "../core/errors.ts";
import { counted } from "../core/text.ts";
import { type BackupReport, expandHome } from "../library.ts";
import type { Call } from "./command.ts";
import { progressLine } from "./io.ts";
import { line, printJson, say, withLibrary } from "./session.ts";

/** Exit 1 where the archive is made, but not all of the home could go in. */
export async function run(call: Call): Promise<number> {
  const [file = ""] = call.args;
  if (file === "-") return toStdout(call);
  const report = await backup(call, resolve(call.io.cwd, expandHome(file)));
  if (call.options.json === true) printJson(call, report);
  else line(call, `${sumOf(report)} in ${report.file} (${bytesOf(report.archiveBytes)})`);
  return close(call, report);
}

async function backup(call: Call, file: string): Promise<BackupReport> {
  const shown = progressLine(call.io, call.options.quiet === true);
  const force = call.options["force"] === true;
  return withLibrary(call, {}, (library) =>
    library.backup(file, { force, progress: shown.progress }).finally(shown.done),
  );
}

function close(call: Call, { leftOut }: BackupReport): number {
  for (const { path, message } of leftOut) say(call, `left out: ${path}: ${message}`);
  return leftOut.length > 0 ? 1 : 0;
}

/** Through a temporary file: an archive begins with what is known at its end. */
async function toStdout(call: Call): Promise<number> {
  if (call.io.outIsTerminal || call.options.json === true)
    throw new CanonryError(
      "CANONRY_USAGE",
      call.options.json === true
        ? "With - the archive goes to stdout, and so would the JSON. Name a file to have both."
        : "A backup is no text for a terminal. Name a file, or pipe it: canonry backup - >canonry.tar.gz",
      { data: { received: "-" } },
    );
  const folder = mkdtempSync(join(tmpdir(), "canonry-backup-"));
  try {
    const report = await backup(call, join(folder, "canonry.tar.gz"));
    await pipeline(createReadStream(report.file), call.io.output(), { end: false }).catch((error) => {
      if (errnoOf(error) !== "EPIPE") throw error;
    });
    say(call, sumOf(report));
    return close(call, report);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function sumOf({ files, bytes }: BackupReport): string {
  return `${counted(files, "file")}, ${bytesOf(bytes)}`;
}

function bytesOf(bytes: number): string {
  return `${bytes.toLocaleString("en-US")} bytes`;
}
