import { type Dirent, readdirSync, readFileSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import { errnoOf, isCanonryError } from "../../core/errors.ts";
import { LIMITS } from "../../core/limits.ts";
import { lookAt } from "../../core/look.ts";
import { pauseMs } from "../../core/pause.ts";
import { openInside } from "../paths.ts";
import { classify, isLines, maxBytesOf, whyNotOfHome } from "./kinds.ts";

/** A file as it goes into a backup. */
export interface Found {
  /** Below the home, forward slashes. */
  readonly path: string;
  readonly bytes: Buffer;
  readonly executable: boolean;
  readonly mtimeMs: number;
}

/** Reads files of one home for a backup. */
export interface Reading {
  readonly home: string;
  /** Of the home, and yet not in the backup: path → why. */
  readonly leftOut: Map<string, string>;
  /** The time of day in milliseconds, as the files of the home have it. */
  readonly now: () => number;
}

/** A last line that has no end for so long is not being written any more. */
const WRITING_MS = 2_000;

/** Paths of the files below a folder, sorted; `keep` picks among the names in it. What is no file is noted. */
export function listFiles(
  reading: Reading,
  folder: string,
  keep: (name: string) => boolean = () => true,
): string[] {
  const found: string[] = [];
  for (const entry of entriesOf(reading, folder)) {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (!keep(entry.name) || whyNotOfHome(path) !== undefined) continue;
    if (entry.name.includes("\uFFFD")) reading.leftOut.set(path, "has a name that is not UTF-8");
    else if (path === "settings.json") found.push(path);
    else if (entry.isDirectory()) found.push(...listFiles(reading, path));
    else if (entry.isFile()) found.push(path);
    else reading.leftOut.set(path, "is no regular file");
  }
  return found;
}

/** The names in a folder of the home, sorted; none where there is no such folder. */
export function listHere(reading: Reading, folder: string): string[] {
  return entriesOf(reading, folder).map((entry) => entry.name);
}

/** What stands at a path of the home; undefined too where that cannot be known, which is noted. */
export function standing(reading: Reading, path: string): Stats | undefined {
  return orNamed(reading, path, undefined, () => lookAt(join(reading.home, path)));
}

/** What `work` gives; `instead` where the disk refuses it, and then `path` is noted: it costs nothing else its place. */
export function orNamed<T>(reading: Reading, path: string, instead: T, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!isCanonryError(error)) throw error;
    reading.leftOut.set(path, error.message);
    return instead;
  }
}

function entriesOf(reading: Reading, folder: string): Dirent[] {
  try {
    const entries = readdirSync(join(reading.home, folder), { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === "ENOTDIR" && standing(reading, folder) !== undefined)
      reading.leftOut.set(folder, "is no folder, and should be one");
    else if (errno !== "ENOENT" && errno !== "ENOTDIR")
      reading.leftOut.set(folder, `cannot be listed: ${errno ?? String(error)}`);
    return [];
  }
}

/** The file, or undefined where it is gone, or cannot be in a backup and is noted. */
export function readFound(reading: Reading, path: string): Found | undefined {
  try {
    reading.leftOut.delete(path);
    return path === "settings.json" ? readSettingsFile(reading) : readInHome(reading, path);
  } catch (error) {
    if (!isCanonryError(error) && errnoOf(error) === undefined) throw error;
    if (!isCanonryError(error, "CANONRY_FILE_NOT_FOUND"))
      reading.leftOut.set(path, error instanceof Error ? error.message : String(error));
    return undefined;
  }
}

function readInHome(reading: Reading, path: string): Found {
  const { kind } = classify(path);
  const { bytes, stats } = openInside(reading.home, path, { maxBytes: maxBytesOf(kind), links: "refuse" });
  const whole = isLines(kind) ? wholeLines(reading, path, bytes) : bytes;
  const torn = bytes.length - whole.length;
  if (torn > 0 && reading.now() - stats.mtimeMs > WRITING_MS)
    reading.leftOut.set(path, `its last line is torn: these ${torn} bytes are left out, all before is in`);
  return { path, bytes: whole, executable: (stats.mode & 0o111) !== 0, mtimeMs: stats.mtimeMs };
}

/** The settings may be a link, say into a folder of dotfiles: what is read there is what holds. */
function readSettingsFile({ home, leftOut }: Reading): Found | undefined {
  const path = "settings.json";
  const file = join(home, path);
  if (lookAt(file) === undefined) return undefined;
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats?.isFile() === true && stats.size <= LIMITS.skillFolderBytes)
    return { path, bytes: readFileSync(file), executable: false, mtimeMs: stats.mtimeMs };
  if (stats === undefined) leftOut.set(path, "is a link that leads nowhere");
  else
    leftOut.set(
      path,
      stats.isFile() ? `has ${stats.size} bytes, which are no settings` : "is no regular file",
    );
  return undefined;
}

/** Up to the last newline, since another process may be in the middle of a line; a whole last line without one counts. */
function wholeLines(reading: Reading, path: string, bytes: Buffer): Buffer {
  const end = bytes.lastIndexOf(10) + 1;
  if (end === bytes.length) return bytes;
  const isWhole = path.endsWith(".ndjson")
    ? isRecord(bytes.subarray(end).toString("utf8"))
    : isQuiet(reading, path, bytes.length);
  return isWhole ? Buffer.concat([bytes, Buffer.from("\n")]) : bytes.subarray(0, end);
}

function isRecord(line: string): boolean {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null;
  } catch {
    return false;
  }
}

/** Whether nobody is writing: a person's editor may leave the last line without a newline. */
function isQuiet(reading: Reading, path: string, size: number): boolean {
  pauseMs(50);
  return statSync(join(reading.home, path), { throwIfNoEntry: false })?.size === size;
}
