import { randomBytes } from "node:crypto";
import { renameSync, unlinkSync } from "node:fs";
import { exists, linkExclusive, publish, quietly } from "./atomic.ts";
import { diskError, errnoOf } from "./errors.ts";
import { lookAt } from "./look.ts";

/** Damaged or foreign; an index whose counters were taken over; a kept object or a manifest that is damaged. */
export type AsideSuffix = ".bak" | ".seed" | ".damaged";

const ASIDE = /^(.+)\.(bak|seed|damaged)(?:-(?:\d+|[0-9a-f]{12}))?$/;

/** What a file that bears `suffix` since it was kept aside was called before; undefined for any other name. */
export function nameBeforeAside(name: string, suffix: AsideSuffix): string | undefined {
  const [, before, ending] = ASIDE.exec(name) ?? [];
  return `.${ending}` === suffix ? before : undefined;
}

/**
 * Renames a file or folder out of the way to `<path>.bak`, `.bak-2` …, never over one that is there; its new path,
 * or undefined where there was nothing (any more). The first rename has a name of its own, so that of two processes
 * that do this at once neither takes the other's.
 */
export function keepAside(path: string, suffix: AsideSuffix = ".bak"): string | undefined {
  const first = `${path}${suffix}-${randomBytes(6).toString("hex")}`;
  try {
    renameSync(path, first);
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return undefined;
    throw diskError("set aside", path, error);
  }
  const isFile = lookAt(first)?.isFile() === true;
  for (let n = 1; ; n++) {
    const kept = n === 1 ? `${path}${suffix}` : `${path}${suffix}-${n}`;
    if (exists(kept)) continue;
    if (!isFile) return publish(first, kept) ? kept : undefined;
    if (!linkExclusive(first, kept)) continue;
    quietly(() => unlinkSync(first));
    return kept;
  }
}
