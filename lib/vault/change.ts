import { CanonryError } from "../core/errors.ts";
import { assertSkillName } from "../core/names.ts";
import type { NewEvent } from "../schema/ledger-event.ts";
import { isOneLine, problemOfTarget } from "./claim-rules.ts";
import { LOCAL_SPACE, spaceFolder } from "./layout.ts";

/** A file of a space that goes elsewhere in it, such as a consumed candidate. Paths are relative to the home. */
export interface Relocation {
  readonly from: string;
  readonly to: string;
}

interface AnyChange {
  /** Twelve hex digits, or "*". */
  readonly fingerprint: string;
  readonly name: string;
  /** The skill's file, relative to the home: `<space>/canon/<name>.md`. */
  readonly target: string;
  /** Who makes the change: `librarian`, or a person's or agent's name. */
  readonly by: string;
  readonly runId: string;
  /** The number of the version that stands after it. */
  readonly version: number;
  /** Id of the passing verdict, or null for a person's own change (P4). */
  readonly verdict: string | null;
  readonly event?: NewEvent;
  /** One line for LIBRARIAN.md; a mark that names this change is added. */
  readonly journal?: string;
  readonly moves?: readonly Relocation[];
}

/** Puts a text in place of `base`, or where there was none. */
export interface PutChange extends AnyChange {
  readonly kind: "put";
  readonly content: string | Uint8Array;
  /** bytesHash of the file that the change was made from; null for a new one. */
  readonly base: string | null;
}

/** Moves a skill with its files, to where none is: quarantine, archive, restore (P5). */
export interface MoveChange extends AnyChange {
  readonly kind: "move";
  readonly to: string;
  readonly base: string;
}

export type Change = PutChange | MoveChange;

export interface CommitResult {
  /** False where the file held these very bytes already (C15): nothing was written or counted. */
  readonly changed: boolean;
  /** bytesHash of the file now, or null after a move. */
  readonly bytesHash: string | null;
  readonly seq: number | null;
  /** False where the change is won but a later step failed; the next process that opens the vault finishes it. */
  readonly finished: boolean;
  /** Hash of a text that an editor saved in the gap; `versions/objects` keeps it (P3). */
  readonly keptEdit?: string;
}

/** Throws `CANONRY_INVALID_NAME`, `_PATH` or `_RECORD` on a change that must not be tried. */
export function assertChange(change: Change): void {
  assertSkillName(change.name);
  if (change.fingerprint === LOCAL_SPACE)
    throw invalid(`${JSON.stringify(change.fingerprint)} is no space of skills`);
  spaceFolder(change.fingerprint);
  const moves = change.moves ?? [];
  const paths = [
    change.target,
    ...(change.kind === "move" ? [change.to] : []),
    ...moves.flatMap((move) => [move.from, move.to]),
  ];
  for (const path of paths) {
    const problem = problemOfTarget(change.fingerprint, path);
    if (problem === undefined) continue;
    throw new CanonryError(
      "CANONRY_INVALID_PATH",
      `The path ${JSON.stringify(path)} ${problem}. A change touches files of its own space only.`,
      {
        data: { path, problem },
      },
    );
  }
  if (change.base !== null && !/^[0-9a-f]{64}$/.test(change.base))
    throw invalid("its base is no SHA-256 in hex");
  if (!Number.isSafeInteger(change.version) || change.version < 0)
    throw invalid(`its version ${change.version} is no whole number`);
  if (change.journal !== undefined && !isOneLine(change.journal))
    throw invalid("its journal entry is more than one clean line");
}

function invalid(why: string): CanonryError {
  return new CanonryError("CANONRY_INVALID_RECORD", `The change cannot be made: ${why}.`);
}
