import { join } from "node:path";
import { inParallel } from "../in-parallel.ts";
import type { Row } from "../section.ts";
import type { Operation } from "./operations.ts";
import { type Point, pointsOf, traceActor } from "./strace.ts";
import { inCopy, makeTemplate, type Template } from "./trial.ts";

const WIDTH = 3;

export interface Recorded {
  readonly template: Template;
  readonly points: readonly Point[];
}

/**
 * A template of each operation and its calls, undisturbed. One that cannot be prepared, or does not come out as it
 * should, is a row of its own with a finding: the others are tried all the same.
 */
export async function recordAll(
  operations: readonly Operation[],
  root: string,
): Promise<{ recorded: Recorded[]; failed: Row[] }> {
  const recorded: Recorded[] = [];
  const failed: Row[] = [];
  await inParallel(WIDTH, operations, async (operation, nth) => {
    try {
      const template = await makeTemplate(root, operation);
      recorded[nth] = { template, points: await record(template, join(root, `recording-${nth}`)) };
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      const findings = [`${operation.name}, undisturbed: ${why}`];
      failed.push({ fault: `${operation.name}, undisturbed`, trials: 1, findings });
    }
  });
  return { recorded: recorded.filter((one) => one !== undefined), failed };
}

async function record(template: Template, folder: string): Promise<Point[]> {
  return inCopy(template, folder, async (home) => {
    const job = { home, act: template.operation.act(home) };
    const { outcome, lines } = await traceActor(job, { log: join(folder, "trace") });
    if (outcome.acknowledged !== true) throw new Error(`it came out as ${JSON.stringify(outcome)}`);
    return pointsOf(lines, home);
  });
}
