import {
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  unlinkSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { exists, publish, quietly, replaceFile } from "../core/atomic.ts";
import { diskError, isCanonryError } from "../core/errors.ts";
import { sha256 } from "../core/hash.ts";
import { keepAside } from "../core/keep-aside.ts";
import { LIMITS } from "../core/limits.ts";
import { lookAt } from "../core/look.ts";
import { isTempName } from "../core/temp-names.ts";
import type { Version } from "../schema/claim.ts";
import { hold, holdWithTemps, makeOwnFolder } from "./hold.ts";
import { spaceFolder } from "./layout.ts";
import { problemOfPath } from "./path-rules.ts";
import { isBelow, readInside } from "./paths.ts";
import type { Room } from "./room.ts";

/** Keeps bytes under their hash, for good; the hash. One that is there but damaged is set aside and written anew. */
export function putObject(room: Room, bytes: Uint8Array, options: { sync?: boolean } = {}): string {
  const hash = sha256(bytes);
  const path = room.layout.object(hash);
  if (readObject(room, hash) !== undefined) return hash;
  if (exists(path)) keepAside(path, ".damaged");
  makeOwnFolder(room.layout.home, dirname(path));
  makeOwnFolder(room.layout.home, room.layout.temps);
  holdWithTemps(path, room.layout.temps, (object, temps) =>
    replaceFile(object, bytes, { ...options, temps }),
  );
  return hash;
}

/** The bytes of that hash, or undefined where there are none or they are others. Throws where the disk refuses. */
export function readObject(room: Room, hash: string): Buffer | undefined {
  const path = room.layout.object(hash);
  try {
    if (lookAt(path)?.isFile() !== true) return undefined;
    const bytes = readWhole(path);
    return sha256(bytes) === hash ? bytes : undefined;
  } catch (error) {
    if (!exists(path)) return undefined;
    throw error;
  }
}

/** Files the loose file at `path` under its hash: it goes where it is kept already. */
export function adoptObject(room: Room, path: string): string {
  const hash = sha256(readWhole(path));
  if (readObject(room, hash) !== undefined) {
    quietly(() => unlinkSync(path));
    return hash;
  }
  const target = room.layout.object(hash);
  if (exists(target)) keepAside(target, ".damaged");
  makeOwnFolder(room.layout.home, dirname(target));
  hold([path, target], (from, to) => publish(from, to));
  return hash;
}

/** The bytes of a regular file; what is a link or anything else is nobody's text and is not read (T-S8). */
export function readWhole(path: string): Buffer {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  try {
    const fd = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      if (!fstatSync(fd).isFile()) throw new Error(`${path} is not a regular file`);
      return readFileSync(fd);
    } finally {
      quietly(() => closeSync(fd));
    }
  } catch (error) {
    throw diskError("read", path, error);
  }
}

/**
 * Keeps the files beside a skill, for its version manifest: regular files, no links, at most 512 and 16 MiB (C59);
 * what is over that is left out with a warning, since the person who put it there outranks a program's change.
 */
export function putFilesBeside(room: Room, fingerprint: string, name: string): Version["files"] {
  const { home, relative } = room.layout;
  const root = room.layout.skillFolder(fingerprint, name);
  const files: Version["files"] = [];
  let total = 0;
  for (const entry of listFiles(root)) {
    const problem = problemOfPath(entry.path);
    if (problem !== undefined) {
      room.context.log.warn(`${join(root, entry.path)} is kept in no version: its path ${problem}.`);
      continue;
    }
    const bytes = readBeside(home, `${relative(root)}/${entry.path}`);
    if (bytes === undefined) continue;
    total += bytes.length;
    if (files.length >= LIMITS.skillFiles || total > LIMITS.skillFolderBytes) {
      room.context.log.warn(
        `${spaceFolder(fingerprint)}/canon/${name} holds more than ${LIMITS.skillFiles} files or ${LIMITS.skillFolderBytes} bytes; its versions keep the first ${files.length} only.`,
      );
      break;
    }
    files.push({ path: entry.path, bytesHash: putObject(room, bytes), executable: entry.executable });
  }
  return files;
}

/** Undefined where it has gone since it was listed: taken away by a person, or with the skill, and then the bid loses. */
function readBeside(home: string, path: string): Buffer | undefined {
  try {
    return readInside(home, path, { maxBytes: LIMITS.skillFolderBytes, links: "refuse" });
  } catch (error) {
    if (isCanonryError(error, "CANONRY_FILE_NOT_FOUND")) return undefined;
    throw error;
  }
}

function listFiles(root: string): { path: string; executable: boolean }[] {
  if (lookAt(root)?.isDirectory() !== true) return [];
  const found: { path: string; executable: boolean }[] = [];
  for (const entry of readTree(root)) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || isTempName(entry.name) || !isBelow(root, path)) continue;
    found.push({ path: path.slice(root.length + 1).replaceAll("\\", "/"), executable: isExecutable(path) });
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function readTree(root: string): Dirent[] {
  try {
    return readdirSync(root, { withFileTypes: true, recursive: true });
  } catch (error) {
    if (!exists(root)) return [];
    throw diskError("list", root, error);
  }
}

function isExecutable(path: string): boolean {
  return ((lookAt(path)?.mode ?? 0) & 0o111) !== 0;
}
