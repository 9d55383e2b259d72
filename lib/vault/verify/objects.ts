import { join } from "node:path";
import { nameBeforeAside } from "../../core/keep-aside.ts";
import { isTempName } from "../../core/temp-names.ts";
import { type Entry, entriesOf, hashRegular } from "./read.ts";
import { cannotRead, foreign, leftover, note, notOurs, problem, type Scene, type Steps } from "./scene.ts";

const HASH = /^[0-9a-f]{64}$/;

/** Every kept object: whether its bytes are those that its name is the hash of, and whether it stands where it is looked for. */
export function* checkObjects(scene: Scene): Steps {
  for (const folder of yield* entriesOf(scene.layout.objects)) {
    if (!folder.stats.isDirectory()) {
      yield isTempName(folder.name) || !/^[0-9a-f]{2}$/.test(folder.name)
        ? foreign(folder.path)
        : notOurs(folder.path, folder.stats, "folder");
    } else if (!/^[0-9a-f]{2}$/.test(folder.name)) yield foreign(folder.path);
    else yield* checkFolder(scene, folder);
  }
}

function* checkFolder(scene: Scene, folder: Entry): Steps {
  for (const entry of yield* entriesOf(folder.path)) {
    const { name, path, stats } = entry;
    if (isTempName(name)) yield* leftover(scene, path, stats);
    else if (isSetAside(name)) yield setAside(path, join(folder.path, name.slice(0, 64)));
    else if (!HASH.test(name)) yield foreign(path);
    else if (!stats.isFile()) yield notOurs(path, stats, "file");
    else yield* checkObject(scene, entry, folder.name);
  }
}

function* checkObject(scene: Scene, { name, path, stats }: Entry, folder: string): Steps {
  scene.checked.objects++;
  if (!name.startsWith(folder))
    yield problem(
      path,
      "OBJECT_MISPLACED",
      `It is looked for in ${name.slice(0, 2)}/ and not found here.`,
      `move it to ${scene.layout.object(name)}`,
    );
  try {
    const hash = hashRegular(path);
    if (hash !== undefined && hash !== name) {
      scene.damaged.add(name);
      yield problem(
        path,
        "OBJECT_DAMAGED",
        `Its ${stats.size} bytes have the hash ${hash}: they are not what was kept.`,
        "put the file back from a backup or another machine; the same text, kept again, replaces it too",
      );
    }
    yield undefined;
  } catch (error) {
    scene.damaged.add(name);
    yield cannotRead(path, error);
  }
}

/** Found by `doctor` too: it lists names and reads nothing. */
export function* namesSetAside(scene: Scene): Steps {
  for (const folder of yield* entriesOf(scene.layout.objects)) {
    if (!folder.stats.isDirectory()) continue;
    for (const { name, path } of yield* entriesOf(folder.path))
      if (isSetAside(name)) yield setAside(path, join(folder.path, name.slice(0, 64)));
  }
}

function isSetAside(name: string): boolean {
  return HASH.test(nameBeforeAside(name, ".damaged") ?? "");
}

function setAside(path: string, anew: string) {
  return note(
    path,
    "OBJECT_SET_ASIDE",
    `A damaged object; the text was kept anew as ${anew}.`,
    "remove it when you no longer want to look into it, and check the disk",
  );
}
