import { LIMITS } from "../core/limits.ts";
import { createPacer } from "../core/pacer.ts";
import type { Finding } from "../schema/finding.ts";
import type { Layout } from "./layout.ts";
import { checkClaims } from "./verify/claims.ts";
import { checkLedger } from "./verify/ledger.ts";
import { namesSetAside } from "./verify/objects.ts";
import { createScene, type Steps } from "./verify/scene.ts";
import { leftoversBeside } from "./verify/spaces.ts";
import { checkState } from "./verify/state.ts";

/**
 * What `doctor` says of a vault that is open: what is cheap to see of all that `verifyVault` looks at. Claims that
 * nobody can finish, leftovers, what was set aside, lines of the ledger that count for nothing.
 */
export async function* glanceAt(
  layout: Layout,
  now: number,
): AsyncGenerator<{ readonly check: string; readonly finding: Finding }, void, undefined> {
  const scene = createScene(layout, now, LIMITS.leftoverMs);
  const parts: readonly (readonly [string, Steps])[] = [
    ["claims", checkClaims(scene)],
    ["state", checkState(scene)],
    ["objects", namesSetAside(scene)],
    ["left", leftoversBeside(scene)],
    ["ledger", checkLedger(scene, { ids: false })],
  ];
  const pacer = createPacer(undefined);
  for (const [check, steps] of parts)
    for (const finding of steps) {
      const pause = pacer.step();
      if (pause !== undefined) await pause;
      if (finding !== undefined) yield { check, finding };
    }
}
