import { appendFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** One line of a process: a change of a skill, or a reading of it, that begins or has been acknowledged. */
export interface Deed {
  readonly kind: "write" | "read";
  readonly done: boolean;
  readonly name: string;
  /** Counts the writes of one name. */
  readonly seq: number;
  /** The one word by which its text is found, or null where it is hidden now. */
  readonly word: string | null;
  readonly at: number;
}

/** What all processes together have said of one skill. */
export interface Told {
  readonly begun: number;
  readonly acked: Deed | undefined;
  /** The word of the version before the acknowledged one. */
  readonly before: string | null;
  readonly readsBegun: number;
  readonly readsAcked: number;
}

export function writeDeed(file: string, deed: Omit<Deed, "at">): void {
  appendFileSync(file, `${JSON.stringify({ ...deed, at: Date.now() })}\n`);
}

/** All skills by name, as the lines stand now; a line that is being written is left out. */
export function readDeeds(folder: string): Map<string, Told> {
  const told = new Map<string, Told>();
  for (const file of readdirSync(folder)) {
    const lines = readFileSync(join(folder, file), "utf8").split("\n").slice(0, -1);
    for (const line of lines) {
      const deed = JSON.parse(line) as Deed;
      told.set(deed.name, added(told.get(deed.name), deed));
    }
  }
  return told;
}

const NOTHING: Told = { begun: -1, acked: undefined, before: null, readsBegun: 0, readsAcked: 0 };

function added(so: Told = NOTHING, deed: Deed): Told {
  if (deed.kind === "read")
    return deed.done ? { ...so, readsAcked: so.readsAcked + 1 } : { ...so, readsBegun: so.readsBegun + 1 };
  if (!deed.done) return { ...so, begun: deed.seq };
  return { ...so, acked: deed, before: so.acked?.word ?? null };
}

/** A word of twelve letters that no other version has, and that stemming leaves alone. */
export function wordOf(random: (below: number) => number): string {
  const letters = "bcfhjkmpqvxz";
  return Array.from({ length: 12 }, () => letters.charAt(random(letters.length))).join("");
}
