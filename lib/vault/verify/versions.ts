import { join } from "node:path";
import { exists } from "../../core/atomic.ts";
import { nameBeforeAside } from "../../core/keep-aside.ts";
import { isTempName } from "../../core/temp-names.ts";
import { check } from "../../schema/check.ts";
import { type Version, VersionSchema } from "../../schema/claim.ts";
import type { Finding } from "../../schema/finding.ts";
import { readBook } from "../claims.ts";
import { fingerprintOf, VERSION_FILE } from "../layout.ts";
import { chainFindings } from "./chain.ts";
import { type Entry, entriesOf, readRegular } from "./read.ts";
import { cannotRead, foreign, leftover, note, notOurs, problem, type Scene, type Steps } from "./scene.ts";

const MANIFEST_BYTES = 4_194_304;

/** Every manifest: readable, under its own name, its text and files kept; then each skill's chain and its file. */
export function* checkVersions(scene: Scene): Steps {
  for (const space of yield* entriesOf(scene.layout.versions)) {
    if (space.name === "objects") continue;
    const fingerprint = fingerprintOf(space.name);
    if (fingerprint === undefined) {
      yield foreign(space.path);
      continue;
    }
    for (const skill of yield* entriesOf(space.path)) {
      if (!skill.stats.isDirectory()) yield foreign(skill.path);
      else yield* checkSkill(scene, fingerprint, skill);
    }
  }
}

function* checkSkill(scene: Scene, fingerprint: string, skill: Entry): Steps {
  const versions: Version[] = [];
  let whole = true;
  for (const entry of yield* entriesOf(skill.path)) {
    if (isTempName(entry.name)) yield* leftover(scene, entry.path, entry.stats);
    else if (isSetAside(entry.name)) yield setAside(entry.path);
    else if (!VERSION_FILE.test(entry.name)) yield foreign(entry.path);
    else if (!entry.stats.isFile()) yield notOurs(entry.path, entry.stats, "file");
    else {
      scene.checked.versions++;
      const read = readManifest(entry.path);
      if ("version" in read) {
        versions.push(read.version);
        yield* checkManifest(scene, entry, read.version);
      } else {
        whole = false;
        yield read.finding;
      }
      yield undefined;
    }
  }
  if (versions.length > 0) yield* checkChain(scene, fingerprint, skill, versions, whole);
}

function isSetAside(name: string): boolean {
  return VERSION_FILE.test(nameBeforeAside(name, ".damaged") ?? "");
}

function setAside(path: string): Finding {
  return note(
    path,
    "STATE_SET_ASIDE",
    "A manifest that could not be read; it made way for the one of a backup.",
    "remove it when you no longer want to look into it, and check the disk",
  );
}

function readManifest(path: string): { version: Version } | { finding: Finding } {
  let text: string;
  try {
    text = (readRegular(path, MANIFEST_BYTES) ?? "").toString();
  } catch (error) {
    return { finding: cannotRead(path, error) };
  }
  try {
    return { version: check(VersionSchema, JSON.parse(text), "CANONRY_INVALID_RECORD", "a version") };
  } catch (error) {
    const why = text === "" ? "it is empty" : error instanceof Error ? error.message : String(error);
    return {
      finding: problem(
        path,
        "VERSION_DAMAGED",
        `No manifest of a version: ${why}.`,
        "put the file back from a backup or another machine; the text itself is among versions/objects",
      ),
    };
  }
}

function* checkManifest(scene: Scene, { name, path }: Entry, version: Version): Steps {
  const fitting = `${version.version}-${version.bytesHash.slice(0, 8)}.json`;
  if (name !== fitting)
    yield problem(path, "VERSION_NAME", `By its content it is ${fitting}.`, `rename it to ${fitting}`);
  const parts = [
    { what: "Its text", bytesHash: version.bytesHash },
    ...version.files.map((file) => ({ what: `Its file ${file.path}`, bytesHash: file.bytesHash })),
  ];
  for (const { what, bytesHash } of parts) {
    const object = scene.layout.object(bytesHash);
    if (scene.damaged.has(bytesHash))
      yield problem(
        path,
        "VERSION_OBJECT_DAMAGED",
        `${what} is damaged: ${object}.`,
        "put that object back from a backup or another machine",
      );
    else if (!exists(object))
      yield problem(
        path,
        "VERSION_OBJECT_MISSING",
        `${what} is not kept: there is no ${object}.`,
        "put that object back from a backup or another machine",
      );
  }
}

/** What is odd is looked at a second time: a change may have been on its way while the folder was listed. */
function* checkChain(
  scene: Scene,
  fingerprint: string,
  skill: Entry,
  versions: readonly Version[],
  whole: boolean,
): Steps {
  const { layout } = scene;
  const at = { layout, fingerprint, name: skill.name, whole };
  if (chainFindings({ ...at, versions, open: false }).length === 0) return;
  const again = (yield* entriesOf(skill.path)).flatMap((entry) => {
    const read = VERSION_FILE.test(entry.name) ? readManifest(join(skill.path, entry.name)) : undefined;
    return read !== undefined && "version" in read ? [read.version] : [];
  });
  yield* chainFindings({ ...at, versions: again, open: isOpen(scene, fingerprint, skill.name) });
}

function isOpen({ layout }: Scene, fingerprint: string, name: string): boolean {
  return readBook(layout, fingerprint, name).open.length > 0;
}
