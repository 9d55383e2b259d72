import { unlinkSync } from "node:fs";
import { join } from "node:path";
import { exists, listNames, quietly } from "../core/atomic.ts";
import { sha256 } from "../core/hash.ts";
import { LIMITS } from "../core/limits.ts";
import { isSameFile, lookAt } from "../core/look.ts";
import type { Claim } from "../schema/claim.ts";
import { claimedSpaces, readBook, readBooks, readClaim } from "./claims.ts";
import { settleNoted } from "./folder-move.ts";
import { hold, linkIfThere } from "./hold.ts";
import { type KeptName, readKeptName } from "./kept-names.ts";
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
  const open = new Set(openClaims(room.layout).map((claim) => claim.id));
  for (const name of names) {
    const kept = readKeptName(name);
    const path = join(room.layout.kept, name);
    const stats = lookAt(path);
    if (stats === undefined || (kept !== undefined && open.has(kept.id))) continue;
    if (now - Math.max(stats.mtimeMs, stats.ctimeMs) < LIMITS.leftoverMs) continue;
    quietly(() => dropKept(room, path, kept));
  }
}

function dropKept(room: Room, path: string, kept: KeptName | undefined): void {
  const kind = kept?.kind ?? "text";
  if (kind === "folder") quietly(() => settleNoted(room.layout, path));
  if (kept?.skill !== undefined) putBack(room, kept.skill.fingerprint, kept.skill.name);
  if (kind === "folder" || (lookAt(path)?.nlink ?? 0) > 1) unlinkSync(path);
  else adoptIfThere(room, path);
}

/**
 * A process that slept in a move may have taken away what a later claim put there, and sleeps again or was killed
 * before it could look. The last claim of a skill says where its text should stand: if nothing does, this is it,
 * whoever has edited it since. True where something was put back.
 */
export function putBack(room: Room, fingerprint: string, name: string): boolean {
  const { layout } = room;
  const mine = listNames(layout.kept).filter((file) => {
    const skill = readKeptName(file)?.skill;
    return skill?.fingerprint === fingerprint && skill.name === name;
  });
  const place = mine.length === 0 ? undefined : placeOf(layout, fingerprint, name);
  if (place === undefined || exists(layout.absolute(place))) return false;
  for (const file of mine) {
    const path = join(layout.kept, file);
    if (!hold([path, layout.absolute(place)], (from, to) => linkIfThere(from, to))) continue;
    room.context.log.warn(`${place} was missing while a process was stopped or killed; its text is back.`);
    return true;
  }
  return false;
}

/**
 * Whether what stands at `path` is the second name of a text that belongs elsewhere: a mover that had slept gives it
 * one for a moment, before it sees that its claim is over, and for longer if it is killed in between.
 */
export function isShadow(layout: Layout, fingerprint: string, name: string, path: string): boolean {
  const stats = lookAt(layout.absolute(path));
  if (stats === undefined || stats.nlink === 1) return stats === undefined;
  const place = placeOf(layout, fingerprint, name);
  if (place === undefined || place === path) return false;
  return isSameFile(layout.absolute(place), layout.absolute(path)) || !exists(layout.absolute(path));
}

/** Where the last claim of a skill left its text; undefined where it is not finished, or says nothing of it. */
function placeOf(layout: Layout, fingerprint: string, name: string): string | undefined {
  const { highest, open } = readBook(layout, fingerprint, name);
  const read = open.length > 0 ? undefined : readClaim(layout, fingerprint, name, highest);
  if (read === undefined || !("claim" in read)) return undefined;
  for (const step of read.claim.steps) {
    if (step.do === "replace") return step.target;
    if (step.do === "move" && step.to.endsWith(".md")) return step.to;
  }
  return undefined;
}

/** The claims that are not finished yet: what they have taken away is theirs. */
function openClaims(layout: Layout): Claim[] {
  return claimedSpaces(layout).flatMap((fingerprint) =>
    [...readBooks(layout, fingerprint)].flatMap(([name, book]) =>
      book.open.flatMap((seq) => {
        const read = readClaim(layout, fingerprint, name, seq);
        return read !== undefined && "claim" in read ? [read.claim] : [];
      }),
    ),
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
