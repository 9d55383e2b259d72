import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openLibrary } from "../../../lib/library.ts";
import { openVault } from "../../../lib/vault/vault.ts";
import type { Row, Scale, Section } from "../section.ts";
import { keepCopy, withFolder } from "../temporary.ts";
import { verified } from "../verified.ts";
import { createDice, type Dice } from "./dice.ts";
import { strike } from "./fate.ts";
import { type Berth, endOf, startScript } from "./fleet.ts";
import { checkHistory } from "./history.ts";
import { type History, readHistories } from "./history-file.ts";
import { type HomeState, readHomeState } from "./home-state.ts";
import { reopenLater } from "./reopen.ts";
import type { ActorJob } from "./swarm-actor.ts";
import { SPACE } from "./whole-text.ts";

/** One run of the swarm. */
interface Sea {
  readonly processes: number;
  readonly seconds: number;
  readonly killsPerSecond: number;
  /** How long one process is stopped in the middle of what it does. */
  readonly stopMs: number;
  /** How often one is held up for a moment, wherever it is: another order of their calls each time. */
  readonly pausesPerSecond: number;
  /** How many skills they work on. */
  readonly skills: number;
  readonly seed: number;
}

interface Voyage {
  readonly kills: number;
  /** How many of them, and whether the stop, struck in the middle of a change. */
  readonly midway: number;
  readonly stopped: boolean;
  readonly pauses: number;
  readonly problems: readonly string[];
}

type Figures = Readonly<Record<string, number>>;

const READERS = 1;
const PAUSES_MS = [1, 5, 20, 80, 400, 1_600];
/** How long after the end the last process may still be at work. */
const PATIENCE_MS = 60_000;

export const swarm: Section = {
  name: "swarm",
  cannotRun: () => (process.platform === "win32" ? "there are no signals on Windows" : undefined),
  async run(scale) {
    const rows: Row[] = [];
    for (const sea of seasOf(scale)) rows.push(await runOne(sea, scale));
    return rows;
  },
};

function seasOf({ form }: Scale): Sea[] {
  const usual = { pausesPerSecond: 0, skills: 30 };
  if (form === "short")
    return [{ ...usual, processes: 8, seconds: 12, killsPerSecond: 3, stopMs: 3_000, seed: 8 }];
  const long = { seconds: 60, killsPerSecond: 1, stopMs: 15_000 };
  return [
    ...[8, 16, 32, 64].map((processes) => ({ ...usual, ...long, processes, seed: processes })),
    { ...long, pausesPerSecond: 40, skills: 3, processes: 16, seed: 40 },
  ];
}

async function runOne(sea: Sea, { log }: Scale): Promise<Row> {
  return withFolder(async (folder) => {
    log(`swarm: ${sea.processes} processes for ${sea.seconds} s`);
    const [home, histories] = [join(folder, "home"), join(folder, "histories")];
    mkdirSync(histories);
    openVault({ home, create: true }).close();
    const voyage = await sail(sea, home, histories);
    const reopened = await reopen(home);
    const history = readHistories(histories);
    const state = readHomeState(home);
    const findings = [
      ...voyage.problems,
      ...reopened,
      ...checkHistory(history, state),
      ...(await verified(home)),
    ];
    if (findings.length > 0) log(`swarm: home and histories are kept in ${keepCopy(folder)}`);
    return {
      fault: `${sea.processes} processes, mixed work, ${sea.killsPerSecond} kills a second, a stop of ${sea.stopMs / 1_000} s${sea.pausesPerSecond === 0 ? "" : `, ${sea.pausesPerSecond} pauses a second on ${sea.skills} skills`}`,
      trials: history.tried.length,
      findings,
      figures: figuresOf(sea, voyage, history, state),
    };
  });
}

async function sail(sea: Sea, home: string, histories: string): Promise<Voyage> {
  const dice = createDice(sea.seed);
  const untilMs = Date.now() + sea.seconds * 1_000;
  const job = (slot: number, generation: number): ActorJob => ({
    home,
    history: join(histories, `${slot}.${generation}.ndjson`),
    names: Array.from({ length: sea.skills }, (_, n) => `skill-${n + 1}`),
    agent: `agent-${slot}`,
    seed: dice.roll(2 ** 31),
    role: slot < sea.processes ? "mixed" : "reader",
    untilMs,
  });
  const start = (slot: number, generation: number): Berth => {
    const given = job(slot, generation);
    const child = startScript("./swarm-actor.js", given);
    const ended = endOf(child).then(({ problem }) => problem);
    return { slot, generation, history: given.history, child, ended, stopped: false };
  };
  const berths = Array.from({ length: sea.processes + READERS }, (_, slot) => start(slot, 0));
  const problems: string[] = [];
  const [struck, stopped, pauses] = await Promise.all([
    killNowAndThen(berths, start, dice, sea, untilMs, problems),
    stopOne(berths, dice, sea.stopMs, untilMs),
    pauseNowAndThen(berths, sea, untilMs),
  ]);
  for (const berth of berths) problems.push(...(await lastWord(berth)));
  return { ...struck, stopped, pauses, problems };
}

