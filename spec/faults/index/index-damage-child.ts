/** Spoils an index again and again and asks it; one line of JSON a trial, begun before and filled in after. */
import { lstatSync, readFileSync, rmSync } from "node:fs";
import { createChance } from "../../support/chance.ts";
import { type DamageStage, isKept, makeStage } from "./damage-stage.ts";
import { MUTATIONS } from "./index-mutations.ts";

/** What this process is told. */
export interface DamageJob {
  readonly folder: string;
  readonly seed: number;
  readonly trials: number;
}

/** What it prints: without `ms` the trial has only begun. */
export interface DamageLine {
  readonly trial: number;
  readonly kind: string;
  readonly did?: string;
  readonly wrong?: readonly string[];
  /** Whether the index was kept aside, rather than used as it was. */
  readonly detected?: boolean;
  readonly ms?: number;
}

const { folder, seed, trials } = JSON.parse(process.argv[2] ?? "{}") as DamageJob;
const say = (line: DamageLine) => process.stdout.write(`${JSON.stringify(line)}\n`);
const stage = await makeStage(folder);
stage.restore();
const right = await fresh(stage);

for (let trial = 0; trial < trials; trial++) {
  const [kind, mutate] = MUTATIONS[trial % MUTATIONS.length] ?? ["", () => ""];
  say({ trial, kind });
  stage.restore();
  const did = mutate(stage, createChance(seed + trial));
  const begun = performance.now();
  const { wrong, detected } = await judge(stage, did, trial % 10 === 0);
  say({ trial, kind, did, wrong, detected, ms: performance.now() - begun });
}

/** The answers of an index that was never there. */
async function fresh(stage: DamageStage): Promise<string> {
  const opened = await stage.open();
  const kept = await opened.answers();
  await opened.close();
  stage.restore();
  rmSync(stage.dsn);
  const built = await stage.open();
  const answers = await built.answers();
  await built.close();
  if (kept !== answers) throw new Error("the stage's own index does not answer like a fresh one");
  return answers;
}

async function judge(
  stage: DamageStage,
  did: string,
  twice: boolean,
): Promise<{ wrong: string[]; detected: boolean }> {
  const spoilt = regular(stage.dsn);
  const wrong: string[] = [];
  const opened = await stage.open();
  try {
    if ((await opened.answers()) !== right) wrong.push("its answers are not those of a fresh index");
    // A flush that was won before and is finished now replaces what stands there, like any flush.
    const finished = did.includes("its temp is whole") && regular(stage.dsn)?.equals(stage.image) === true;
    if (spoilt !== undefined && !finished && !isKept(stage, spoilt))
      wrong.push("what stood there is not kept byte for byte");
    if (opened.warnings.some((line) => line.includes("lives in memory")))
      wrong.push(opened.warnings.join(" "));
    if (twice) await opened.keep();
  } finally {
    await opened.close();
  }
  if (twice) wrong.push(...(await again(stage)));
  return { wrong, detected: opened.warnings.some((line) => line.includes("kept as")) };
}

/** What was written in place of the damaged index is an index. */
async function again(stage: DamageStage): Promise<string[]> {
  const opened = await stage.open();
  try {
    const wrong: string[] = [];
    if ((await opened.answers()) !== right) wrong.push("the next open answers otherwise");
    const said = opened.warnings.filter((line) => !line.startsWith("stub:"));
    wrong.push(...said.map((line) => `the next open says: ${line}`));
    return wrong;
  } finally {
    await opened.close();
  }
}

function regular(path: string): Buffer | undefined {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true ? readFileSync(path) : undefined;
}
