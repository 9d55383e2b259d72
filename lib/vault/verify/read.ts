import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, type Stats } from "node:fs";
import { join } from "node:path";
import { errnoOf } from "../../core/errors.ts";
import { readAt, readLines, type TextLine } from "../lines.ts";
import { cannotRead, notOurs, type Steps } from "./scene.ts";

const CHUNK_BYTES = 1_048_576;

export interface Entry {
  readonly name: string;
  readonly path: string;
  readonly stats: Stats;
}

/** What stands in a folder, sorted; nothing where there is none. What is no folder, or cannot be listed, is found. */
export function* entriesOf(folder: string): Steps<Entry[]> {
  const entries: Entry[] = [];
  try {
    const stats = lstatSync(folder, { throwIfNoEntry: false });
    if (stats === undefined) return entries;
    if (!stats.isDirectory()) {
      yield notOurs(folder, stats, "folder");
      return entries;
    }
    for (const name of readdirSync(folder).sort()) {
      const path = join(folder, name);
      const found = lstatSync(path, { throwIfNoEntry: false });
      if (found !== undefined) entries.push({ name, path, stats: found });
    }
  } catch (error) {
    if (!isGone(error)) yield cannotRead(folder, error);
  }
  return entries;
}

export function isGone(error: unknown): boolean {
  return errnoOf(error) === "ENOENT" || errnoOf(error) === "ENOTDIR";
}

/** The first bytes of a regular file, at most `maxBytes`; undefined where it has gone. Throws what the system says. */
export function readRegular(path: string, maxBytes: number): Buffer | undefined {
  return withFile(path, (fd, size) => readAt(fd, 0, Math.min(size, maxBytes)));
}

/** SHA-256 of a regular file of any size, in chunks; undefined where it has gone. Throws what the system says. */
export function hashRegular(path: string): string | undefined {
  return withFile(path, (fd, size) => {
    const hash = createHash("sha256");
    for (let at = 0; ; ) {
      const chunk = readAt(fd, at, Math.min(CHUNK_BYTES, Math.max(4_096, size - at)));
      if (chunk.length === 0) return hash.digest("hex");
      hash.update(chunk);
      at += chunk.length;
    }
  });
}

/** The lines of a regular file from an offset on. Throws what the system says. */
export function* linesOf(path: string, start = 0): Generator<TextLine, void, undefined> {
  const fd = openRegular(path);
  if (fd === undefined) return;
  try {
    yield* readLines(fd, start);
  } finally {
    closeSync(fd);
  }
}

function withFile<T>(path: string, read: (fd: number, size: number) => T): T | undefined {
  const fd = openRegular(path);
  if (fd === undefined) return undefined;
  try {
    return read(fd, fstatSync(fd).size);
  } finally {
    closeSync(fd);
  }
}

/** Never waits for a pipe, never follows a link; undefined where nothing is there any more. */
function openRegular(path: string): number | undefined {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
  if (fstatSync(fd).isFile()) return fd;
  closeSync(fd);
  throw new Error("it is not a regular file");
}

/**
 * The first line of a conflict that git has left: its three markers in order, each at the beginning of a line. A skill
 * about merging may show one: inside a fence that is no fault.
 */
export function conflictLine(text: string): { line: number; fenced: boolean } | undefined {
  const wanted = [/^<{7}(?: |$)/, /^={7}$/, /^>{7}(?: |$)/];
  let [stage, first, fenced] = [0, 0, false];
  let inFence = false;
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    if (/^ {0,3}(?:```|~~~)/.test(line)) inFence = !inFence;
    if (wanted[stage]?.test(line) !== true) continue;
    if (stage === 0) [first, fenced] = [at + 1, inFence];
    stage++;
  }
  return stage === 3 ? { line: first, fenced } : undefined;
}
