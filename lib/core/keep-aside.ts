import { randomBytes } from "node:crypto";
import { renameSync, unlinkSync } from "node:fs";
import { exists, linkExclusive, publish, quietly } from "./atomic.ts";
import { diskError, errnoOf } from "./errors.ts";
import { lookAt } from "./look.ts";

/**
 * Renames a file or folder out of the way to `<path>.bak`, `.bak-2` …, never over one that is there; its new path,
 * or undefined where there was nothing (any more). The first rename has a name of its own, so that of two processes
 * that do this at once neither takes the other's.
 */
export function keepAside(path: string, suffix = ".bak"): string | undefined {
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
