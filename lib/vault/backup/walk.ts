import { chmodSync } from "node:fs";
import { join } from "node:path";
import { exists } from "../../core/atomic.ts";
import type { Progress } from "../../core/context.ts";
import { isCanonryError } from "../../core/errors.ts";
import { createPacer } from "../../core/pacer.ts";
import { type Merging, type Part, syncFolders } from "./merging.ts";
import { syncFiles } from "./syncing.ts";

/** The steps of a restore, in which the texts of one are on the disk before the next begins. */
export interface Walk {
  each(parts: readonly Part[], work: (part: Part) => void): Promise<void>;
  groups(groups: Iterable<readonly Part[]>, work: (some: readonly Part[]) => void): Promise<void>;
}

interface WalkOptions {
  readonly progress?: Progress | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** `total`: of the parts of all steps. */
export function createWalk(merging: Merging, total: number, options: WalkOptions): Walk {
  const { progress, signal } = options;
  const pacer = createPacer(signal, 16);
  let done = 0;
  const groups: Walk["groups"] = async (some, work) => {
    const listed = [...some];
    await bringToDisk(merging, listed.flat(), options);
    for (const one of listed) {
      work(one);
      done += one.length;
      progress?.("restore", done, total);
      await pacer.step();
    }
    syncFolders(merging);
  };
  const each: Walk["each"] = (parts, work) =>
    groups(
      parts.map((part) => [part]),
      (some) => some.forEach(work),
    );
  return { each, groups };
}

/** Syncs what will be put by a link, all together: one after the other is what took longest. */
async function bringToDisk(merging: Merging, parts: readonly Part[], options: WalkOptions): Promise<void> {
  const { batch, dry } = merging;
  if (dry) return;
  const files = parts.filter((part) => isAbsent(merging, part)).map((part) => part.file);
  for (const { staged, executable } of files) if (executable) chmodSync(staged, 0o755);
  const paths = files.map((file) => file.staged);
  await syncFiles(paths, options.signal, (count) => options.progress?.("sync", count, paths.length));
  for (const path of paths) batch.synced.add(path);
}

/** What cannot be looked at is no file to be put by a link: who comes to it will say so. */
function isAbsent(merging: Merging, part: Part): boolean {
  try {
    return !exists(join(merging.room.layout.home, part.full));
  } catch (error) {
    if (isCanonryError(error)) return false;
    throw error;
  }
}
