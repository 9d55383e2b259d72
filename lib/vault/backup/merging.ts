import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createExclusive } from "../../core/atomic.ts";
import { isCanonryError } from "../../core/errors.ts";
import { sha256 } from "../../core/hash.ts";
import { LIMITS } from "../../core/limits.ts";
import { lookAt } from "../../core/look.ts";
import { makeFolderInside, readInside } from "../paths.ts";
import type { Room } from "../room.ts";
import { type Classed, classify } from "./kinds.ts";
import type { StagedFile } from "./stage.ts";
import { type Tree, treeAt } from "./trees.ts";

/** A file of the backup that was not put in place, because the home has something else there. */
export interface KeptHere {
  readonly path: string;
  /**
   * Of the backup's text, seen from the home: `older` than what stands there, `newer` than it, `differs`; `moved`: the
   * skill stands elsewhere by now.
   */
  readonly reason: "differs" | "older" | "newer" | "moved";
  /** Where what the home has stands. */
  readonly stands: string;
  /** Where the backup's text is kept, below the home; null for what is no skill: the archive alone has it. */
  readonly text: string | null;
}

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
}

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

/** Puts a file where none is; false where somebody else has put one there meanwhile. */
export function putNew(merging: Merging, part: Part): boolean {
  const { home } = merging.room.layout;
  if (!merging.dry) {
    makeFolderInside(home, dirname(part.full));
    const { temps } = merging.room.layout;
    const mode = part.file.executable ? 0o755 : undefined;
    if (!createExclusive(join(home, part.full), part.read(), { temps, mode })) return false;
  }
  countPut(merging, part);
  return true;
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
