import { statSync } from "node:fs";
import { join } from "node:path";
import { inParallel } from "../in-parallel.ts";
import type { Row } from "../section.ts";
import { filesOf } from "./check-home.ts";
import { type Traced, traceActor } from "./strace.ts";
import { checkTrial, inCopy, type Template } from "./trial.ts";

const WIDTH = 3;

interface Cut {
  readonly template: Template;
  readonly fileBytes: number;
}

/**
 * Writes that the kernel itself cuts half way, at a limit on the length of files that it keeps to byte by byte; the
 * rest is refused. Then the same again, and the process is killed before it can do anything about it.
 */
export async function shortWrites(
  templates: readonly Template[],
  root: string,
  most: number,
): Promise<Row[]> {
  const refused = { fault: "a write cut half way", trials: 0, findings: [] as string[] };
  const killed = { fault: "a write cut half way, then death", trials: 0, findings: [] as string[] };
  const all = templates.flatMap((template) =>
    cutsOf(template.home).map((fileBytes): Cut => ({ template, fileBytes })),
  );
  const cuts = all.filter((_, n) => n % Math.ceil(all.length / most) === 0);
  await inParallel(WIDTH, cuts, async (cut, nth) => {
    const folder = join(root, `cut-${nth}`);
    const nthWrite = await tryCut(cut, folder, undefined, refused);
    if (nthWrite !== undefined) await tryCut(cut, folder, nthWrite, killed);
  });
  return [refused, killed];
}

/** Below the smallest object, below a claim, below a skill; ten bytes more than the ledger and the journal have. */
function cutsOf(home: string): number[] {
  const appended = filesOf(home).filter((path) => /^ledger\/|^LIBRARIAN\.md$/.test(path));
  return [5, 700, 4_096, ...appended.map((path) => statSync(join(home, path)).size + 10)];
}

/** Which write was cut, or undefined where none was. With `killAfter` the process dies at the one after that. */
async function tryCut(
  { template, fileBytes }: Cut,
  folder: string,
  killAfter: number | undefined,
  row: { trials: number; findings: string[] },
): Promise<number | undefined> {
  return inCopy(template, folder, async (home) => {
    const job = { home, act: template.operation.act(home) };
    const deaths = [`write:signal=KILL:when=${(killAfter ?? 0) + 1}`, "?writev:signal=KILL:when=1"];
    const inject = killAfter === undefined ? [] : deaths;
    const traced = await traceActor(job, { log: join(folder, "trace"), fileBytes, inject });
    const nthWrite = firstCut(traced);
    if (nthWrite !== undefined) row.trials++;
    const found = await checkTrial(template, home, traced.outcome, {
      tornLines: nthWrite === undefined ? 0 : 1,
    });
    const where = `${template.operation.name}, files cut at ${fileBytes} bytes, ${killAfter === undefined ? "refused" : "killed"}`;
    row.findings.push(...found.map((one) => `${where}: ${one}`));
    return nthWrite;
  });
}

function firstCut({ lines }: Traced): number | undefined {
  const writes = lines.filter((line) => line.startsWith("write("));
  const at = writes.findIndex((line) => {
    const [, asked, wrote] = /, (\d+)\)\s+= (-?\d+)/.exec(line) ?? [];
    return wrote !== undefined && Number(wrote) >= 0 && asked !== wrote;
  });
  return at === -1 ? undefined : at + 1;
}
