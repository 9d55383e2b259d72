import { unlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { listNames, quietly } from "../../core/atomic.ts";
import { LIMITS } from "../../core/limits.ts";
import { lookAt } from "../../core/look.ts";
import { isTempName, isTempOf } from "../../core/temp-names.ts";

/** Temporary files of a flush: of the image at `path`, beside it. */
export function imageTemps(path: string): string[] {
  return tempsOf(dirname(path), (name) => isTempOf(basename(path), name));
}

/** Temporary files of the claims whose names begin with `prefix`. */
export function claimTemps(folder: string, prefix: string): string[] {
  return tempsOf(folder, (name) => name.startsWith(`.${prefix}`) && isTempName(name));
}

function tempsOf(folder: string, isWanted: (name: string) => boolean): string[] {
  return listNames(folder)
    .filter(isWanted)
    .map((name) => join(folder, name));
}

/**
 * Removes temporary files that are a minute old, but for `spared`. Their writer may be asleep rather than dead: it
 * finds its file gone, writes nothing, and says so.
 */
export function sweepLeftovers(temps: readonly string[], nowMs: number, spared = ""): void {
  for (const temp of temps) {
    if (basename(temp) === spared) continue;
    quietly(() => {
      const stats = lookAt(temp);
      if (stats !== undefined && nowMs - stats.mtimeMs >= LIMITS.indexTempMs) unlinkSync(temp);
    });
  }
}
