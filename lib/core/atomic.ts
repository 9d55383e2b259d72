import { randomBytes } from "node:crypto";
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
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { diskError, errnoOf } from "./errors.ts";
import { isSameFile, lookAt } from "./look.ts";
import { pauseMs } from "./pause.ts";

const TEMP = ".tmp-";
/**
 * Where the file system knows no hard links, exclusive creation stands in. EISDIR is what Windows says on exFAT,
 * EACCES what Android says; where the folder is really read-only, the copy fails with the same reason.
 */
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

/** The name of a temporary file for `target`, in the same folder and hidden there. */
export function tempPath(target: string): string {
  const stem = basename(target).slice(0, 48);
  return join(dirname(target), `.${stem}${TEMP}${process.pid}-${randomBytes(6).toString("hex")}`);
}

export function isTempName(name: string): boolean {
  return name.startsWith(".") && /\.tmp-\d+-[0-9a-f]{12}$/.test(name);
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

function writeAll(fd: number, bytes: Uint8Array, path: string): void {
  for (let at = 0; at < bytes.length; ) {
    const wrote = writeSync(fd, bytes, at, bytes.length - at);
    if (wrote === 0) throw new Error(`${path} takes no more bytes`);
    at += wrote;
  }
  if (fstatSync(fd).size !== bytes.length) throw new Error(`${path} is not as long as what was written`);
}

/** A whole, synced temporary file beside `target`; its path. */
export function writeTemp(target: string, bytes: Uint8Array, mode?: number): string {
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
      pauseMs(10 * (attempt + 1));
    }
  }
  syncFolder(dirname(target));
  return true;
}

/** Replaces `target` whole or not at all (P2). No conflict check: for files of one writer only. */
export function replaceFile(target: string, bytes: Uint8Array, mode?: number): void {
  const temp = writeTemp(target, bytes, mode);
  try {
    if (publish(temp, target)) return;
  } catch (error) {
    quietly(() => unlinkSync(temp));
    throw error;
  }
  throw diskError("replace", target, new Error(`${temp} was removed before it could be renamed`));
}

/** Makes `target` with these bytes unless there is one: true for exactly one of many callers. Durable when it returns. */
export function createExclusive(target: string, bytes: Uint8Array): boolean {
  const temp = writeTemp(target, bytes);
  try {
    // a network mount may repeat a request that has succeeded: then the one in the way is our own
    return linkExclusive(temp, target) || isSameFile(temp, target);
  } finally {
    quietly(() => unlinkSync(temp));
  }
}

/** A second name for `from` that must not exist yet; false if it does. A copy where the file system has no links. */
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
    if (fd !== undefined) closeSync(fd);
  }
}

/**
 * Renames a file or folder out of the way to `<path>.bak`, `.bak-2` …, never over one that is there; its new path,
 * or undefined where there was nothing (any more). The first rename has a name of its own, so that of two processes
 * that do this at once neither takes the other's.
 */
export function keepAside(path: string, suffix = ".bak"): string | undefined {
  const first = `${path}${suffix}-${randomBytes(6).toString("hex")}`;
  try {
    renameSync(path, first);
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return undefined;
    throw diskError("set aside", path, error);
  }
  const isFile = lstatSync(first).isFile();
  for (let n = 1; ; n++) {
    const kept = n === 1 ? `${path}${suffix}` : `${path}${suffix}-${n}`;
    if (exists(kept)) continue;
    if (!isFile) return publish(first, kept) ? kept : undefined;
    if (!linkExclusive(first, kept)) continue;
    quietly(() => unlinkSync(first));
    return kept;
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