/** A random process again and again, and another in its place. */
async function killNowAndThen(
  berths: Berth[],
  start: (slot: number, generation: number) => Berth,
  dice: Dice,
  { killsPerSecond }: Sea,
  untilMs: number,
  problems: string[],
): Promise<{ kills: number; midway: number }> {
  let kills = 0;
  let midway = 0;
  for (; Date.now() < untilMs - 2_000; kills++) {
    await sleep(dice.roll(2_000 / killsPerSecond));
    const berth = dice.pick(berths.filter((one) => !one.stopped));
    const { slot, generation, ended } = berth;
    if (await strike(berth, "SIGKILL")) midway++;
    const problem = await ended;
    if (problem !== undefined) problems.push(`process ${slot}.${generation}: ${problem}`);
    berths[slot] = start(slot, generation + 1);
  }
  return { kills, midway };
}

/** How many pauses there were; all are over when it resolves. */
async function pauseNowAndThen(
  berths: readonly Berth[],
  { pausesPerSecond, seed }: Sea,
  untilMs: number,
): Promise<number> {
  const dice = createDice(seed);
  const pauses: Promise<void>[] = [];
  while (pausesPerSecond > 0 && Date.now() < untilMs - 2_000) {
    await sleep(dice.roll(2_000 / pausesPerSecond));
    const { child, stopped } = dice.pick(berths);
    if (stopped) continue;
    child.kill("SIGSTOP");
    pauses.push(sleep(dice.pick(PAUSES_MS)).then(() => void child.kill("SIGCONT")));
  }
  await Promise.all(pauses);
  return pauses.length;
}

/** Two thirds of the time to go on and find out that the others did not wait. */
async function stopOne(berths: Berth[], dice: Dice, stopMs: number, untilMs: number): Promise<boolean> {
  await sleep((untilMs - Date.now()) * 0.3 + dice.roll(100));
  const berth = dice.pick(berths.slice(0, -READERS));
  berth.stopped = true;
  const midway = await strike(berth, "SIGSTOP");
  await sleep(stopMs);
  berth.child.kill("SIGCONT");
  berth.stopped = false;
  return midway;
}

async function lastWord({ slot, generation, child, ended }: Berth): Promise<string[]> {
  const patience = new AbortController();
  const late = sleep(PATIENCE_MS, "late", { signal: patience.signal }).catch(() => "");
  const problem = await Promise.race([ended, late]);
  patience.abort();
  if (problem === "late") child.kill("SIGKILL");
  return problem === undefined ? [] : [`process ${slot}.${generation}: ${problem}`];
}

/** Tidies up; whoever asks the library then hears of the files as they are. */
async function reopen(home: string): Promise<string[]> {
  const findings = reopenLater(home);
  const library = await openLibrary({ home, fingerprint: SPACE, create: false });
  const listed = (await library.list()).map((one) => one.name).sort();
  await library.close();
  const standing = readHomeState(home).files.filter((one) => one.place === "canon");
  const names = standing.map((one) => one.name).sort();
  if (listed.join() !== names.join())
    findings.push(`the index lists ${listed.join(", ")}; the files are ${names.join(", ")}`);
  return findings;
}

function figuresOf(sea: Sea, voyage: Voyage, history: History, state: HomeState): Figures {
  const outcomes = history.tried.flatMap((one) => (one.outcome === undefined ? [] : [one.outcome]));
  const won = history.tried.filter((one) => one.op !== "append" && one.outcome?.ok === true);
  return {
    acknowledged: outcomes.filter((one) => one.ok).length,
    conflicts: outcomes.filter((one) => one.code === "CANONRY_CONFLICT").length,
    killed: history.tried.length - outcomes.length,
    "changes/s": Math.round(won.length / sea.seconds),
    kills: voyage.kills,
    "of them midway": voyage.midway,
    "stops midway": voyage.stopped ? 1 : 0,
    ...(sea.pausesPerSecond === 0 ? {} : { pauses: voyage.pauses }),
    "raw reads": history.reads["raw"] ?? 0,
    versions: state.manifests.length,
  };
}
