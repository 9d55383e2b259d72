import { mkdirSync, renameSync } from "node:fs";
import { dirname, join } from "node:path";
import { exists, linkExclusive, listNames, syncFolder } from "../../core/atomic.ts";
import { diskError, errnoOf } from "../../core/errors.ts";
import { hold } from "../hold.ts";
import { spaceFolder } from "../layout.ts";
import { makeFolderInside } from "../paths.ts";
import { countPut, type Merging, makeFolders, type Part } from "./merging.ts";

/** The space was made by somebody meanwhile, or stands on another disk: then it is merged like any other. */
const NOT_AS_A_WHOLE: ReadonlySet<unknown> = new Set(["ENOTEMPTY", "EEXIST", "ENOTDIR", "EXDEV", "EPERM"]);

/** Whether nothing of a space was ever here: no folder, and no claim of anything in it. `parts` are of one space. */
export function isFreshSpace(merging: Merging, parts: readonly Part[]): boolean {
  const [part] = parts;
  if (part?.fingerprint === undefined || exists(join(merging.room.layout.home, spaceOf(part)))) return false;
  return listNames(part.tree.room.layout.commit(part.fingerprint)).length === 0;
}

/**
 * Puts a whole space that is not here with one rename, which fails where somebody has begun the same space: a claim
 * needs the folder before its last look at what stands there, so no claim is won beside it. All files are on the disk
 * already. False where nothing was put; `folder` is one for it alone, beside the staged files.
 */
export function putSpace(merging: Merging, parts: readonly Part[], folder: string): boolean {
  const [first] = parts;
  if (first === undefined) return true;
  const { home } = merging.room.layout;
  const space = spaceOf(first);
  if (!merging.dry) {
    if (!fillSpace(parts, space, folder)) return false;
    if (first.root !== "") makeFolderInside(home, first.root.replace(/\/$/, ""));
    if (!moveSpace(folder, join(home, space))) return false;
    syncFolder(dirname(join(home, space)));
  }
  for (const part of parts) countPut(merging, part);
  return true;
}

/** False where two paths of the archive are one name on this disk. */
function fillSpace(parts: readonly Part[], space: string, folder: string): boolean {
  const folders = new Set<string>();
  mkdirSync(folder);
  for (const part of parts) {
    const path = part.full.slice(space.length + 1);
    makeFolders(folder, dirname(path));
    if (!linkExclusive(part.file.staged, join(folder, path), { sync: false })) return false;
    for (let at = dirname(path); !folders.has(at); at = dirname(at)) folders.add(at);
  }
  for (const at of folders) syncFolder(join(folder, at));
  return true;
}

function moveSpace(from: string, target: string): boolean {
  return hold([from, target], (one, other) => {
    try {
      renameSync(one, other);
      return true;
    } catch (error) {
      if (NOT_AS_A_WHOLE.has(errnoOf(error))) return false;
      throw diskError("make", target, error);
    }
  });
}

function spaceOf(part: Part): string {
  return `${part.root}${spaceFolder(part.fingerprint ?? "")}`;
}
