import { randomBytes } from "node:crypto";
import { unlinkSync } from "node:fs";
import { join } from "node:path";
import { listNames, markOnce, quietly } from "../core/atomic.ts";
import { LIMITS } from "../core/limits.ts";
import { pauseMs } from "../core/pause.ts";
import { hold, makeOwnFolder } from "./hold.ts";
import { type Layout, spaceFolder } from "./layout.ts";

/** How long one change takes, more or less: who has this many before him looks again after that. */
const STEP_MS = 3;

/**
 * Waits until those who asked for this skill earlier are through, so that processes that change one skill do not spoil
 * each other's work. It is advice and no safety: whoever stands first for too long, dead or stopped, is passed over,
 * and the claim decides; so it is after half a minute. Returns what ends the turn.
 */
export function takeTurn(layout: Layout, fingerprint: string, name: string): () => void {
  const queue = `${spaceFolder(fingerprint)}.${name}.`;
  const ticket = `${queue}${process.hrtime.bigint().toString(36).padStart(14, "0")}-${randomBytes(4).toString("hex")}`;
  makeOwnFolder(layout.home, layout.turns);
  hold([join(layout.turns, ticket)], markOnce);
  const end = () => quietly(() => unlinkSync(join(layout.turns, ticket)));
  let first = "";
  const begun = performance.now();
  let since = begun;
  for (;;) {
    const before = listNames(layout.turns).filter((one) => one.startsWith(queue) && one < ticket);
    const [next] = before;
    if (next === undefined || performance.now() - begun > LIMITS.updateMs) return end;
    if (next !== first) [first, since] = [next, performance.now()];
    else if (performance.now() - since > LIMITS.turnMs) quietly(() => unlinkSync(join(layout.turns, next)));
    pauseMs(before.length === 1 ? 1 : STEP_MS * before.length);
  }
}
