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
import { basename, dirname, join } from "node:path";
import { errnoOf } from "../core/errors.ts";
import { sha256 } from "../core/hash.ts";
import { isPlaced } from "../core/held-folder.ts";
import { LIMITS } from "../core/limits.ts";
import { nameKey } from "../core/names.ts";
import canon from "../markdown/canon.ts";
import { type Decoded, decodeText } from "../markdown/decode.ts";
import type { Parsed } from "../markdown/format.ts";
import portable from "../markdown/portable.ts";
import { type Diagnostic, type DiagnosticCode, hasErrors } from "../schema/diagnostic.ts";
import type { SkillRecord } from "../schema/skill.ts";

/** `canon`, `quarantine`, `archive`: a file of a space; `skill`: a host's SKILL.md; `flat`: a lone .md in a mount's root. */
export type FileKind = "canon" | "quarantine" | "archive" | "skill" | "flat";

/** One skill file as it stands on disk. Never throws on what the file holds: `record` is absent and a diagnostic says why. */
export interface SkillFile {
  readonly record?: SkillRecord;
  readonly diagnostics: readonly Diagnostic[];
  readonly bytes: number;
  readonly bytesHash: string;
  /** `stampOf` the very file that was read, or "" if nothing was. */
  readonly stamp: string;
}

/** Device, inode, times and size: two equal stamps of an old file mean equal bytes (design 5, B21). */
export function stampOf(stats: Stats): string {
  return `${stats.dev}:${stats.ino}:${stats.mtimeMs}:${stats.ctimeMs}:${stats.size}`;
}

/** SHA-256 of the file at `path` as it is now, or undefined where it cannot be read: `readSkillFile` says why. */
export function hashFile(path: string, kind: FileKind): string | undefined {
  try {
    return sha256(readRegular(path, kind).bytes);
  } catch {
    return undefined;
  }
}

/** Reads and parses the skill at `path` (absolute); `shown` is what diagnostics call it. */
export function readSkillFile(path: string, shown: string, kind: FileKind): SkillFile {
  let raw: { bytes: Buffer; stamp: string };
  try {
    raw = readRegular(path, kind);
  } catch (error) {
    return failed(shown, error);
  }
  const decoded = decodeText(raw.bytes, shown);
  const known = { bytes: raw.bytes.length, bytesHash: sha256(raw.bytes), stamp: raw.stamp };
  if (decoded.text === undefined) return { ...known, diagnostics: decoded.diagnostics };
  const parsed = parseSkill(decoded.text, shown, path, kind);
  const diagnostics = [
    ...decoded.diagnostics,
    ...parsed.diagnostics,
    ...caseWarning(path, shown, kind),
    ...nameWarning(parsed.record, path, shown, kind),
  ];
  return parsed.record === undefined || hasErrors(decoded.diagnostics)
    ? { ...known, diagnostics }
    : { ...known, diagnostics, record: parsed.record };
}

/** The text of the skill at `path` (absolute) as it stands, or why there is none. Never throws. */
export function readSkillText(path: string, shown: string, kind: FileKind): Decoded {
  try {
    return decodeText(readRegular(path, kind).bytes, shown);
  } catch (error) {
    return { diagnostics: [unreadable(shown, error)] };
  }
}

export function parseSkill(text: string, shown: string, path: string, kind: FileKind): Parsed<SkillRecord> {
  const fallbackName = folderName(path, kind);
  return kind === "skill" || kind === "flat"
    ? portable.parse(text, { file: shown, fallbackName })
    : canon.parse(text, { file: shown, fallbackName });
}

/** What a skill is called on disk: the folder of a SKILL.md, or the stem of a lone file. */
export function folderName(path: string, kind: FileKind): string {
  return kind === "skill" ? basename(dirname(path)) : basename(path).replace(/\.md$/i, "");
}

/** Hosts want the folder to be called like the skill; here either name finds it (B05). */
function nameWarning(
  record: SkillRecord | undefined,
  path: string,
  shown: string,
  kind: FileKind,
): Diagnostic[] {
  const folder = folderName(path, kind);
  if (record === undefined || nameKey(record.name) === nameKey(folder)) return [];
  const message = `The skill calls itself ${record.name} and stands in ${folder}; both names find it here, hosts want them equal.`;
  return [{ file: shown, line: 1, column: 1, code: "NAME_MISMATCH", severity: "warning", message }];
}

/** Hosts on case-sensitive disks look for SKILL.md exactly (B41). */
function caseWarning(path: string, shown: string, kind: FileKind): Diagnostic[] {
  const name = basename(path);
  if (kind !== "skill" || name === "SKILL.md") return [];
  const message = `The file is called ${name}; hosts look for SKILL.md. It is read all the same: rename it.`;
  return [{ file: shown, line: 1, column: 1, code: "FILE_NAME_CASE", severity: "warning", message }];
}

/** A file that is replaced all the time is read by the second look; this many mean somebody plays tricks. */
const TRIES = 100;

class Refused extends Error {
  readonly code: DiagnosticCode;
  constructor(code: DiagnosticCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** A regular file only, never waiting for a pipe; a space holds no symbolic links, a mount may. */
function readRegular(path: string, kind: FileKind): { bytes: Buffer; stamp: string } {
  const fd =
    kind === "skill" || kind === "flat"
      ? openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
      : openOwn(path);
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile())
      throw new Refused("FILE_NOT_REGULAR", "There is no regular file here; move it away or make it one.");
    if (stats.size > LIMITS.skillFileBytes)
      throw new Refused(
        "FILE_TOO_LARGE",
        `The file has ${stats.size} bytes; at most ${LIMITS.skillFileBytes} are read.`,
      );
    const bytes = Buffer.alloc(stats.size);
    let at = 0;
    while (at < bytes.length) {
      const got = readSync(fd, bytes, at, bytes.length - at, at);
      if (got === 0) break;
      at += got;
    }
    return { bytes: bytes.subarray(0, at), stamp: stampOf(stats) };
  } finally {
    closeSync(fd);
  }
}

/** Opens a file of a space: neither it nor the folder that it stands in may be a link, nor become one meanwhile (P9). */
function openOwn(path: string): number {
  const folder = dirname(path);
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const target = join(realpathSync(dirname(folder)), basename(folder), basename(path));
    if (lstatSync(folder).isSymbolicLink())
      throw new Refused(
        "FILE_NOT_REGULAR",
        "Its folder is a symbolic link; a space of the home holds files only.",
      );
    const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | (constants.O_NOFOLLOW ?? 0));
    if (isPlaced(fd, target)) return fd;
    closeSync(fd);
  }
  throw new Refused("FILE_NOT_REGULAR", "It was exchanged again and again while it was opened.");
}

function failed(shown: string, error: unknown): SkillFile {
  return { bytes: 0, bytesHash: "", stamp: "", diagnostics: [unreadable(shown, error)] };
}

/** The diagnostic for a file or folder that the system would not give. */
export function unreadable(shown: string, error: unknown): Diagnostic {
  const at = { file: shown, line: 1, column: 1, severity: "error" as const };
  if (error instanceof Refused) return { ...at, code: error.code, message: error.message };
  const errno = errnoOf(error) ?? "unknown error";
  if (errno === "ELOOP")
    return {
      ...at,
      code: "FILE_NOT_REGULAR",
      message: "This is a symbolic link; a space of the home holds files only.",
    };
  return { ...at, code: "FILE_UNREADABLE", message: `Cannot be read: ${errno}.` };
}
