import { randomBytes } from "node:crypto";
import {
  closeSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { diskError, errnoOf } from "./errors.ts";

const TEMP = ".tmp-";
/** Where the file system knows no hard links, exclusive creation stands in. */
const NO_LINKS = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK", "EXDEV"]);
/** On Windows a file that somebody holds open refuses the rename for a moment. */
const HELD = new Set(["EPERM", "EACCES", "EBUSY"]);
const pause = new Int32Array(new SharedArrayBuffer(4));

/** The name of a temporary file for `target`, in the same folder and hidden there. */
export function tempPath(target: string): string {
  return join(dirname(target), `.${basename(target)}${TEMP}${process.pid}-${randomBytes(6).toString("hex")}`);
}

export function isTempName(name: string): boolean {
  return name.startsWith(".") && /\.tmp-\d+-[0-9a-f]{12}$/.test(name);
}

export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch (error) {
    throw diskError("make the folder", path, error);
  }
}

/** Writes every byte of a new file, exclusively created, and brings it to the disk. Throws a typed error; leaves nothing. */
export function writeNew(path: string, bytes: Uint8Array, mode = 0o644): void {
  let fd = -1;
  try {
    fd = openSync(path, "wx", mode);
    for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at, bytes.length - at);
    if (fstatSync(fd).size !== bytes.length) throw new Error(`${path} is shorter than what was written`);
    fsyncSync(fd);
    closeSync(fd);
  } catch (error) {
    if (fd !== -1) {
      quietly(() => closeSync(fd));
      quietly(() => unlinkSync(path));
    }
    throw diskError("write", path, error);
  }
}

/** A whole, synced temporary file beside `target`; its path. */
export function writeTemp(target: string, bytes: Uint8Array, mode = 0o644): string {
  const temp = tempPath(target);
  writeNew(temp, bytes, mode);
  return temp;
}

/** Renames over `target` and syncs the folder. False where `temp` is gone: somebody has finished this already. */
export function publish(temp: string, target: string): boolean {
  for (let attempt = 0; ; attempt++) {
    try {
      renameSync(temp, target);
      break;
    } catch (error) {
      const errno = errnoOf(error);
      if (errno === "ENOENT" && !exists(temp)) return false;
      const held = process.platform === "win32" && errno !== undefined && HELD.has(errno) && attempt < 20;
      if (!held) throw diskError("replace", target, error);
      Atomics.wait(pause, 0, 0, 10 * (attempt + 1));
    }
  }
  syncFolder(dirname(target));
  return true;
}

/** Replaces `target` whole or not at all (P2). No conflict check: for files of one writer only. */
export function replaceFile(target: string, bytes: Uint8Array, mode = 0o644): void {
  const temp = writeTemp(target, bytes, mode);
  try {
    publish(temp, target);
  } catch (error) {
    quietly(() => unlinkSync(temp));
    throw error;
  }
}

/** Makes `target` with these bytes unless there is one: true for exactly one of many callers. Durable when it returns. */
export function createExclusive(target: string, bytes: Uint8Array): boolean {
  const temp = writeTemp(target, bytes);
  try {
    return linkExclusive(temp, target);
  } finally {
    quietly(() => unlinkSync(temp));
  }
}

/** A second name for `from` that must not exist yet; false if it does. */
export function linkExclusive(from: string, target: string): boolean {
  try {
    linkSync(from, target);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === "EEXIST") return false;
    if (errno === undefined || !NO_LINKS.has(errno)) throw diskError("create", target, error);
    if (!copyExclusive(from, target)) return false;
  }
  syncFolder(dirname(target));
  return true;
}

/** Not atomic in its content, but exclusive in its name: the most that a file system without links offers. */
function copyExclusive(from: string, target: string): boolean {
  try {
    writeNew(target, readFileSync(from));
    return true;
  } catch (error) {
    if (exists(target) && errnoOf(error instanceof Error ? error.cause : undefined) === "EEXIST") return false;
    throw error;
  }
}

/** Folders cannot be synced everywhere (Windows, some network mounts); there the rename alone must do. */
export function syncFolder(path: string): void {
  let fd: number | undefined;
  try {
    fd = openSync(path, "r");
    fsyncSync(fd);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === "EIO" || errno === "ENOSPC" || errno === "EDQUOT") throw diskError("sync", path, error);
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** Renames a file out of the way to `<path>.bak`, `.bak-2` …, never over one that is there; its new path. */
export function keepAside(path: string, suffix = ".bak"): string {
  for (let n = 1; ; n++) {
    const kept = n === 1 ? `${path}${suffix}` : `${path}${suffix}-${n}`;
    if (exists(kept)) continue;
    try {
      renameSync(path, kept);
      return kept;
    } catch (error) {
      throw diskError("set aside", path, error);
    }
  }
}

/** Removes temporary files of ours that nobody has finished for a day (design 5, step 4); how many. */
export function sweepTemps(folder: string, nowMs: number, olderThanMs: number): number {
  let swept = 0;
  for (const name of listNames(folder)) {
    if (!isTempName(name)) continue;
    quietly(() => {
      if (nowMs - lstatSync(join(folder, name)).mtimeMs < olderThanMs) return;
      unlinkSync(join(folder, name));
      swept++;
    });
  }
  return swept;
}

/** The names in a folder, sorted; none where there is no such folder. */
export function listNames(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === "ENOENT" || errno === "ENOTDIR") return [];
    throw diskError("list", folder, error);
  }
}

export function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** For steps whose failure changes nothing: clearing up after another error. */
export function quietly(step: () => void): void {
  try {
    step();
  } catch {
    // the error that matters is already on its way
  }
}
