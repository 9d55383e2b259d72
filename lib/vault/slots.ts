import { readdirSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { createExclusive, quietly } from "../core/atomic.ts";
import { diskError, errnoOf, isCanonryError } from "../core/errors.ts";
import { sha256 } from "../core/hash.ts";
import { inFolder } from "../core/held-folder.ts";
import { LIMITS } from "../core/limits.ts";
import { makeFolder } from "../core/make-folder.ts";
import { readInside } from "./paths.ts";

/** Whose read it is; the cap holds only where all three are known (C55). */
export interface Reader {
  readonly runId: string;
  readonly wave: number;
  readonly agent: string;
}

const SLOT_BYTES = 65_536;

export type SlotVerdict = "taken" | "repeated" | "full";

/**
 * One of the five reads that an agent has in a wave (S1.29, S2.22). A slot is a file made exclusively that names its
 * skill, so the cap holds across processes, and whoever dies between two steps leaves a slot that stands or none. A
 * skill that has a slot takes no other (C46, C55): of two slots for one skill the lower stands. `skill` is any text
 * that names it.
 */
export function takeSlot(slotsDir: string, reader: Reader, skill: string): SlotVerdict {
  const key = sha256(JSON.stringify([reader.runId, reader.wave, reader.agent])).slice(0, 24);
  const folder = join(slotsDir, key);
  const bytes = Buffer.from(`${JSON.stringify({ ...reader, skill })}\n`);
  try {
    const held = readSlots(folder);
    if (held.includes(skill)) return "repeated";
    if (held.filter((one) => one !== "").length >= LIMITS.hydrationsPerWave) return "full";
    makeFolder(slotsDir);
    inFolder(slotsDir, (slots) => makeFolder(join(slots, key)));
    return inFolder(folder, (safe) => takeFirst(safe, folder, bytes, skill));
  } catch (error) {
    throw isCanonryError(error) ? error : diskError("keep a slot in", folder, error);
  }
}

/** `safe` is the same folder as `folder`, out of reach for whoever exchanges it. */
function takeFirst(safe: string, folder: string, bytes: Buffer, skill: string): SlotVerdict {
  for (let n = 1; n <= LIMITS.hydrationsPerWave; n++) {
    if (!createExclusive(join(safe, `slot-${n}`), bytes)) continue;
    if (readSlots(folder).indexOf(skill) === n - 1) return "taken";
    quietly(() => unlinkSync(join(safe, `slot-${n}`)));
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
    skills[n - 1] = skillOf(folder, name);
  }
  return skills;
}

/** A slot that cannot be read is taken all the same: by whatever stands in its place. */
function skillOf(folder: string, name: string): string {
  try {
    const text = readInside(folder, name, { maxBytes: SLOT_BYTES, links: "refuse" }).toString("utf8");
    const held: unknown = JSON.parse(text);
    if (typeof held === "object" && held !== null && "skill" in held) return String(held.skill);
  } catch (error) {
    if (isCanonryError(error, "CANONRY_FILE_NOT_FOUND")) return "";
  }
  return join(folder, name);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return [];
    throw error;
  }
}
