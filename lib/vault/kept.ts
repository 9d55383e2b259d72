import { unlinkSync } from "node:fs";
import { join } from "node:path";
import { exists, linkExclusive, listNames, quietly } from "../core/atomic.ts";
import { sha256 } from "../core/hash.ts";
import { LIMITS } from "../core/limits.ts";
import { isSameFile, lookAt } from "../core/look.ts";
import type { Claim } from "../schema/claim.ts";
import { claimedSpaces, readBooks, readClaim } from "./claims.ts";
import { settleNoted } from "./folder-move.ts";
import { type KeptKind, readKeptName } from "./kept-names.ts";
import type { Layout } from "./layout.ts";
import { adoptObject, putObject, readWhole } from "./objects.ts";
import type { Room } from "./room.ts";

/**
 * Files what was taken out of the way under its hash; the hash of a text that is neither base nor next. That one may
 * still be being written, by an editor that holds the file open: a copy is filed, the file itself a minute later.
 */
export function fileKept(room: Room, claim: Claim): string | undefined {
  let edit: string | undefined;
  const targets = claim.steps.flatMap((step) =>
    step.do === "replace" ? [room.layout.absolute(step.target)] : [],
  );
  for (const name of listNames(room.layout.kept)) {
    const kept = readKeptName(name);
    if (kept?.id !== claim.id || kept.kind === "folder") continue;
    const path = join(room.layout.kept, name);
    if (targets.some((target) => isSameFile(path, target))) {
      quietly(() => unlinkSync(path));
      continue;
    }
    const bytes = readIfThere(path);
    if (bytes === undefined) continue;
    const hash = sha256(bytes);
    if (hash === claim.base || hash === claim.next) adoptIfThere(room, path);
    else edit = putObject(room, bytes);
  }
  return edit;
}

/** What killed processes and editors left in `local/kept` for a minute: put back where it belongs, or filed. */
export function sweepKept(room: Room, now: number): void {
  const names = listNames(room.layout.kept);
  if (names.length === 0) return;
  const open = new Set(lastClaims(room.layout, "open").map((claim) => claim.id));
  for (const name of names) {
    const kept = readKeptName(name);
    const path = join(room.layout.kept, name);
    const stats = lookAt(path);
    if (stats === undefined || (kept !== undefined && open.has(kept.id))) continue;
    if (now - Math.max(stats.mtimeMs, stats.ctimeMs) < LIMITS.leftoverMs) continue;
    quietly(() => dropKept(room, path, kept?.kind ?? "text"));
  }
}

function dropKept(room: Room, path: string, kind: KeptKind): void {
  if (kind === "folder") quietly(() => settleNoted(room.layout, path));
  if (kind === "moved") putBack(room, path);
  if (kind === "folder" || (lookAt(path)?.nlink ?? 0) > 1) unlinkSync(path);
  else adoptIfThere(room, path);
}

/**
 * A process that slept in a move and was killed before it could look again may have taken away what a later claim put
 * there. The last claim of a skill says which text should stand where: if nothing does, this is it.
 */
function putBack(room: Room, path: string): void {
  const hash = sha256(readWhole(path));
  for (const claim of lastClaims(room.layout, "done"))
    for (const step of claim.steps) {
      const at = step.do === "replace" ? step.target : step.do === "move" ? step.to : undefined;
      const text = step.do === "replace" ? claim.next : claim.base;
      if (at?.endsWith(".md") !== true || text !== hash || exists(room.layout.absolute(at))) continue;
      if (linkExclusive(path, room.layout.absolute(at)))
        room.context.log.warn(`${at} was missing after a process was killed; its text is back.`);
    }
}

/** Of every skill: its open claims, or its last one if that is done. */
function lastClaims(layout: Layout, which: "open" | "done"): Claim[] {
  return claimedSpaces(layout).flatMap((fingerprint) =>
    [...readBooks(layout, fingerprint)].flatMap(([name, book]) => {
      const last = book.open.length > 0 ? [] : [book.highest];
      return (which === "open" ? book.open : last).flatMap((seq) => {
        const read = readClaim(layout, fingerprint, name, seq);
        return read !== undefined && "claim" in read ? [read.claim] : [];
      });
    }),
  );
}

/** Undefined where it is gone, or no regular file: that stays where it is. */
function readIfThere(path: string): Buffer | undefined {
  if (lookAt(path)?.isFile() !== true) return undefined;
  try {
    return readWhole(path);
  } catch (error) {
    if (exists(path)) throw error;
    return undefined;
  }
}

function adoptIfThere(room: Room, path: string): void {
  try {
    adoptObject(room, path);
  } catch (error) {
    if (exists(path)) throw error;
  }
}
