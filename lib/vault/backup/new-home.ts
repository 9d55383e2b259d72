import { mkdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { listNames, quietly, syncFolder } from "../../core/atomic.ts";
import { diskError, errnoOf } from "../../core/errors.ts";
import { LIMITS } from "../../core/limits.ts";
import { lookAt } from "../../core/look.ts";
import { makeFolder } from "../../core/make-folder.ts";
import { isTempName, tempName } from "../../core/temp-names.ts";

const IS_THERE: ReadonlySet<unknown> = new Set(["ENOTEMPTY", "EEXIST", "ENOTDIR"]);

/**
 * Makes a home where nothing stands: `fill` makes it in a folder beside, and one rename puts it in its place, so that a
 * process that is killed leaves no half of one. Undefined where somebody else has made the home meanwhile; what `fill`
 * throws is passed on, and nothing is left.
 */
export async function makeHome<T>(
  home: string,
  now: number,
  fill: (home: string) => Promise<T>,
): Promise<{ readonly made: T } | undefined> {
  const beside = nearestFolder(dirname(home));
  const stem = basename(home).slice(0, 48);
  sweepBeside(beside, stem, now);
  const temp = join(beside, tempName(stem));
  try {
    attempt("make", home, () => mkdirSync(temp));
    const made = await fill(temp);
    makeFolder(dirname(home));
    return isPlaced(temp, home) ? { made } : undefined;
  } finally {
    quietly(() => rmSync(temp, { recursive: true, force: true }));
  }
}

/** The folder that is there already and comes next above a path. */
function nearestFolder(path: string): string {
  for (let at = path; ; at = dirname(at)) {
    const isFolder = attempt("look at", at, () => statSync(at, { throwIfNoEntry: false }))?.isDirectory();
    if (isFolder === true || at === dirname(at)) return at;
  }
}

/** What a restore to the same place left there that was killed. */
function sweepBeside(folder: string, stem: string, now: number): void {
  for (const name of listNames(folder, `.${stem}.tmp-`)) {
    const stats = isTempName(name) ? lookAt(join(folder, name)) : undefined;
    const isOld = stats?.isDirectory() === true && now - stats.mtimeMs >= LIMITS.stagedMs;
    if (isOld) quietly(() => rmSync(join(folder, name), { recursive: true, force: true }));
  }
}

function isPlaced(temp: string, home: string): boolean {
  try {
    renameSync(temp, home);
  } catch (error) {
    if (IS_THERE.has(errnoOf(error))) return false;
    throw diskError("make", home, error);
  }
  syncFolder(dirname(home));
  return true;
}

function attempt<T>(action: string, path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw diskError(action, path, error);
  }
}
