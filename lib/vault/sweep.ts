import { unlinkSync } from "node:fs";
import { join } from "node:path";
import { listNames, quietly, replaceFile, sweepTemps } from "../core/atomic.ts";
import { LIMITS } from "../core/limits.ts";
import { lookAt } from "../core/look.ts";
import { readBooks } from "./claims.ts";
import { fingerprintOf, LOCAL_SPACE } from "./layout.ts";
import { adoptObject } from "./objects.ts";
import type { Room } from "./room.ts";

const SPACE_FOLDERS = ["canon", "quarantine", "archive", "candidates"];

/** Once a day: leftover temporary files of a day ago go (design 5, step 4), and what was set aside is filed. */
export function sweepVault(room: Room): void {
  const { layout, context } = room;
  const now = context.clock();
  const last = lookAt(layout.swept);
  if (last !== undefined && Math.abs(now - last.mtimeMs) < LIMITS.orphanMs) return;
  for (const folder of foldersToSweep(room)) sweepTemps(folder, now, LIMITS.orphanMs);
  fileForgotten(room, now);
  replaceFile(layout.swept, Buffer.alloc(0));
}

/** Where a claim is still open, its temp is somebody's text: that space waits. */
function foldersToSweep(room: Room): string[] {
  const { layout } = room;
  const objects = listNames(layout.objects).map((name) => join(layout.objects, name));
  const folders = [layout.home, layout.local, join(layout.local, "index"), layout.ledger, ...objects];
  for (const name of [...listNames(layout.home), LOCAL_SPACE]) {
    const fingerprint = name === LOCAL_SPACE ? LOCAL_SPACE : fingerprintOf(name);
    if (fingerprint === undefined) continue;
    if ([...readBooks(layout, fingerprint).values()].some((book) => book.open.length > 0)) continue;
    folders.push(
      layout.commit(fingerprint),
      ...SPACE_FOLDERS.map((folder) => join(layout.home, name, folder)),
    );
  }
  return folders;
}

/** Inodes that a killed process took out of the way: the last name of a text is filed, a second name is dropped. */
function fileForgotten(room: Room, now: number): void {
  for (const name of listNames(room.layout.kept)) {
    const path = join(room.layout.kept, name);
    const stats = lookAt(path);
    if (stats === undefined || now - Math.max(stats.mtimeMs, stats.ctimeMs) < LIMITS.orphanMs) continue;
    if (stats.nlink > 1) quietly(() => unlinkSync(path));
    else quietly(() => void adoptObject(room, path));
  }
}
