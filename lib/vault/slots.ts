import { readdirSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { createExclusive, makeFolder, quietly } from "../core/atomic.ts";
import { errnoOf } from "../core/errors.ts";
import { sha256 } from "../core/hash.ts";
import { LIMITS } from "../core/limits.ts";

/** Whose read it is; the cap holds only where all three are known (C55). */
export interface Reader {
  readonly runId: string;
  readonly wave: number;
  readonly agent: string;
}

export type SlotVerdict = "taken" | "repeated" | "full";

/**
 * One of the five reads that an agent has in a wave (S1.29, S2.22). Slots are files made exclusively, so the cap holds
 * across processes; a skill that the agent has read in this wave takes none (C46, C55). `skill` is any text that
 * names it. With `peek` nothing is taken: "taken" then means that a slot would be.
 */
export function takeSlot(slotsDir: string, reader: Reader, skill: string, peek = false): SlotVerdict {
  const folder = join(
    slotsDir,
    sha256(JSON.stringify([reader.runId, reader.wave, reader.agent])).slice(0, 24),
  );
  const mark = `skill-${sha256(skill).slice(0, 24)}`;
  const there = namesIn(folder);
  if (there.includes(mark)) return "repeated";
  if (there.filter((name) => name.startsWith("slot-")).length >= LIMITS.hydrationsPerWave) return "full";
  if (peek) return "taken";
  makeFolder(folder);
  const bytes = Buffer.from(`${JSON.stringify({ ...reader, skill })}\n`);
  if (!createExclusive(join(folder, mark), bytes)) return "repeated";
  for (let n = 1; n <= LIMITS.hydrationsPerWave; n++)
    if (createExclusive(join(folder, `slot-${n}`), bytes)) return "taken";
  quietly(() => unlinkSync(join(folder, mark)));
  return "full";
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return [];
    throw error;
  }
}
