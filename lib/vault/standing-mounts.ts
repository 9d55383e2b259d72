import { type BigIntStats, lstatSync } from "node:fs";
import { dirname } from "node:path";
import { LIMITS } from "../core/limits.ts";
import type { KeptMount } from "../schema/settings.ts";
import { readMounts } from "./mounts.ts";
import type { Room } from "./room.ts";

/**
 * Reads the mounted folders as `readMounts` does, and the file only where it is another than the last time: every
 * question begins with them. A file that was young when it was read is read again, since an edit within a clock tick
 * can leave its times equal.
 */
export function createMountsReader(room: Room, writable: boolean): () => readonly KeptMount[] {
  let kept: { stamp: string; mounts: readonly KeptMount[] } | undefined;
  return () => {
    const before = stampOf(room);
    if (before !== undefined && before === kept?.stamp) return kept.mounts;
    const mounts = readMounts(room, writable);
    // What was set aside, or replaced meanwhile, has another stamp now.
    kept = before === undefined || before !== stampOf(room) ? undefined : { stamp: before, mounts };
    return mounts;
  };
}

/** Undefined where there is no such file, and where what it says of itself cannot be relied on yet. */
function stampOf(room: Room): string | undefined {
  const path = room.layout.mounts;
  const [folder, file] = [look(dirname(path)), look(path)];
  if (folder?.isDirectory() !== true || file?.isFile() !== true) return undefined;
  const { dev, ino, size, mtimeMs, ctimeMs, mtimeNs, ctimeNs } = file;
  const ageMs = room.context.clock() - Math.max(Number(mtimeMs), Number(ctimeMs));
  if (ageMs < LIMITS.youngFileMs) return undefined;
  return `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`;
}

function look(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
