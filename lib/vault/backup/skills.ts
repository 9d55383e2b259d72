import { pauseMs } from "../../core/pause.ts";
import { isTempName } from "../../core/temp-names.ts";
import type { Book } from "../claims.ts";
import { classify, SKILL_FOLDERS } from "./kinds.ts";
import { type Found, listFiles, listHere, type Reading, readFound, standing } from "./reading.ts";
import { booksHere, finishClaims, type Tree } from "./trees.ts";

/** A skill that changes under every one of so many looks is taken as last seen, and named. */
const TRIES = 40;
const ODD_TRIES = 4;
const BATCH_SKILLS = 128;
const BATCH_BYTES = 33_554_432;

interface Space {
  readonly folder: string;
  readonly fingerprint: string;
}

interface Look {
  readonly name: string;
  readonly found: Found[];
  /** Nobody changed the skill while it was read. */
  readonly settled: boolean;
}

/**
 * The skills of a space with their files. A skill may be changed, or moved between canon, quarantine and archive,
 * while it is read: the claims' numbers of its name, before and after, tell; then it is read again. So none is missed,
 * none is there twice, and its files are of one state.
 */
export function* collectSkills(
  tree: Tree,
  space: Space,
  reading: Reading,
  writable: boolean,
): Generator<Found> {
  let names = namesOf(tree, space, reading);
  for (let attempt = 1; names.length > 0; attempt++) {
    if (attempt > 1) pauseMs(Math.min(attempt, 10));
    const again: string[] = [];
    for (const look of readSkills(tree, space, reading, writable, names)) {
      if (attempt < TRIES && needsAnother(look, attempt)) again.push(look.name);
      else {
        if (!look.settled) nameUnsettled(reading, tree, space, look.name);
        yield* look.found;
      }
    }
    names = again;
  }
}

/** What only looks odd may be so for good: a person may have put it there. */
function needsAnother({ settled, found }: Look, attempt: number): boolean {
  const odd = found.length === 0 || isInTwoPlaces(found) || isApart(found);
  return !settled || (odd && attempt < ODD_TRIES);
}

/** Files beside no skill: a move takes the skill first, then its folder. */
function isApart(found: readonly Found[]): boolean {
  const paths = new Set(found.map((one) => one.path));
  return found.some(({ path }) => {
    const { kind, name } = classify(path);
    return kind === "beside" && !paths.has(`${path.slice(0, path.indexOf(`/${name}/`))}/${name}.md`);
  });
}

/** A move links the new name before it takes the old one away. */
function isInTwoPlaces(found: readonly Found[]): boolean {
  const mains = found.filter((one) => SKILL_FOLDERS.includes(one.path.split("/").at(-2) ?? ""));
  return mains.some((one, at) => mains.slice(at + 1).some((other) => one.bytes.equals(other.bytes)));
}

function nameUnsettled(reading: Reading, tree: Tree, space: Space, name: string): void {
  reading.leftOut.set(
    `${tree.root}${space.folder}/canon/${name}.md`,
    "changed at every look: it is there as last seen, its files perhaps of another moment",
  );
}

/** Listed twice: a skill that is moved from a folder not yet listed to one that was, shows in one of the two. */
function namesOf(tree: Tree, space: Space, reading: Reading): string[] {
  const listed = [...SKILL_FOLDERS, ...SKILL_FOLDERS].flatMap((folder) =>
    listHere(reading, `${tree.root}${space.folder}/${folder}`).filter((name) => !isTempName(name)),
  );
  const claimed = booksHere(tree, space.fingerprint, reading).keys();
  return [...new Set([...listed.map((name) => name.replace(/\.md$/, "")), ...claimed])].sort();
}

/** Skills are read by the batch, since the numbers of all of them cost no more than those of one. */
function* readSkills(
  tree: Tree,
  space: Space,
  reading: Reading,
  writable: boolean,
  names: readonly string[],
): Generator<Look> {
  const books = () => booksHere(tree, space.fingerprint, reading);
  for (let at = 0; at < names.length; ) {
    const next = names.slice(at, at + BATCH_SKILLS);
    const stuck = writable ? finishClaims(tree, space.fingerprint, reading, next) : undefined;
    const before = books();
    const looks: { name: string; paths: string[]; found: Found[] }[] = [];
    for (let bytes = 0; looks.length < next.length && bytes < BATCH_BYTES; at++) {
      const name = names[at] ?? "";
      const paths = pathsOf(tree, space, reading, name);
      const found = paths.flatMap((path) => readFound(reading, path) ?? []);
      bytes += found.reduce((sum, one) => sum + one.bytes.length, 0);
      looks.push({ name, paths, found });
    }
    const after = books();
    for (const { name, paths, found } of looks) {
      // a process that slept, or a person, may move a file without taking a number
      const still = pathsOf(tree, space, reading, name).join("\n") === paths.join("\n");
      yield { name, found, settled: still && isSettled(name, before.get(name), after.get(name), stuck) };
    }
  }
}

/** `stuck`: claims that nobody can finish; undefined where the home can only be read and nobody finishes any. */
function isSettled(
  name: string,
  before: Book | undefined,
  after: Book | undefined,
  stuck: ReadonlySet<string> | undefined,
): boolean {
  if ((before?.highest ?? 0) !== (after?.highest ?? 0)) return false;
  const open = [...(before?.open ?? []), ...(after?.open ?? [])];
  return stuck === undefined || open.every((seq) => stuck.has(`${name}.${seq}`));
}

/** Every file of a skill, wherever it stands. */
function pathsOf(tree: Tree, space: Space, reading: Reading, name: string): string[] {
  return SKILL_FOLDERS.flatMap((folder) => {
    const stem = `${tree.root}${space.folder}/${folder}/${name}`;
    const isFolder = standing(reading, stem)?.isDirectory() === true;
    const paths = [`${stem}.md`, ...(isFolder ? listFiles(reading, stem) : [stem])];
    return paths.filter((path) => standing(reading, path) !== undefined);
  });
}
