import { join } from "node:path";
import { listNames } from "../../core/atomic.ts";
import { isCanonryError } from "../../core/errors.ts";
import { lookAt } from "../../core/look.ts";
import { claimedSpaces, readBooks } from "../claims.ts";
import { createLayout, fingerprintOf } from "../layout.ts";
import { problemOfPath } from "../path-rules.ts";
import type { Room } from "../room.ts";
import { finishOpen } from "../settle.ts";

/** One tree of a home: its own, or a tenant's (design 2: "the same tree again"). */
export interface Tree {
  /** "" or `tenants/<t>/`: what stands before a path of this tree in a path of the home. */
  readonly root: string;
  readonly room: Room;
}

/** The tree at a root, whether or not anything of it is on disk yet. */
export function treeAt(room: Room, root: string): Tree {
  if (root === "") return { root, room };
  return { root, room: { ...room, layout: createLayout(join(room.layout.home, root)) } };
}

/** The home's own tree, then its tenants' by name. */
export function treesOf(room: Room): Tree[] {
  const { tenants } = room.layout;
  const names = listNames(tenants).filter(
    (name) => problemOfPath(name) === undefined && lookAt(join(tenants, name))?.isDirectory() === true,
  );
  return [treeAt(room, ""), ...names.map((name) => treeAt(room, `tenants/${name}/`))];
}

/** The folders of a tree that are spaces, with their fingerprints. */
export function spacesOf(tree: Tree): { folder: string; fingerprint: string }[] {
  return listNames(tree.room.layout.home).flatMap((folder) => {
    const fingerprint = fingerprintOf(folder);
    return fingerprint === undefined ? [] : [{ folder, fingerprint }];
  });
}

/**
 * Finishes what was won and not brought to an end, so that what is read next is what was acknowledged. Those that
 * cannot be carried out are warned about, and given: they are no reason to wait.
 */
export function finishClaims(tree: Tree, fingerprint: string, names?: readonly string[]): Set<string> {
  const stuck = new Set<string>();
  for (const [name, book] of readBooks(tree.room.layout, fingerprint))
    if (names === undefined || names.includes(name))
      for (const seq of book.open) if (!isFinished(tree, fingerprint, name, seq)) stuck.add(`${name}.${seq}`);
  return stuck;
}

export function finishTree(tree: Tree): void {
  for (const fingerprint of claimedSpaces(tree.room.layout)) finishClaims(tree, fingerprint);
}

function isFinished(tree: Tree, fingerprint: string, name: string, seq: number): boolean {
  try {
    return finishOpen(tree.room, fingerprint, name, seq) !== undefined;
  } catch (error) {
    if (!isCanonryError(error)) throw error;
    return false;
  }
}
