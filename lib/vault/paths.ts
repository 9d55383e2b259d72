import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  realpathSync,
  type Stats,
} from "node:fs";
import { isAbsolute, join, relative } from "node:path";
import { quietly } from "../core/atomic.ts";
import { CanonryError, errnoOf, isCanonryError } from "../core/errors.ts";
import { isPlaced } from "../core/held-folder.ts";
import { lookAt } from "../core/look.ts";
import { makeFolder } from "../core/make-folder.ts";
import { assertRelativePath, invalidPath } from "./path-rules.ts";

/** A file that is replaced all the time is read by the second look; this many mean somebody plays tricks. */
const TRIES = 100;

export interface ReadInsideOptions {
  readonly maxBytes: number;
  /** `refuse`: no part may be a symbolic link. `follow`: links are fine as long as they end inside the root. */
  readonly links: "refuse" | "follow";
}

export interface FileInside {
  readonly bytes: Buffer;
  /** Absolute, no link in it. */
  readonly realPath: string;
  readonly stats: Stats;
}

/** The bytes of a file below `root`; see `openInside`. */
export function readInside(root: string, path: string, options: ReadInsideOptions): Buffer {
  return openInside(root, path, options).bytes;
}

/**
 * Reads a regular file below `root` (trusted as given) without ever leaving it: the path is checked, each part looked
 * at, the file opened without waiting for a pipe, and the open file compared with what was looked at. Throws
 * `CANONRY_INVALID_PATH`, `CANONRY_FILE_NOT_FOUND`, `CANONRY_FILE_TOO_LARGE` (before reading) or `CANONRY_DISK`.
 */
export function openInside(root: string, path: string, options: ReadInsideOptions): FileInside {
  assertRelativePath(path);
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const file = openOnce(root, path, options);
    if (file !== undefined) return file;
  }
  throw invalidPath(
    path,
    "was exchanged again and again while it was opened",
    "Try again when nobody moves it.",
  );
}

/** Undefined where the file was replaced or something on the way exchanged between looking and opening. */
function openOnce(root: string, path: string, options: ReadInsideOptions): FileInside | undefined {
  const realRoot = realOf(root, path);
  const target = options.links === "follow" ? realOf(join(root, path), path) : join(realRoot, path);
  if (!isBelow(realRoot, target))
    throw invalidPath(path, `leads to ${target}, outside ${realRoot}`, "Copy the file into the folder.");
  const before = chainOf(realRoot, relative(realRoot, target), path);
  const fd = openFile(target, path);
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) throw notRegular(path);
    const after = chainOf(realRoot, relative(realRoot, target), path);
    if (!isSame(before, after, stats) || !isPlaced(fd, target)) return undefined;
    if (stats.size > options.maxBytes) throw tooLarge(path, stats.size, options.maxBytes);
    return { bytes: readWhole(fd, stats.size, path), realPath: target, stats };
  } catch (error) {
    throw isCanonryError(error) ? error : readError(target, path, error);
  } finally {
    quietly(() => closeSync(fd));
  }
}

/** Whether `path` is strictly inside `root`; both absolute and without links. */
export function isBelow(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== "" && way !== ".." && !/^\.\.[/\\]/.test(way) && !isAbsolute(way);
}

/** Makes the folder `path` below `root` and refuses to go through a symbolic link on the way (S4.13). */
export function makeFolderInside(root: string, path: string): void {
  assertNoLinks(root, path);
  makeFolder(join(root, path));
  assertNoLinks(root, path);
}

/** Throws `CANONRY_INVALID_PATH` where a part of `path` that exists is a link or no folder. */
export function assertNoLinks(root: string, path: string): void {
  let at = root;
  for (const segment of path.split("/")) {
    at = join(at, segment);
    const stats = lookAt(at);
    if (stats === undefined) return;
    if (!stats.isDirectory())
      throw invalidPath(
        path,
        `goes through ${at}, which is not a folder of its own`,
        "Put a real folder there.",
      );
  }
}

function realOf(place: string, path: string): string {
  try {
    return realpathSync(place);
  } catch (error) {
    throw readError(place, path, error);
  }
}

/** Each part on the way, looked at: folders, then a regular file. */
function chainOf(root: string, way: string, path: string): Stats[] {
  const chain: Stats[] = [];
  const segments = way.split(/[/\\]/);
  let at = root;
  for (const [i, segment] of segments.entries()) {
    at = join(at, segment);
    const stats = look(at, path);
    if (stats.isSymbolicLink())
      throw invalidPath(path, "goes through a symbolic link", "Put the file itself there.");
    const last = i === segments.length - 1;
    if (last && !stats.isFile()) throw notRegular(path);
    if (!last && !stats.isDirectory()) throw notFound(path, at);
    chain.push(stats);
  }
  return chain;
}

function look(at: string, path: string): Stats {
  try {
    return lstatSync(at);
  } catch (error) {
    throw readError(at, path, error);
  }
}

function openFile(target: string, path: string): number {
  try {
    return openSync(target, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (errnoOf(error) === "ELOOP")
      throw invalidPath(path, "goes through a symbolic link", "Put the file itself there.");
    throw readError(target, path, error);
  }
}

function isSame(before: Stats[], after: Stats[], opened: Stats): boolean {
  const last = after.at(-1);
  const same =
    before.length === after.length &&
    before.every((one, i) => one.ino === after[i]?.ino && one.dev === after[i]?.dev);
  return same && last?.ino === opened.ino && last.dev === opened.dev;
}

function readWhole(fd: number, size: number, path: string): Buffer {
  const bytes = Buffer.alloc(size);
  let at = 0;
  try {
    for (let got = -1; at < size && got !== 0; at += got) got = readSync(fd, bytes, at, size - at, at);
  } catch (error) {
    throw readError(path, path, error);
  }
  return bytes.subarray(0, at);
}

function notRegular(path: string): CanonryError {
  return invalidPath(
    path,
    "is not a regular file",
    "Only files can be read, no folders, pipes, devices or links.",
  );
}

function notFound(path: string, at: string, cause?: unknown): CanonryError {
  return new CanonryError("CANONRY_FILE_NOT_FOUND", `There is no file ${path}: nothing stands at ${at}.`, {
    cause,
    data: { path },
  });
}

function tooLarge(path: string, bytes: number, maxBytes: number): CanonryError {
  return new CanonryError(
    "CANONRY_FILE_TOO_LARGE",
    `${path} has ${bytes} bytes; at most ${maxBytes} are read.`,
    {
      data: { path, bytes, maxBytes },
    },
  );
}

function readError(at: string, path: string, cause: unknown): CanonryError {
  const errno = errnoOf(cause) ?? "unknown";
  if (errno === "ENOENT" || errno === "ENOTDIR") return notFound(path, at, cause);
  return new CanonryError(
    "CANONRY_DISK",
    `Could not read ${at}: ${errno}. Check its permissions and the disk.`,
    {
      cause,
      data: { path: at, errno },
    },
  );
}
