import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createExclusive, linkExclusive, syncFolder } from "../../core/atomic.ts";
import { diskError, isCanonryError } from "../../core/errors.ts";
import { sha256 } from "../../core/hash.ts";
import { keepAside } from "../../core/keep-aside.ts";
import { LIMITS } from "../../core/limits.ts";
import { lookAt } from "../../core/look.ts";
import { assertNoLinks, makeFolderInside, readInside } from "../paths.ts";
import type { Room } from "../room.ts";
import type { KeptHere } from "./kept-here.ts";
import { type Classed, classify } from "./kinds.ts";
import type { StagedFile } from "./stage.ts";
import { type Tree, treeAt } from "./trees.ts";

/** What a restore has come to so far. */
export interface Tally {
  files: number;
  bytes: number;
  present: number;
  events: number;
  lines: number;
  readonly restored: string[];
  readonly kept: KeptHere[];
  readonly refused: { readonly path: string; readonly message: string }[];
}

export interface Merging {
  readonly room: Room;
  /** Nothing is written: what would be done is counted. */
  readonly dry: boolean;
  readonly tally: Tally;
  readonly batch: Batch;
}

/** What is brought to the disk together, since one after the other takes far longer. */
export interface Batch {
  /** Staged files that are on the disk already: a link puts them in place. */
  readonly synced: Set<string>;
  /** Folders of the home with names that are not on the disk yet; see `syncFolders`. */
  readonly unsynced: Set<string>;
}

/** These strike every file alike: going on would name them all. */
const STOPS: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT", "EROFS", "EMFILE", "ENFILE", "ENOMEM"]);

/** A staged file with what it is and the tree that it belongs to. */
export interface Part extends Classed {
  readonly tree: Tree;
  readonly file: StagedFile;
  /** Below the home, as the archive has it. */
  readonly full: string;
  readonly read: () => Buffer;
}

export function partOf(room: Room, file: StagedFile): Part {
  const classed = classify(file.path);
  const tree = treeAt(room, classed.root);
  return { ...classed, tree, file, full: file.path, read: () => readFileSync(file.staged) };
}

/** What the home has at the path of a part, by hash; `other`: no file that could be read. */
export function hereOf(merging: Merging, path: string): string | undefined {
  const { home } = merging.room.layout;
  if (lookAt(join(home, path)) === undefined) return undefined;
  try {
    return sha256(readInside(home, path, { maxBytes: LIMITS.backupLinesBytes, links: "refuse" }));
  } catch (error) {
    if (isCanonryError(error, "CANONRY_FILE_NOT_FOUND")) return undefined;
    if (isCanonryError(error, "CANONRY_INVALID_PATH", "CANONRY_FILE_TOO_LARGE")) return "other";
    throw error;
  }
}

/** One file that the home's disk refuses is named and costs no other: undefined then. */
export function attempt<T>(merging: Merging, part: Part, work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (!isCanonryError(error, "CANONRY_DISK", "CANONRY_READ_ONLY") || STOPS.has(error.data["errno"]))
      throw error;
    refuse(merging, part, error.message);
    return undefined;
  }
}

/** The file here of which that was found goes out of the way, and somebody hears of it. */
export function makeWay(merging: Merging, part: Part, problem: string): void {
  const { layout, context } = merging.room;
  if (merging.dry) return;
  const kept = keepAside(join(layout.home, part.full), ".damaged");
  if (kept !== undefined)
    context.log.warn(
      `${part.full} ${problem}: it is kept as ${layout.relative(kept)}, and what the backup has is put there.`,
    );
}

/** Puts a file where none is; false where somebody else has put one there meanwhile. */
export function putNew(merging: Merging, part: Part): boolean {
  const { home } = merging.room.layout;
  if (!merging.dry) {
    const { temps } = merging.room.layout;
    const mode = part.file.executable ? 0o755 : undefined;
    if (isSynced(merging, part)) {
      if (!putSynced(merging, part)) return false;
    } else {
      makeFolderInside(home, dirname(part.full));
      if (!createExclusive(join(home, part.full), part.read(), { temps, mode })) return false;
    }
  }
  countPut(merging, part);
  return true;
}

export function isSynced({ batch }: Merging, { file }: Part): boolean {
  return batch.synced.has(file.staged);
}

/** The folders on the way are synced later, all of them: who made one a moment ago may not have come to it. */
function putSynced(merging: Merging, part: Part): boolean {
  const { home } = merging.room.layout;
  makeFolders(home, dirname(part.full));
  const isPut = linkExclusive(part.file.staged, join(home, part.full), { sync: false });
  for (let at = dirname(part.full); isPut; at = dirname(at)) {
    merging.batch.unsynced.add(at);
    if (at === ".") break;
  }
  return isPut;
}

/** As `makeFolderInside`, and nothing is synced. */
export function makeFolders(root: string, path: string): void {
  if (path === ".") return;
  assertNoLinks(root, path);
  try {
    mkdirSync(join(root, path), { recursive: true });
  } catch (error) {
    throw diskError("make the folder", join(root, path), error);
  }
  assertNoLinks(root, path);
}

/** Brings what was put so far to the disk: before anything is put that names it, and at the end. */
export function syncFolders(merging: Merging): void {
  for (const folder of merging.batch.unsynced) syncFolder(join(merging.room.layout.home, folder));
  merging.batch.unsynced.clear();
}

export function countPut(merging: Merging, part: Part): void {
  merging.tally.files++;
  merging.tally.bytes += part.file.bytes;
  if (part.kind !== "object" && part.kind !== "version") merging.tally.restored.push(part.full);
}

/** For files that are neither skills nor lines: absent ones are put, what stands there stays. */
export function mergeWhole(merging: Merging, part: Part): void {
  const here = hereOf(merging, part.full);
  if (here === part.file.sha256) merging.tally.present++;
  else if (here !== undefined || !putNew(merging, part)) keep(merging, part, "differs");
}

export function keep(
  merging: Merging,
  part: Part,
  reason: KeptHere["reason"],
  stands = part.full,
  text: string | null = null,
): void {
  merging.tally.kept.push({ path: part.full, reason, stands, text });
}

export function refuse(merging: Merging, part: Part, message: string): void {
  merging.tally.refused.push({ path: part.full, message });
}
