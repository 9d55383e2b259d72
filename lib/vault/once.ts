import { unlinkSync } from "node:fs";
import { markOnce, quietly } from "../core/atomic.ts";
import { lookAt } from "../core/look.ts";
import { pauseMs } from "../core/pause.ts";
import type { Claim } from "../schema/claim.ts";
import { isOver } from "./claims.ts";
import type { Room } from "./room.ts";

/** How long the process that made the mark is given for its one write. */
const TURN_MS = 1_000;

export interface Line {
  /** Whether it stands near the end of its file. */
  stands(): boolean;
  write(): void;
}

/**
 * Appends a line of a claim once, however many processes finish that claim: who makes the mark writes it, unless the
 * claim is over by then, for then it was written; or it stands there, since a power loss may take marks and spare lines.
 * If that process is killed in between, the next one finds the mark without the line and, after a second at most, writes
 * it: a line is never lost, and doubled only where a process was stopped for longer than that between two of its
 * instructions. A doubled event has one id and counts once.
 */
export function once(room: Room, claim: Claim, kind: "journal" | "event", line: Line): void {
  const mark = `${room.layout.claim(claim.fingerprint, claim.name, claim.seq)}.${kind}`;
  if (!markOnce(mark)) {
    if (!appears(room, claim, mark, line)) line.write();
  } else if (isOver(room.layout, claim)) {
    quietly(() => unlinkSync(mark));
  } else if (!line.stands()) line.write();
}

function appears(room: Room, claim: Claim, mark: string, line: Line): boolean {
  for (let waited = 0; waited <= TURN_MS; waited += 20) {
    if (isOver(room.layout, claim) || line.stands()) return true;
    if (Date.now() - (lookAt(mark)?.mtimeMs ?? 0) > TURN_MS) return false;
    pauseMs(20);
  }
  return line.stands();
}
