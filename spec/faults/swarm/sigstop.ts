import type { ChildProcess } from "node:child_process";
import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openVault } from "../../../lib/vault/vault.ts";
import type { Row, Section } from "../section.ts";
import { withFolder } from "../temporary.ts";
import { isStopped } from "./fate.ts";
import { endOf, startScript } from "./fleet.ts";
import { checkHistory } from "./history.ts";
import { readHistories } from "./history-file.ts";
import { readHomeState } from "./home-state.ts";
import { reopenLater } from "./reopen.ts";
import type { ActName, ScriptJob } from "./script-actor.ts";

interface Operation {
  readonly act: ActName;
  readonly before: readonly ActName[];
}

/** What the one that stops was doing, and what must be there for it. */
const OPERATIONS: readonly Operation[] = [
  { act: "patch", before: ["create"] },
  { act: "create", before: [] },
  { act: "update", before: ["create"] },
  { act: "quarantine", before: ["create"] },
  { act: "restore", before: ["create", "quarantine"] },
  { act: "append", before: [] },
];
/** What others do meanwhile: with it as it was left, and with what they make of it. */
const MEANWHILE: readonly ActName[] = [
  "create",
  "update",
  "append",
  "quarantine",
  "restore",
  "patch",
  "update",
];
/** No wait of the protocol is longer, but for the queue of `update`, which passes over who is stopped. */
const LONGER_THAN_ANY_WAIT_MS = 1_300;
const AT_ONCE = 6;
/** The calls that decide something; the short form stops before these alone. */
const DECISIVE = ["linkSync", "renameSync", "writeSync"];

interface Stop {
  /** Where it stopped; undefined where the operation has fewer calls than that. */
  readonly at?: string;
  readonly outcome: string;
  readonly findings: readonly string[];
}

export const sigstop: Section = {
  name: "sigstop",
  cannotRun: () => (process.platform === "linux" ? undefined : "stopped processes are found in /proc"),
  async run({ form, log }) {
    const rows: Row[] = [];
    for (const operation of OPERATIONS) {
      const { act } = operation;
      log(`sigstop: ${act}`);
      const stops = await sweep(operation, form === "short" ? DECISIVE : []);
      const count = (outcome: string) => stops.filter((one) => one.outcome === outcome).length;
      rows.push({
        fault: `${act}: stopped before each call, others go on, then it wakes`,
        trials: stops.length,
        findings: stops.flatMap((one) => one.findings.map((finding) => `before ${one.at}: ${finding}`)),
        figures: { acknowledged: count("acknowledged"), conflict: count("conflict"), other: count("other") },
      });
    }
    return rows;
  },
};

/** Each of those calls of the operation, some at once since most of it is waiting. */
async function sweep({ act, before }: Operation, counted: readonly string[]): Promise<Stop[]> {
  return withFolder(async (template) => {
    const [home, histories] = [join(template, "home"), join(template, "histories")];
    mkdirSync(histories);
    openVault({ home, create: true }).close();
    const prepared = await run(template, "before", { acts: before, stopAt: 0, calls: [] }).end;
    if (prepared.problem !== undefined) throw new Error(prepared.problem);
    const stops: Stop[] = [];
    for (let from = 1; ; from += AT_ONCE) {
      const points = Array.from({ length: AT_ONCE }, (_, n) => from + n);
      const found = await Promise.all(
        points.map((stopAt) => stopOnce(template, { acts: [act], stopAt, calls: counted })),
      );
      stops.push(...found.filter((one) => one.at !== undefined));
      if (found.some((one) => one.at === undefined)) return stops;
    }
  });
}

type Part = Pick<ScriptJob, "acts" | "stopAt" | "calls">;

function run(folder: string, who: string, part: Part) {
  const history = join(folder, "histories", `${who}.ndjson`);
  const job: ScriptJob = { home: join(folder, "home"), history, name: "one", ...part };
  const child = startScript("./script-actor.js", job);
  return { child, end: endOf(child) };
}

function stopOnce(template: string, part: Part): Promise<Stop> {
  return withFolder(async (folder) => {
    cpSync(template, folder, { recursive: true });
    const home = join(folder, "home");
    const sleeper = run(folder, "sleeper", part);
    if (!(await comesToStop(sleeper))) return { outcome: "ended", findings: [] };
    const [others] = await Promise.all([
      run(folder, "others", { acts: MEANWHILE, stopAt: 0, calls: [] }).end,
      sleep(LONGER_THAN_ANY_WAIT_MS),
    ]);
    sleeper.child.kill("SIGCONT");
    const woken = await sleeper.end;
    const problems = [others, woken].flatMap(({ problem }) => problem ?? []);
    const warnings = reopenLater(home);
    const history = readHistories(join(folder, "histories"));
    const own = history.tried.filter((one) => one.by === "sleeper.ndjson").at(-1)?.outcome;
    return {
      at: `call ${part.stopAt} (${woken.out.trim().replaceAll(home, "")})`,
      outcome: own?.ok === true ? "acknowledged" : own?.code === "CANONRY_CONFLICT" ? "conflict" : "other",
      findings: [...problems, ...warnings, ...checkHistory(history, readHomeState(home))],
    };
  });
}

/** False where it came to its end instead. */
async function comesToStop({ child, end }: { child: ChildProcess; end: Promise<unknown> }): Promise<boolean> {
  let ended = false;
  void end.then(() => {
    ended = true;
  });
  while (!ended && !isStopped(child.pid)) await sleep(5);
  return !ended && child.exitCode === null;
}
