import { readBook, readClaim } from "./claims.ts";
import type { Room } from "./room.ts";
import { type Finished, finishClaim } from "./steps.ts";

/**
 * Finishes what others have won before, and gives the highest number in use. The order matters: numbers are read,
 * claims finished, then the base is compared and the next number linked; who changes the file in between takes it.
 */
export function settle(room: Room, fingerprint: string, name: string): number {
  const failed = new Set<number>();
  for (;;) {
    const book = readBook(room.layout, fingerprint, name);
    const open = book.open.find((seq) => !failed.has(seq));
    if (open === undefined) return book.highest;
    if (finishOpen(room, fingerprint, name, open) === undefined) failed.add(open);
  }
}

/** Finishes one claim if it is open; undefined where it is not, or cannot be carried out, which is warned about. */
export function finishOpen(room: Room, fingerprint: string, name: string, seq: number): Finished | undefined {
  const read = readClaim(room.layout, fingerprint, name, seq);
  if (read === undefined) return undefined;
  if ("problem" in read) {
    room.context.log.warn(
      `The claim ${room.layout.claim(fingerprint, name, seq)} was passed over: ${read.problem}.`,
    );
    return undefined;
  }
  // another process may have finished it since it was listed
  if (!readBook(room.layout, fingerprint, name).open.includes(seq)) return undefined;
  const finished = finishClaim(room, read.claim);
  if (finished.keptEdit !== undefined)
    room.context.log.warn(
      `${name}: a text that was saved while it was being changed is kept as ${room.layout.object(finished.keptEdit)}.`,
    );
  return finished;
}
