import { unlinkSync } from "node:fs";
import { markOnce, quietly } from "../core/atomic.ts";
import { diskError } from "../core/errors.ts";
import { lookAt } from "../core/look.ts";
import { pauseMs } from "../core/pause.ts";
import type { Claim } from "../schema/claim.ts";
import { isOver } from "./claims.ts";
import { hold } from "./hold.ts";
import type { Room } from "./room.ts";
import { blankSecondCopy } from "./second-copy.ts";

/** How long the process that made the mark is given for its one write. */
const TURN_MS = 1_000;
/** Longer than a process needs from its mark to the end of its write: it may have been stopped in between. */
const LONG_MS = 200;
/** Whoever takes over makes a mark of its own, and so on. */
const TURNS = 9;
/** What many processes write in a second, and in the minutes that one of them may have been stopped. */
const SECOND_BYTES = 262_144;
const MINUTES_BYTES = 67_108_864;

export interface Line {
  readonly file: string;
  /** Without its line end. */
  readonly text: string;
  /** Whether it stands near the end of its file. */
  stands(): boolean;
  write(): void;
}

/**
 * Appends a line of a claim once, however many processes finish that claim: who makes the mark writes it, unless the
 * claim is over by then, for then it was written; or it stands there, since a power loss may take marks and spare lines.
 * If that process is killed in between, the next one finds the mark without the line and, after a second, takes over
 * with a mark of its own. A process that was stopped between mark and write finds two copies when it wakes, and blanks
 * the later one.
 */
export function once(room: Room, claim: Claim, kind: "journal" | "event", line: Line): void {
  const path = `${room.layout.claim(claim.fingerprint, claim.name, claim.seq)}.${kind}`;
  for (let turn = 1; turn <= TURNS; turn++) {
    const mark = turn === 1 ? path : `${path}${turn}`;
    const begun = performance.now();
    if (!hold([mark], markOnce)) {
      if (appears(room, claim, mark, line)) return;
      continue;
    }
    if (isOver(room.layout, claim)) {
      quietly(() => unlinkSync(mark));
      return;
    }
    writeOr(line, () => quietly(() => unlinkSync(mark)));
    const tookMs = performance.now() - begun;
    // who took over may have looked just before the first one wrote
    if (turn > 1 || tookMs > LONG_MS) {
      const tailBytes = tookMs > TURN_MS ? MINUTES_BYTES : SECOND_BYTES;
      while (blankSecondCopy(line.file, line.text, tailBytes));
    }
    return;
  }
  throw diskError("append to", line.file, new Error("nobody who began to has come to the end of it"));
}

/** Who cannot write leaves no mark: the next one tries again. */
function writeOr(line: Line, undo: () => void): void {
  try {
    if (!line.stands()) line.write();
  } catch (error) {
    undo();
    throw error;
  }
}

function appears(room: Room, claim: Claim, mark: string, line: Line): boolean {
  for (let waited = 0; waited <= TURN_MS; waited += 20) {
    if (isOver(room.layout, claim) || line.stands()) return true;
    if (Date.now() - (lookAt(mark)?.mtimeMs ?? 0) > TURN_MS) break;
    pauseMs(20);
  }
  return isOver(room.layout, claim) || line.stands();
}
