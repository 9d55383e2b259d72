import { rmSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { listNames, quietly, replaceFile, sweepTemps } from "../core/atomic.ts";
import { LIMITS } from "../core/limits.ts";
import { lookAt } from "../core/look.ts";
import { isTempName } from "../core/temp-names.ts";
import type { Claim } from "../schema/claim.ts";
import {
  booksOf,
  claimedSpaces,
  isOver,
  readBooks,
  readClaim,
  readToken,
  sweepBelow,
  sweepMarks,
} from "./claims.ts";
import { sweepKept } from "./kept.ts";
import { fingerprintOf, type Layout, LOCAL_SPACE } from "./layout.ts";
import type { Room } from "./room.ts";
import { readTokenName, retireToken } from "./tokens.ts";

const SPACE_FOLDERS = ["canon", "quarantine", "archive", "candidates"];

/**
 * What killed processes left goes at the next open, once it is a minute old (trust 4a): nothing here asks whether a
 * process lives. A token that is taken away can be linked no more, and only then its temporary file goes; whoever was
 * not dead but asleep begins again. Once a day every folder is looked through for what nothing names.
 */
export function sweepVault(room: Room): void {
  const { layout, context } = room;
  const now = context.clock();
  for (const fingerprint of claimedSpaces(layout)) {
    const files = listNames(layout.commit(fingerprint));
    retireTokens(room, fingerprint, files, now);
    sweepMarks(layout, fingerprint, files);
    sweepNumbers(layout, fingerprint, files);
  }
  for (const file of oldFiles(layout.temps, listNames(layout.temps), now)) dropTemp(room, file);
  for (const file of oldFiles(layout.turns, listNames(layout.turns), now))
    quietly(() => unlinkSync(join(layout.turns, file)));
  for (const folder of [layout.home, layout.local]) sweepTemps(folder, now, LIMITS.leftoverMs);
  sweepKept(room, now);
  sweepStaged(layout.local, now);
  const last = lookAt(layout.swept);
  if (last !== undefined && Math.abs(now - last.mtimeMs) < LIMITS.orphanMs) return;
  for (const folder of foldersToSweep(room)) sweepTemps(folder, now, LIMITS.orphanMs);
  replaceFile(layout.swept, Buffer.alloc(0), { temps: layout.temps });
}

/** What a restore that was killed had unpacked: a folder of temporary files, dropped when it is surely nobody's. */
function sweepStaged(local: string, now: number): void {
  for (const name of listNames(local)) {
    if (!isTempName(name) || !name.startsWith(".restore.")) continue;
    const stats = lookAt(join(local, name));
    const isOld = stats?.isDirectory() === true && now - stats.mtimeMs >= LIMITS.stagedMs;
    if (isOld) quietly(() => rmSync(join(local, name), { recursive: true, force: true }));
  }
}

function oldFiles(folder: string, names: readonly string[], now: number): string[] {
  return names.filter((name) => {
    const stats = lookAt(join(folder, name));
    return stats?.isFile() === true && now - stats.mtimeMs >= LIMITS.leftoverMs;
  });
}

/** Whoever was killed while it closed a claim may have left lower numbers. */
function sweepNumbers(layout: Layout, fingerprint: string, files: readonly string[]): void {
  for (const [name, book] of booksOf(files)) {
    const seq = book.done.at(-1) ?? 0;
    if ([...book.claims, ...book.done].some((one) => one < seq))
      sweepBelow(layout, { fingerprint, name, seq }, book);
  }
}

function retireTokens(room: Room, fingerprint: string, files: readonly string[], now: number): void {
  for (const file of oldFiles(room.layout.commit(fingerprint), files.filter(isTempName), now)) {
    const token = readTokenName(file);
    if (token !== undefined && isClaimed(room, fingerprint, token, file)) continue;
    quietly(() => retireToken(room.layout, fingerprint, file));
  }
}

/** Whether a claim that is not finished was linked from this token: then whoever finishes it clears up. */
function isClaimed(
  room: Room,
  fingerprint: string,
  token: { name: string; seq: number },
  file: string,
): boolean {
  const read = readClaim(room.layout, fingerprint, token.name, token.seq);
  return (
    read !== undefined && "claim" in read && read.claim.token === file && !isOver(room.layout, read.claim)
  );
}

/** A temporary file, or a token that cannot be linked any more: then the file that it wrote goes first. */
function dropTemp(room: Room, file: string): void {
  const path = join(room.layout.temps, file);
  const token = readTokenName(file);
  if (token !== undefined) {
    const claim = readToken(room.layout, path);
    if (claim !== undefined && isClaimed(room, claim.fingerprint, token, file)) return;
    for (const temp of tempsOf(claim)) quietly(() => unlinkSync(room.layout.absolute(temp)));
  }
  quietly(() => unlinkSync(path));
}

function tempsOf(claim: Claim | undefined): string[] {
  return claim?.steps.flatMap((step) => (step.do === "replace" ? [step.temp] : [])) ?? [];
}

/** Where a claim is still open, its temp is somebody's text: that space waits. */
function foldersToSweep(room: Room): string[] {
  const { layout } = room;
  const objects = listNames(layout.objects).map((name) => join(layout.objects, name));
  const folders = [join(layout.local, "index"), layout.ledger, ...objects];
  for (const name of [...listNames(layout.home), LOCAL_SPACE]) {
    const fingerprint = name === LOCAL_SPACE ? LOCAL_SPACE : fingerprintOf(name);
    if (fingerprint === undefined) continue;
    if ([...readBooks(layout, fingerprint).values()].some((book) => book.open.length > 0)) continue;
    folders.push(...SPACE_FOLDERS.map((folder) => join(layout.home, name, folder)));
  }
  return folders;
}
