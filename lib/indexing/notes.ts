import type { Digests } from "../drivers/driver.ts";
import type { Diagnostic } from "../schema/diagnostic.ts";
import type { WalkState } from "../vault/walk.ts";

/** What the last walks passed over, by file: kept with the rows so that nobody has to walk again to say it. */
export function walkNotes(digests: Pick<Digests, "state">): Diagnostic[] {
  return Object.entries(digests.state)
    .filter(([key]) => key.startsWith("place:"))
    .flatMap(([, json]) => (JSON.parse(json) as WalkState).notes)
    .sort((a, b) => (a.file < b.file ? -1 : 1));
}
