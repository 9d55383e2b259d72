/** One process that does what it is told, in order; with `stopAt` it stops itself before that call of the first act. */
import { openVault } from "../../../lib/vault/vault.ts";
import { createDice } from "./dice.ts";
import { beforeEachCall } from "./fs-hook.ts";
import { openHistory } from "./history-file.ts";
import { type Act, append, create, type Desk, patch, quarantine, restore, update } from "./swarm-writes.ts";

const ACTS = { append, create, patch, quarantine, restore, update } satisfies Record<string, Act>;

export type ActName = keyof typeof ACTS;

export interface ScriptJob {
  readonly home: string;
  readonly history: string;
  readonly name: string;
  readonly acts: readonly ActName[];
  /** Before which of those calls it stops, from 1; 0 for never. */
  readonly stopAt: number;
  /** Which calls count; all where none is named. */
  readonly calls: readonly string[];
}

function main(job: ScriptJob): void {
  const history = openHistory(job.history);
  const dice = createDice(job.stopAt);
  const vault = openVault({ home: job.home });
  const desk: Desk = { vault, history, dice, names: [job.name], agent: `script-${job.stopAt}` };
  let calls = 0;
  if (job.stopAt > 0)
    beforeEachCall((call, path) => {
      if (!history.midway || (job.calls.length > 0 && !job.calls.includes(call))) return;
      if (++calls !== job.stopAt) return;
      process.stdout.write(`${call} ${path}\n`);
      process.kill(process.pid, "SIGSTOP");
    });
  for (const act of job.acts) ACTS[act](desk);
  vault.close();
  history.close();
}

main(JSON.parse(process.argv[2] ?? "{}") as ScriptJob);
