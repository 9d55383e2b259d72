import { join } from "node:path";
import { inParallel } from "../in-parallel.ts";
import type { Row } from "../section.ts";
import { traceActor } from "./strace.ts";
import { checkTrial, inCopy, type Template } from "./trial.ts";

const WIDTH = 3;

/** A file system that knows no hard links, as exFAT and some network mounts: every operation comes to its end all the same. */
export async function noLinks(templates: readonly Template[], root: string): Promise<Row> {
  const row = { fault: "a file system without hard links", trials: 0, findings: [] as string[] };
  await inParallel(WIDTH, templates, async (template, nth) => {
    const folder = join(root, `linkless-${nth}`);
    await inCopy(template, folder, async (home) => {
      const job = { home, act: template.operation.act(home) };
      const inject = ["?link,?linkat:error=EPERM"];
      const { outcome } = await traceActor(job, { log: join(folder, "trace"), inject });
      row.trials++;
      const found = await checkTrial(template, home, outcome);
      if (outcome.acknowledged !== true) found.push(`not done: ${JSON.stringify(outcome)}`);
      row.findings.push(...found.map((one) => `${template.operation.name} without links: ${one}`));
    });
  });
  return row;
}
