import { posix } from "node:path";
import { sha256 } from "../../core/hash.ts";
import type { Room } from "../room.ts";
import { QUEUE_FOLDERS, SKILL_FOLDERS } from "./kinds.ts";
import { isVersionPath, versionOf } from "./merge-versions.ts";
import { type Found, listFiles, listHere, type Reading, readFound } from "./reading.ts";
import { collectSkills } from "./skills.ts";
import { finishTree, spacesOf, type Tree, treesOf } from "./trees.ts";

/** In the root of a tree, each read in its turn. */
const IN_TURN: ReadonlySet<string> = new Set(["versions", "ledger", "gate", "tenants"]);

/**
 * Every file of a home that a backup holds, while others write. The order keeps together what belongs together: a
 * consumed candidate is never there without the skill that came of it, a skill never without its versions, a version
 * never without its texts; the ledger comes last and so knows of every change.
 */
export function* collectHome(room: Room, reading: Reading, writable: boolean): Generator<Found> {
  for (const tree of treesOf(room, reading)) yield* collectTree(tree, reading, writable);
}

function* collectTree(tree: Tree, reading: Reading, writable: boolean): Generator<Found> {
  const { root } = tree;
  if (writable) finishTree(tree, reading);
  const spaces = spacesOf(tree, reading);
  for (const { folder } of spaces) yield* collectAround(reading, `${root}${folder}`);
  for (const space of spaces) yield* collectSkills(tree, space, reading, writable);
  const ownTurn = new Set([...IN_TURN, ...spaces.map((space) => space.folder)]);
  yield* read(
    reading,
    listFiles(reading, root.replace(/\/$/, ""), (name) => !ownTurn.has(name)),
  );
  yield* collectVersions(reading, root);
  for (const folder of ["gate", "ledger"]) yield* read(reading, listFiles(reading, `${root}${folder}`));
}

function* read(reading: Reading, paths: readonly string[]): Generator<Found> {
  for (const path of paths) {
    const found = readFound(reading, path);
    if (found !== undefined) yield found;
  }
}

/** What stands in a space beside its skills. Waiting notes before consumed ones: one that moves is not missed, nor twice. */
function* collectAround(reading: Reading, space: string): Generator<Found> {
  const waiting = new Map<string, string>();
  for (const folder of QUEUE_FOLDERS)
    for (const found of read(reading, listFiles(reading, `${space}/${folder}`))) {
      const file = posix.basename(found.path);
      const hash = sha256(found.bytes);
      if (folder === "candidates") waiting.set(file, hash);
      else if (waiting.get(file) === hash) continue;
      yield found;
    }
  const isOther = (name: string) => !QUEUE_FOLDERS.includes(name) && !SKILL_FOLDERS.includes(name);
  yield* read(reading, listFiles(reading, space, isOther));
}

/** Records of versions, then the texts they name: a record that says nothing, or names no text, is itself named. */
function* collectVersions(reading: Reading, root: string): Generator<Found> {
  const texts = new Map<string, string>();
  const states = new Set<string>();
  const parents: [string, string][] = [];
  const records = listFiles(reading, `${root}versions`, (name) => name !== "objects");
  for (const found of read(reading, records)) {
    const path = found.path.slice(root.length);
    const version = versionOf(path, found.bytes);
    if (version === undefined && isVersionPath(path))
      reading.leftOut.set(found.path, "is damaged: it is no record of the version in its name");
    else yield found;
    if (version === undefined) continue;
    states.add(`${posix.dirname(found.path)}/${version.bytesHash}`);
    if (version.parent !== null) parents.push([found.path, version.parent]);
    for (const { bytesHash } of [version, ...version.files])
      texts.set(`${root}versions/objects/${bytesHash.slice(0, 2)}/${bytesHash}`, found.path);
  }
  for (const [record, parent] of parents)
    if (!states.has(`${posix.dirname(record)}/${parent}`)) nameMissing(reading, record, parent);
  for (const found of collectObjects(reading, listFiles(reading, `${root}versions/objects`))) {
    texts.delete(found.path);
    yield found;
  }
  for (const [object, record] of texts)
    if (!reading.leftOut.has(object)) reading.leftOut.set(object, `is missing, and ${record} names it`);
}

/** Unless it stands there: damaged, which is named already, or made while the folder was read. */
function nameMissing(reading: Reading, record: string, parent: string): void {
  const folder = posix.dirname(record);
  const end = `-${parent.slice(0, 8)}.json`;
  if (!listHere(reading, folder).some((name) => name.endsWith(end)))
    reading.leftOut.set(`${folder}/*${end}`, `is missing, and ${record} was made from it`);
}

/** A damaged object would be taken for another text: it is named instead, and the rest is whole. */
function* collectObjects(reading: Reading, paths: readonly string[]): Generator<Found> {
  for (const found of read(reading, paths)) {
    const name = posix.basename(found.path);
    if (/^[0-9a-f]{64}$/.test(name) && sha256(found.bytes) !== name)
      reading.leftOut.set(found.path, "is damaged: its bytes are not those of its name");
    else yield found;
  }
}
