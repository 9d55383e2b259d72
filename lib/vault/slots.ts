import { readdirSync, readFileSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { createExclusive, quietly } from "../core/atomic.ts";
import { errnoOf } from "../core/errors.ts";
import { sha256 } from "../core/hash.ts";
import { LIMITS } from "../core/limits.ts";
import { makeFolder } from "../core/make-folder.ts";

/** Whose read it is; the cap holds only where all three are known (C55). */
export interface Reader {
  readonly runId: string;
  readonly wave: number;
  readonly agent: string;
}

export type SlotVerdict = "taken" | "repeated" | "full";

/**
 * One of the five reads that an agent has in a wave (S1.29, S2.22). A slot is a file made exclusively that names its
 * skill, so the cap holds across processes, and whoever dies between two steps leaves a slot that stands or none. A
 * skill that has a slot takes no other (C46, C55): of two slots for one skill the lower stands. `skill` is any text
 * that names it.
 */
export function takeSlot(slotsDir: string, reader: Reader, skill: string): SlotVerdict {
  const folder = join(
    slotsDir,
    sha256(JSON.stringify([reader.runId, reader.wave, reader.agent])).slice(0, 24),
  );
  const held = readSlots(folder);
  if (held.includes(skill)) return "repeated";
  if (held.filter((one) => one !== "").length >= LIMITS.hydrationsPerWave) return "full";
  makeFolder(folder);
  const bytes = Buffer.from(`${JSON.stringify({ ...reader, skill })}\n`);
  for (let n = 1; n <= LIMITS.hydrationsPerWave; n++) {
    if (!createExclusive(join(folder, `slot-${n}`), bytes)) continue;
    if (readSlots(folder).indexOf(skill) === n - 1) return "taken";
    quietly(() => unlinkSync(join(folder, `slot-${n}`)));
    return "repeated";
  }
  return readSlots(folder).includes(skill) ? "repeated" : "full";
}

/** The skills of the slots from the first on; "" for a free one below a taken one. */
function readSlots(folder: string): string[] {
  const skills: string[] = [];
  for (const name of namesIn(folder)) {
    const n = Number(/^slot-([1-9])$/.exec(name)?.[1] ?? 0);
    if (n === 0) continue;
    while (skills.length < n) skills.push("");
    skills[n - 1] = skillOf(join(folder, name));
  }
  return skills;
}

function skillOf(path: string): string {
  try {
    const held: unknown = JSON.parse(readFileSync(path, "utf8"));
    return typeof held === "object" && held !== null && "skill" in held ? String(held.skill) : path;
  } catch (error) {
    return errnoOf(error) === "ENOENT" ? "" : path;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return [];
    throw error;
  }
}
