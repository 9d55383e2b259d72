import { join } from "node:path";
import { exists } from "../../core/atomic.ts";
import { isCanonryError } from "../../core/errors.ts";
import { isSkillName } from "../../core/names.ts";
import { bid } from "../bid.ts";
import { spaceFolder } from "../layout.ts";
import { putObject } from "../objects.ts";
import { listVersions } from "../versions.ts";
import type { KeptHere } from "./kept-here.ts";
import { SKILL_FOLDERS } from "./kinds.ts";
import { versionOf } from "./merge-versions.ts";
import { attempt, countPut, hereOf, keep, type Merging, type Part, putNew, refuse } from "./merging.ts";

/** One skill of one space, as the archive has it. */
export interface SkillParts {
  readonly mains: readonly Part[];
  readonly beside: readonly Part[];
  /** The records of its versions in the archive. */
  readonly versions: readonly Part[];
}

/**
 * A skill and its files. What stands nowhere in the home is put back, by a claim; what stands there stays, be it
 * changed, quarantined or archived since, and the backup's text is kept in `versions/objects`. Files come after their
 * skill, and only beside the very text that they belong to.
 */
export function mergeSkill(merging: Merging, skill: SkillParts): void {
  const stays = new Set<string>();
  const failed = new Set<string>();
  for (const main of skill.mains) {
    const isThere = attempt(merging, main, () => mergeMain(merging, skill, main));
    const set = isThere === undefined ? failed : stays;
    if (isThere !== true) set.add(main.path.replace(/\.md$/, ""));
  }
  for (const part of skill.beside)
    attempt(merging, part, () => {
      const alone = folderOf(failed, part) !== undefined && hereOf(merging, part.full) !== part.file.sha256;
      if (alone) refuse(merging, part, "its skill could not be restored");
      else mergeBeside(merging, part, folderOf(stays, part));
    });
}

/** `folder`: of its skill, where that stays as the home has it. */
function mergeBeside(merging: Merging, part: Part, folder: string | undefined): void {
  const here = hereOf(merging, part.full);
  if (here === part.file.sha256) merging.tally.present++;
  else if (here !== undefined || folder !== undefined || !putNew(merging, part))
    keep(
      merging,
      part,
      here === undefined ? "moved" : "differs",
      standsOf(part, here, folder),
      keepText(merging, part),
    );
}

function folderOf(folders: ReadonlySet<string>, part: Part): string | undefined {
  return [...folders].find((one) => part.path.startsWith(`${one}/`));
}

function standsOf(part: Part, here: string | undefined, folder: string | undefined): string {
  return here === undefined && folder !== undefined ? `${part.root}${folder}.md` : part.full;
}

/** Whether the home has the very text of the backup afterwards, at its place. */
function mergeMain(merging: Merging, skill: SkillParts, main: Part): boolean {
  const here = hereOf(merging, main.full);
  if (here === main.file.sha256) {
    merging.tally.present++;
    return true;
  }
  const elsewhere = here === undefined ? movedTo(merging, skill, main) : undefined;
  if (here === undefined && elsewhere === undefined && putMain(merging, main)) return true;
  const stands = elsewhere ?? main.full;
  const reason = elsewhere === undefined ? reasonOf(skill, main, hereOf(merging, stands)) : "moved";
  keep(merging, main, reason, stands, keepText(merging, main));
  return false;
}

/** Where the home has the skill, if at a place where the backup has it not. */
function movedTo(merging: Merging, skill: SkillParts, main: Part): string | undefined {
  const places = SKILL_FOLDERS.map(
    (folder) => `${spaceFolder(main.fingerprint ?? "")}/${folder}/${main.name}.md`,
  );
  return places
    .filter((path) => !skill.mains.some((one) => one.path === path))
    .map((path) => `${main.root}${path}`)
    .find((path) => exists(join(merging.room.layout.home, path)));
}

/** False where somebody else has put another text there meanwhile. */
function putMain(merging: Merging, main: Part): boolean {
  const { fingerprint, name = "", path: target } = main;
  if (merging.dry || fingerprint === undefined || !isSkillName(name)) return putNew(merging, main);
  try {
    const bytes = main.read();
    bid(main.tree.room, { fingerprint, name, target, base: null, bytes, keep: true, steps: () => [] });
  } catch (error) {
    if (isCanonryError(error, "CANONRY_CONFLICT")) return false;
    throw error;
  }
  countPut(merging, main);
  return true;
}

function keepText(merging: Merging, part: Part): string {
  const { room } = part.tree;
  if (!merging.dry) putObject(room, part.read());
  return `${part.root}${room.layout.relative(room.layout.object(part.file.sha256))}`;
}

/** How the backup's text stands to the one of the home, by the parents that versions name. */
function reasonOf(skill: SkillParts, main: Part, here: string | undefined): KeptHere["reason"] {
  const { fingerprint, name = "", tree } = main;
  if (here === undefined || fingerprint === undefined || !isSkillName(name)) return "differs";
  const parents = new Map<string, (string | null)[]>();
  const known = [
    ...listVersions(tree.room, fingerprint, name),
    ...skill.versions.flatMap((part) => versionOf(part.path, part.read()) ?? []),
  ];
  for (const one of known) parents.set(one.bytesHash, [...(parents.get(one.bytesHash) ?? []), one.parent]);
  if (comesFrom(parents, here, main.file.sha256)) return "older";
  return comesFrom(parents, main.file.sha256, here) ? "newer" : "differs";
}

function comesFrom(parents: ReadonlyMap<string, (string | null)[]>, text: string, ancestor: string): boolean {
  const seen = new Set<string>();
  const next = [text];
  for (let at = next.pop(); at !== undefined; at = next.pop()) {
    if (seen.has(at)) continue;
    seen.add(at);
    for (const parent of parents.get(at) ?? []) if (parent !== null) next.push(parent);
  }
  return ancestor !== text && seen.has(ancestor);
}
