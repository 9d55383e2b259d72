import {
  closeSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { diskError, errnoOf } from "./errors.ts";
import { isSameFile, lookAt } from "./look.ts";
import { pauseMs } from "./pause.ts";
import { isTempName, tempPath } from "./temp-names.ts";
import { writeAll } from "./write-all.ts";

/** Where exclusive creation stands in for hard links. EISDIR: Windows on exFAT. EACCES: Android, or really read-only. */
const NO_LINKS = new Set(["EPERM", "EACCES", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK", "EXDEV", "EISDIR"]);
/** On Windows a file that somebody holds open refuses the rename for a moment. */
const HELD = new Set(["EPERM", "EACCES", "EBUSY"]);
/** Folders cannot be synced everywhere (Windows, some network mounts); there the rename alone must do. */
const NO_FOLDER_SYNC = new Set([
  "EISDIR",
  "EPERM",
  "EACCES",
  "EBADF",
  "EINVAL",
  "ENOTSUP",
  "EOPNOTSUPP",
  "ENOSYS",
]);

/** How many times a temporary file that somebody swept is written again: the sweeper takes old ones alone. */
const TRIES = 3;

export interface WriteOptions {
  /** Exactly these permissions; else 0o644 less the umask. */
  readonly mode?: number | undefined;
  /**
   * Where temporary files stand apart from their targets, so that one look finds what killed processes left. Beside
   * the target where that is another file system, or no folder.
   */
  readonly temps?: string | undefined;
  /** False where the caller syncs the folder itself, later: after another sync that costs nothing. */
  readonly sync?: boolean;
}

/**
 * Writes every byte of a new file, exclusively created, and brings it to the disk; with `mode` it has exactly those
 * permissions, else 0o644 less the umask. Throws a typed error and leaves nothing. The folder is not synced.
 */
export function writeNew(path: string, bytes: Uint8Array, mode?: number): void {
  let fd: number | undefined;
  let made = false;
  try {
    fd = openSync(path, "wx", mode ?? 0o644);
    made = true;
    writeAll(fd, bytes, path);
    if (fstatSync(fd).size !== bytes.length) throw new Error(`${path} is not as long as what was written`);
    const written = fd;
    if (mode !== undefined) quietly(() => fchmodSync(written, mode & 0o777));
    fsyncSync(written);
    fd = undefined;
    closeSync(written);
  } catch (error) {
    const open = fd;
    if (open !== undefined) quietly(() => closeSync(open));
    if (made) quietly(() => unlinkSync(path));
    throw diskError("write", path, error);
  }
}

/** A whole, synced temporary file for `target`; its path. */
export function writeTemp(target: string, bytes: Uint8Array, options: WriteOptions = {}): string {
  const temp = tempPath(target, tempFolder(target, options.temps));
  writeNew(temp, bytes, options.mode);
  return temp;
}

function tempFolder(target: string, temps: string | undefined): string {
  const beside = dirname(target);
  if (temps === undefined) return beside;
  const [one, two] = [temps, beside].map((path) => statSync(path, { throwIfNoEntry: false }));
  return one?.isDirectory() === true && one.dev === two?.dev ? temps : beside;
}

/** Renames over `target` and syncs the folder. False where `temp` is gone: somebody has finished this already. */
export function publish(temp: string, target: string, options: { sync?: boolean } = {}): boolean {
  for (let attempt = 0; ; attempt++) {
    try {
      renameSync(temp, target);
      break;
    } catch (error) {
      const errno = errnoOf(error);
      if (errno === "ENOENT" && !exists(temp)) return false;
      const held = process.platform === "win32" && errno !== undefined && HELD.has(errno) && attempt < 20;
      if (!held) throw diskError("replace", target, error);
      pauseMs(10 * (attempt + 1));
    }
  }
  if (options.sync !== false) syncFolder(dirname(target));
  return true;
}

/** Replaces `target` whole or not at all (P2). No conflict check: for files of one writer only. */
export function replaceFile(target: string, bytes: Uint8Array, options: WriteOptions = {}): void {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const temp = writeTemp(target, bytes, options);
    try {
      if (publish(temp, target, options)) return;
    } catch (error) {
      quietly(() => unlinkSync(temp));
      throw error;
    }
  }
  throw diskError("replace", target, new Error("its temporary file was removed before it could be renamed"));
}

/** Makes `target` with these bytes unless there is one: true for exactly one of many callers. */
export function createExclusive(target: string, bytes: Uint8Array, options: WriteOptions = {}): boolean {
  for (let attempt = 1; ; attempt++) {
    const temp = writeTemp(target, bytes, options);
    try {
      // a network mount may repeat a request that has succeeded: then the one in the way is our own
      return linkExclusive(temp, target, options) || isSameFile(temp, target);
    } catch (error) {
      if (exists(temp) || attempt === TRIES) throw error;
    } finally {
      quietly(() => unlinkSync(temp));
    }
  }
}

/** Makes an empty file unless there is one, true for exactly one of many callers; not synced, for marks alone. */
export function markOnce(path: string): boolean {
  try {
    closeSync(openSync(path, "wx"));
    return true;
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return false;
    throw diskError("create", path, error);
  }
}

export interface LinkOptions {
  /** False where the caller syncs the folder itself, later. */
  readonly sync?: boolean;
  /** Called where a copy was made: another may have seen it half-written. */
  readonly onCopy?: () => void;
}

/** A second name for `from` that must not exist yet; false if it does. A copy where the file system has no links. */
export function linkExclusive(from: string, target: string, options: LinkOptions = {}): boolean {
  try {
    linkSync(from, target);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === "EEXIST") return false;
    if (errno === undefined || !NO_LINKS.has(errno)) throw diskError("create", target, error);
    if (!copyExclusive(from, target)) return false;
    options.onCopy?.();
  }
  if (options.sync !== false) syncFolder(dirname(target));
  return true;
}

/** Not atomic in its content, but exclusive in its name: the most that a file system without links offers. */
function copyExclusive(from: string, target: string): boolean {
  try {
    writeNew(target, readFileSync(from), statSync(from).mode);
    return true;
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    if (errnoOf(cause) === "EEXIST") return false;
    throw errnoOf(error) === undefined ? error : diskError("copy", from, error);
  }
}

/** Brings the names of a folder to the disk, where that is possible. */
export function syncFolder(path: string): void {
  let fd: number | undefined;
  try {
    fd = openSync(path, "r");
    fsyncSync(fd);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === undefined || !NO_FOLDER_SYNC.has(errno)) throw diskError("sync", path, error);
  } finally {
    const open = fd;
    if (open !== undefined) quietly(() => closeSync(open));
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

/** The names in a folder, sorted; none where there is no such folder. Of a large one, perhaps only those that begin so. */
export function listNames(folder: string, ...beginnings: readonly string[]): string[] {
  try {
    const names = readdirSync(folder);
    const isWanted = (name: string) => beginnings.some((one) => name.startsWith(one));
    return (beginnings.length === 0 ? names : names.filter(isWanted)).sort();
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === "ENOENT" || errno === "ENOTDIR") return [];
    throw diskError("list", folder, error);
  }
}

export function exists(path: string): boolean {
  return lookAt(path) !== undefined;
}

/** For steps whose failure changes nothing: clearing up after another error. */
export function quietly(step: () => void): void {
  try {
    step();
  } catch {
    // the error that matters is already on its way
  }
}
