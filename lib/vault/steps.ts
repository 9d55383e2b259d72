import { unlinkSync } from "node:fs";
import { dirname, posix } from "node:path";
import { createExclusive, exists, publish, quietly, syncFolder } from "../core/atomic.ts";
import { sha256 } from "../core/hash.ts";
import { isSameFile, lookAt } from "../core/look.ts";
import type { Claim, ClaimStep } from "../schema/claim.ts";
import { closeClaim, isOver } from "./claims.ts";
import { moveFolder, renameIfThere } from "./folder-move.ts";
import { hold, holdWithTemps, linkIfThere } from "./hold.ts";
import { appendLine, endsWithLine } from "./journal.ts";
import { fileKept } from "./kept.ts";
import { keptPath } from "./kept-names.ts";
import { appendEvent, endsWithEvent, ledgerFileOf } from "./ledger.ts";
import { eventJson, parseEvent } from "./ledger-line.ts";
import { readWhole } from "./objects.ts";
import { once } from "./once.ts";
import { assertNoLinks, makeFolderInside } from "./paths.ts";
import type { Room } from "./room.ts";

/** A claim that was carried out to its end, by whomever. */
export interface Finished {
  readonly fingerprint: string;
  readonly name: string;
  readonly seq: number;
  /** Hash of a text that an editor saved in the gap: it was replaced, and is kept in `versions/objects`. */
  readonly keptEdit?: string;
}

/**
 * Carries out the steps of a claim (design 5, step 3) and marks it as done. Several processes may do so at once, one
 * may be paused anywhere: what is done already is passed over, and what came too late is put back.
 */
export function finishClaim(room: Room, claim: Claim): Finished {
  for (const step of claim.steps) runStep(room, claim, step);
  for (const folder of changedFolders(room, claim)) if (exists(folder)) syncFolder(folder);
  const keptEdit = fileKept(room, claim);
  closeClaim(room.layout, claim);
  const { fingerprint, name, seq } = claim;
  return keptEdit === undefined ? { fingerprint, name, seq } : { fingerprint, name, seq, keptEdit };
}

/** Synced before the claim is closed, by whoever closes it: each is the folder of one name that was made or replaced. */
function changedFolders(room: Room, claim: Claim): Set<string> {
  const paths = claim.steps.flatMap((step) =>
    step.do === "replace" ? [step.target] : step.do === "version" ? [step.manifest] : [],
  );
  return new Set(paths.map((path) => dirname(room.layout.absolute(path))));
}

function runStep(room: Room, claim: Claim, step: ClaimStep): void {
  const { layout } = room;
  switch (step.do) {
    case "replace":
      replace(room, claim, layout.absolute(step.temp), layout.absolute(step.target), step.keep);
      break;
    case "move":
      move(room, claim, step.from, step.to);
      break;
    case "version":
      makeFolderInside(layout.home, posix.dirname(step.manifest));
      holdWithTemps(layout.absolute(step.manifest), layout.temps, (manifest, temps) =>
        createExclusive(manifest, Buffer.from(step.json), { temps, sync: false }),
      );
      break;
    case "journal":
      once(room, claim, "journal", {
        file: layout.journal,
        text: step.line,
        stands: () => endsWithLine(layout.journal, step.line),
        write: () => appendLine(layout.journal, step.line),
      });
      break;
    case "event":
      writeEvent(room, claim, step.json);
  }
}

function writeEvent(room: Room, claim: Claim, json: string): void {
  const parsed = parseEvent(json);
  if (!("event" in parsed)) return;
  once(room, claim, "event", {
    file: ledgerFileOf(room, parsed.event),
    text: eventJson(parsed.event),
    stands: () => endsWithEvent(room, parsed.event),
    write: () => appendEvent(room, parsed.event, { sync: true }),
  });
}

/** Only the process whose rename found the temp has replaced something, and only it keeps what stood there. */
function replace(room: Room, claim: Claim, temp: string, target: string, keep: boolean): void {
  if (!exists(temp)) return;
  assertNoLinks(room.layout.home, room.layout.relative(dirname(target)));
  const kept = keptPath(room, claim, "text");
  hold([temp, target, kept], (from, to, aside) => {
    // not synced: the texts themselves are kept already, and an editor's save in the gap would be lost by waiting longer
    if (keep && exists(to)) linkIfThere(to, aside, { sync: false });
    if (!publish(from, to, { sync: false })) quietly(() => unlinkSync(aside));
  });
}

/**
 * Moves to where nothing stands. Unlike the rename of a temp, a move names a path that may come back (a restored
 * skill): so a process that slept looks afterwards whether its claim was over, and puts back what it moved.
 */
function move(room: Room, claim: Claim, from: string, to: string): void {
  const source = room.layout.absolute(from);
  const target = room.layout.absolute(to);
  const stats = lookAt(source);
  if (stats === undefined || isOver(room.layout, claim)) return;
  assertNoLinks(room.layout.home, posix.dirname(from));
  makeFolderInside(room.layout.home, posix.dirname(to));
  if (stats.isDirectory()) moveFolder(room, claim, from, to);
  else moveFile(room, claim, source, target);
}

function moveFile(room: Room, claim: Claim, source: string, target: string): void {
  hold([source, target], (from, to) => linkIfThere(from, to));
  if (isOver(room.layout, claim)) {
    if (isSameFile(source, target)) quietly(() => unlinkSync(target));
    return;
  }
  if (!exists(source)) return;
  if (!isSameText(source, target)) {
    room.context.log.warn(`${source} was left where it is: another file stands at ${target}.`);
    return;
  }
  takeAway(room, claim, source, target);
}

/** Removes the old name. What was taken is the moved file, or a newer text: of a later claim, or an editor's. */
function takeAway(room: Room, claim: Claim, source: string, target: string): void {
  const taken = keptPath(room, claim, "moved");
  if (!hold([source, taken], renameIfThere)) return;
  syncFolder(dirname(source));
  const isLate = !isSameText(taken, target) && isOver(room.layout, claim);
  const back = isLate && hold([taken, source], (from, to) => linkIfThere(from, to));
  if (back || isSameText(taken, target)) quietly(() => unlinkSync(taken));
}

/** False too where either is gone: another process that finishes the same claim may file what was taken, at any time. */
function isSameText(a: string, b: string): boolean {
  try {
    return isSameFile(a, b) || sha256(readWhole(a)) === sha256(readWhole(b));
  } catch (error) {
    if (!exists(a) || !exists(b)) return false;
    throw error;
  }
}
