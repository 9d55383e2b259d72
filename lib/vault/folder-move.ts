import { lstatSync, renameSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { exists, quietly, syncFolder } from "../core/atomic.ts";
import { diskError, errnoOf } from "../core/errors.ts";
import { isSkillName } from "../core/names.ts";
import type { Claim } from "../schema/claim.ts";
import { problemOfTarget } from "./claim-rules.ts";
import { isOver, readBook, readClaim } from "./claims.ts";
import { hold } from "./hold.ts";
import { keptPath } from "./kept-names.ts";
import type { Layout } from "./layout.ts";
import { readWhole } from "./objects.ts";
import type { Room } from "./room.ts";

/** A later claim may move it again while it is put back: then it is put elsewhere. */
const TRIES = 16;

/**
 * Moves the folder of files beside a skill to where nothing stands. Nothing can make the rename of a process that
 * slept fail, so it looks afterwards whether its claim was over, and puts the folder where the last claim of the skill
 * says. A note in `local/kept` tells the next open of the move, should this process be killed before that.
 */
export function moveFolder(room: Room, claim: Claim, from: string, to: string): void {
  const [source, target] = [room.layout.absolute(from), room.layout.absolute(to)];
  if (exists(target)) {
    room.context.log.warn(`${source} was left where it is: ${target} is there already.`);
    return;
  }
  const note = keptPath(room, claim, "folder");
  writeNote(note, { fingerprint: claim.fingerprint, name: claim.name, at: to });
  try {
    if (isOver(room.layout, claim) || !hold([source, target], renameIfThere)) return;
    if (isOver(room.layout, claim)) settleFolder(room.layout, claim, to, "mine");
    syncFolder(dirname(source));
    syncFolder(dirname(target));
  } finally {
    quietly(() => unlinkSync(note));
  }
}

/** Who was killed in a move of a folder may have left it apart from its skill; the note is dropped by the caller. */
export function settleNoted(layout: Layout, note: string): void {
  const read: unknown = JSON.parse(readWhole(note).toString("utf8"));
  if (typeof read !== "object" || read === null) return;
  const { fingerprint, name, at } = { fingerprint: "", name: "", at: "", ...read };
  const skill = { fingerprint: String(fingerprint), name: String(name) };
  if (!isSkillName(skill.name) || problemOfTarget(skill.fingerprint, String(at)) !== undefined) return;
  settleFolder(layout, skill, String(at), "perhaps");
}

/**
 * Takes the folder from where it stands to the place that the last claim of the skill gives it, until no later claim comes.
 * `perhaps`: it may stand there rightly, beside a skill whose name another bears now.
 */
function settleFolder(
  layout: Layout,
  { fingerprint, name }: Pick<Claim, "fingerprint" | "name">,
  from: string,
  whose: "mine" | "perhaps",
): void {
  let at = from;
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const { highest } = readBook(layout, fingerprint, name);
    const read = readClaim(layout, fingerprint, name, highest);
    const place = read !== undefined && "claim" in read ? placeAfter(read.claim, at) : undefined;
    if (place === undefined || place === at || exists(layout.absolute(place))) return;
    if (whose === "perhaps" && exists(layout.absolute(`${at}.md`))) return;
    if (!hold([layout.absolute(at), layout.absolute(place)], renameIfThere)) return;
    at = place;
  }
}

/** Where the folder that stands at `at` belongs once that claim is carried out; undefined where it says nothing of it. */
function placeAfter(claim: Claim, at: string): string | undefined {
  for (const step of claim.steps) {
    if (step.do === "move" && [step.from, step.to].some((path) => path.replace(/\.md$/, "") === at))
      return step.to.replace(/\.md$/, "");
    if (step.do === "replace" && claim.base !== null) return step.target.replace(/\.md$/, "");
  }
  return undefined;
}

function writeNote(path: string, note: { fingerprint: string; name: string; at: string }): void {
  try {
    writeFileSync(path, `${JSON.stringify(note)}\n`, { flag: "wx" });
  } catch (error) {
    quietly(() => unlinkSync(path));
    throw diskError("write", path, error);
  }
}

/** False where there is nothing to rename (any more). */
export function renameIfThere(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (errnoOf(error) === "ENOENT" && lstatSync(from, { throwIfNoEntry: false }) === undefined) return false;
    throw diskError("move", from, error);
  }
}
