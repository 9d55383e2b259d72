import type { Row } from "../section.ts";
import { endOf, startScript } from "../swarm/fleet.ts";
import { withFolder } from "../temporary.ts";
import type { FlushResult } from "./flush-actor.ts";

/** A flush that sleeps before any one of its calls, while others flush: nothing newer is ever written over. */
export function flushOrder(): Promise<Row> {
  return withFolder(async (root) => {
    const { out, problem } = await endOf(startScript("../index/flush-actor.js", { root }));
    const fault = "a flush of the index held up at each call while others flush";
    if (problem !== undefined) return { fault, trials: 1, findings: [problem] };
    const { trials, findings } = JSON.parse(out) as FlushResult;
    return { fault, trials, findings };
  });
}
