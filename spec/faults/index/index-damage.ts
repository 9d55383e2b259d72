import type { Row, Scale, Section } from "../section.ts";
import { startScript } from "../swarm/fleet.ts";
import { withFolder } from "../temporary.ts";
import type { DamageJob, DamageLine } from "./index-damage-child.ts";

/** Longer than any trial takes, whatever else the machine does. */
const SILENCE_MS = 60_000;

/** T-R4: an index that is spoilt in any way is found out or does no harm, and answers like one built from the files. */
export const indexDamage: Section = {
  name: "index damage",
  cannotRun: () => (process.platform === "win32" ? "Windows has no named pipes" : undefined),
  run: (scale) => withFolder((folder) => damage(folder, scale)),
};

async function damage(folder: string, { form, log }: Scale): Promise<Row[]> {
  const job: DamageJob = { folder, seed: 20_261_130, trials: form === "long" ? 1_000 : 100 };
  log(`index damage: ${job.trials} trials, seed ${job.seed}`);
  const lines = new Map<number, DamageLine>();
  const problem = await told(job, (line) => {
    lines.set(line.trial, line);
    if (line.ms !== undefined && line.trial % 200 === 199)
      log(`index damage: ${line.trial + 1} of ${job.trials}`);
  });
  const done = [...lines.values()].filter((line) => line.ms !== undefined);
  const findings = done.flatMap(({ trial, kind, did, wrong = [] }) =>
    wrong.map((one) => `seed ${job.seed + trial} (${kind}: ${did}): ${one}`),
  );
  const open = [...lines.values()].find((line) => line.ms === undefined);
  if (problem !== undefined)
    findings.push(`seed ${job.seed + (open?.trial ?? 0)} (${open?.kind ?? "the stage"}): ${problem}`);
  const times = done.map((line) => line.ms ?? 0).toSorted((a, b) => a - b);
  return [
    {
      fault: "index spoilt, or what stands beside it",
      trials: done.length,
      findings,
      figures: {
        kinds: new Set(done.map((line) => line.kind)).size,
        "kept aside": done.filter((line) => line.detected === true).length,
        harmless: done.filter((line) => line.detected === false).length,
        "p50 ms": Math.round(times[Math.floor(times.length / 2)] ?? 0),
      },
    },
  ];
}

/** Hears a process out; why it did not come to its end, or undefined. */
function told(job: DamageJob, hear: (line: DamageLine) => void): Promise<string | undefined> {
  const child = startScript("../index/index-damage-child.js", job);
  return new Promise((resolve) => {
    let [rest, errors, hung] = ["", "", false];
    const timer = setTimeout(() => {
      hung = true;
      child.kill("SIGKILL");
    }, SILENCE_MS);
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      timer.refresh();
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) hear(JSON.parse(line) as DamageLine);
    });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      errors = (errors + text).slice(-2_000);
    });
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      if (hung) resolve(`it hung for ${SILENCE_MS / 1_000} s`);
      else resolve(code === 0 ? undefined : `it ended with ${code ?? signal}: ${errors.trim()}`);
    });
  });
}
