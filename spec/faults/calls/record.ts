import { join } from "node:path";
import { inParallel } from "../in-parallel.ts";
import type { Operation } from "./operations.ts";
import { type Point, pointsOf, traceActor } from "./strace.ts";
import { inCopy, makeTemplate, type Template } from "./trial.ts";

const WIDTH = 3;

export interface Recorded {
  readonly template: Template;
  readonly points: readonly Point[];
}

/** A template of each operation and its calls, undisturbed; throws where one does not come out as it should. */
export async function recordAll(operations: readonly Operation[], root: string): Promise<Recorded[]> {
  const recorded: Recorded[] = [];
  await inParallel(WIDTH, operations, async (operation, nth) => {
    const template = await makeTemplate(root, operation);
    recorded[nth] = { template, points: await record(template, join(root, `recording-${nth}`)) };
  });
  return recorded;
}

async function record(template: Template, folder: string): Promise<Point[]> {
  return inCopy(template, folder, async (home) => {
    const job = { home, act: template.operation.act(home) };
    const { outcome, lines } = await traceActor(job, { log: join(folder, "trace") });
    if (outcome.acknowledged !== true)
      throw new Error(`${template.operation.name} fails undisturbed: ${JSON.stringify(outcome)}`);
    return pointsOf(lines, home);
  });
}
