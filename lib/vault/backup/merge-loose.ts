import { posix } from "node:path";
import { isCanonryError } from "../../core/errors.ts";
import { spaceFolder } from "../layout.ts";
import { parseSettings } from "../settings.ts";
import { QUEUE_FOLDERS } from "./kinds.ts";
import { attempt, hereOf, type Merging, mergeWhole, type Part, refuse } from "./merging.ts";
import { listFiles } from "./reading.ts";

/**
 * Notes of agents: one that was consumed or dropped meanwhile is there already, under the folder of its day, and is not
 * put back into the queue. `parts` are the notes of one space.
 */
export function mergeCandidates(merging: Merging, parts: readonly Part[]): void {
  const [first] = parts;
  if (first === undefined) return;
  const reading = { home: merging.room.layout.home, leftOut: new Map<string, string>(), now: Date.now };
  const space = `${first.root}${spaceFolder(first.fingerprint ?? "")}`;
  const listed = new Set(parts.map((part) => part.full));
  const here = QUEUE_FOLDERS.flatMap((folder) => listFiles(reading, `${space}/${folder}`));
  const elsewhere = new Set(here.filter((path) => !listed.has(path)).map((path) => posix.basename(path)));
  for (const part of parts) {
    attempt(merging, part, () => {
      const moved = elsewhere.has(posix.basename(part.full)) && hereOf(merging, part.full) === undefined;
      if (moved) merging.tally.present++;
      else mergeWhole(merging, part);
    });
  }
}

/** Settings that this version refuses would close the home to every command: they are named instead. */
export function mergeSettings(merging: Merging, part: Part): void {
  attempt(merging, part, () => {
    const isNew = hereOf(merging, part.full) === undefined;
    const problem = isNew ? problemOfSettings(part.read()) : undefined;
    if (problem === undefined) mergeWhole(merging, part);
    else refuse(merging, part, problem);
  });
}

function problemOfSettings(bytes: Buffer): string | undefined {
  try {
    parseSettings(bytes, "settings.json");
    return undefined;
  } catch (error) {
    if (isCanonryError(error)) return error.message;
    throw error;
  }
}
