import { join } from "node:path";
import { isCanonryError } from "../../core/errors.ts";
import { type Book, claimedSpaces, readBooks } from "../claims.ts";
import { createLayout, fingerprintOf } from "../layout.ts";
import { problemOfPath } from "../path-rules.ts";
import type { Room } from "../room.ts";
import { finishOpen } from "../settle.ts";
import { listHere, orNamed, type Reading, standing } from "./reading.ts";

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

/** The home's own tree, then its tenants' by name; what is no tenant is noted. */
export function treesOf(room: Room, reading: Reading): Tree[] {
  const trees = [treeAt(room, "")];
  for (const name of listHere(reading, "tenants")) {
    const path = `tenants/${name}`;
    const problem = problemOfPath(name);
    if (problem !== undefined) reading.leftOut.set(path, problem);
    else if (standing(reading, path)?.isDirectory() === true) trees.push(treeAt(room, `${path}/`));
    else if (!reading.leftOut.has(path)) reading.leftOut.set(path, "is no folder, and should be one");
  }
  return trees;
}

/** The folders of a tree that are spaces, with their fingerprints. */
export function spacesOf(tree: Tree, reading: Reading): { folder: string; fingerprint: string }[] {
  return listHere(reading, tree.root.replace(/\/$/, "")).flatMap((folder) => {
    const fingerprint = fingerprintOf(folder);
    return fingerprint === undefined ? [] : [{ folder, fingerprint }];
  });
}

/**
 * Finishes what was won and not brought to an end, so that what is read next is what was acknowledged. Those that
 * cannot be carried out are warned about, and given: they are no reason to wait.
 */
export function finishClaims(
  tree: Tree,
  fingerprint: string,
  reading: Reading,
  names?: readonly string[],
): Set<string> {
  const stuck = new Set<string>();
  for (const [name, book] of booksHere(tree, fingerprint, reading))
    if (names === undefined || names.includes(name))
      for (const seq of book.open) if (!isFinished(tree, fingerprint, name, seq)) stuck.add(`${name}.${seq}`);
  return stuck;
}

export function finishTree(tree: Tree, reading: Reading): void {
  const { layout } = tree.room;
  const path = `${tree.root}${layout.relative(layout.commits)}`;
  for (const fingerprint of orNamed(reading, path, [], () => claimedSpaces(layout)))
    finishClaims(tree, fingerprint, reading);
}

/** The claims of a space; those that cannot be read are noted, since their changes may be missing. */
export function booksHere(tree: Tree, fingerprint: string, reading: Reading): Map<string, Book> {
  const { layout } = tree.room;
  const path = `${tree.root}${layout.relative(layout.commit(fingerprint))}`;
  return orNamed(reading, path, new Map(), () => readBooks(layout, fingerprint));
}

function isFinished(tree: Tree, fingerprint: string, name: string, seq: number): boolean {
  try {
    return finishOpen(tree.room, fingerprint, name, seq) !== undefined;
  } catch (error) {
    if (!isCanonryError(error)) throw error;
    return false;
  }
}
