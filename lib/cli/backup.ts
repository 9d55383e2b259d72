import { createReadStream, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Writable } from "node:stream";
import { CanonryError, errnoOf } from "../core/errors.ts";
import { counted } from "../core/text.ts";
import { backupAlone } from "../library/backups.ts";
import type { BackupReport } from "../library.ts";
import { archiveFile } from "./archive-file.ts";
import type { Call } from "./command.ts";
import { progressLine } from "./io.ts";
import { homeOptions, line, printJson, say } from "./session.ts";
import { untilSignal } from "./signals.ts";

/** Exit 1 where the archive is made, but not all of the home could go in. */
export async function run(call: Call): Promise<number> {
  const [file = ""] = call.args;
  return untilSignal(call, (signal) => (file === "-" ? toStdout(call, signal) : toFile(call, file, signal)));
}

async function toFile(call: Call, file: string, signal: AbortSignal): Promise<number> {
  const report = await backup(call, archiveFile(call, file), signal);
  if (call.options.json === true) printJson(call, report);
  else line(call, `${sumOf(report)} in ${report.file} (${bytesOf(report.archiveBytes)})`);
  return close(call, report);
}

async function backup(call: Call, file: string, signal: AbortSignal): Promise<BackupReport> {
  const shown = progressLine(call.io, call.options.quiet === true);
  const force = call.options["force"] === true;
  return backupAlone(homeOptions(call), file, { force, progress: shown.progress, signal }).finally(
    shown.done,
  );
}

function close(call: Call, { leftOut }: BackupReport): number {
  for (const { path, message } of leftOut) say(call, `left out: ${path}: ${message}`);
  if (leftOut.length === 0) return 0;
  say(
    call,
    `canonry: ${counted(leftOut.length, "path")} could not be backed up whole; all the rest is in the archive.`,
  );
  return 1;
}

/** Through a temporary file: an archive begins with what is known at its end. */
async function toStdout(call: Call, signal: AbortSignal): Promise<number> {
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
    const report = await backup(call, join(folder, "canonry.tar.gz"), signal);
    await handOut(report.file, call.io.output(), signal);
    say(call, sumOf(report));
    return close(call, report);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Every byte, or an error: a reader that leaves early has no backup. That is said here alone, so whoever else listens
 * for errors of stdout does not hear of this one.
 */
async function handOut(file: string, out: Writable, signal: AbortSignal): Promise<void> {
  const others = out.listeners("error") as ((error: Error) => void)[];
  const ignore = () => {};
  out.removeAllListeners("error").on("error", ignore);
  try {
    for await (const chunk of createReadStream(file, { signal })) await write(out, chunk);
  } catch (error) {
    if (signal.aborted) throw error;
    throw notWhole(error);
  }
  out.removeListener("error", ignore);
  for (const other of others) out.on("error", other);
}

function write(out: Writable, chunk: Uint8Array): Promise<void> {
  return new Promise((done, failed) => {
    out.write(chunk, (error) => (error ? failed(error) : done()));
  });
}

function notWhole(cause: unknown): CanonryError {
  const errno = errnoOf(cause) ?? String(cause);
  const gone = errno === "EPIPE" || errno === "ERR_STREAM_DESTROYED";
  return new CanonryError(
    "CANONRY_DISK",
    `The archive was not taken whole: ${gone ? "its reader closed stdout before the end" : `stdout took no more (${errno})`}. What was taken is no backup; make another.`,
    { cause, data: { path: "-", errno } },
  );
}

function sumOf({ files, bytes }: BackupReport): string {
  return `${counted(files, "file")}, ${bytesOf(bytes)}`;
}

function bytesOf(bytes: number): string {
  return `${bytes.toLocaleString("en-US")} bytes`;
}
