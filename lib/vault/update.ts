import { isCanonryError } from "../core/errors.ts";
import { LIMITS } from "../core/limits.ts";
import { hashOf, readText } from "./bid.ts";
import type { CommitResult, PutChange } from "./change.ts";
import { commitChange } from "./commit.ts";
import type { Room } from "./room.ts";
import { takeTurn } from "./turn.ts";

/** The skill that is updated; `target` is its file, relative to the home. */
export interface Target {
  readonly fingerprint: string;
  readonly name: string;
  readonly target: string;
}

/**
 * The change that follows from the text that stands there (undefined: no file); undefined where nothing is to do. The
 * bytes are a `Buffer`, named so that the package's types need none of Node's.
 */
export type MakeChange = (
  found: (Uint8Array & { toString(encoding?: "utf8"): string }) | undefined,
) => Omit<PutChange, "kind" | "base" | keyof Target> | undefined;

/**
 * Reads, changes and commits, anew while others come first: for changes that can be made from any text. Processes
 * that update one skill take turns. `make` may be called several times; only the last text counts. Throws
 * `CANONRY_CONFLICT` after 30 s, else what `commitChange` and `make` throw.
 */
export function updateTarget(room: Room, target: Target, make: MakeChange): CommitResult {
  const until = performance.now() + LIMITS.updateMs;
  for (;;) {
    const end = takeTurn(room.layout, target.fingerprint, target.name);
    try {
      const found = readText(room, target);
      const change = make(found);
      const base = hashOf(found);
      if (change === undefined) return { changed: false, bytesHash: base, seq: null, finished: true };
      return commitChange(room, { ...change, ...target, kind: "put", base });
    } catch (error) {
      if (!isCanonryError(error, "CANONRY_CONFLICT") || performance.now() > until) throw error;
    } finally {
      end();
    }
  }
}
