import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openLibrary } from "../../../lib/library.ts";
import { openVault } from "../../../lib/vault/vault.ts";
import { REPO } from "../../support/library.ts";
import type { Row, Scale, Section } from "../section.ts";
import { createDice, type Dice } from "../swarm/dice.ts";
import { startScript } from "../swarm/fleet.ts";
import { withFolder } from "../temporary.ts";
import { flushOrder } from "./flush-order.ts";
import type { IndexJob, IndexSaying } from "./index-actor.ts";
import { readDeeds } from "./index-history.ts";

type Role = IndexJob["role"];

interface Run {
  readonly folder: string;
  readonly home: string;
  readonly dice: Dice;
  readonly seconds: number;
  readonly stopMs: number;
  readonly roles: readonly Role[];
}

interface Seat {
  readonly role: Role;
  child: ReturnType<typeof startScript>;
  stopped: boolean;
}

interface Tally {
  readonly findings: string[];
  readonly did: Record<Role, number>;
  kills: number;
  stops: number;
}

const SEED = 20_261_130;
/** How long after the end the last process may still be at work. */
const PATIENCE_MS = 60_000;

/** Writers, long-lived searchers and flushers over one index, killed and stopped at random. */
export const indexProcesses: Section = {
  name: "index processes",
  cannotRun: () => (process.platform === "win32" ? "there are no signals on Windows" : undefined),
  run: (scale) => withFolder((folder) => run(folder, scale)),
};

async function run(folder: string, { form, log }: Scale): Promise<Row[]> {
  const long = form === "long";
  const home = join(folder, "home");
  openVault({ home, create: true }).close();
  mkdirSync(join(folder, "histories"));
  const few: Role[] = ["watcher", "writer", "searcher", "searcher", "flusher", "flusher"];
  const roles: Role[] = long ? [...few, "writer", "searcher", "flusher", "flusher"] : few;
  const one: Run = {
    folder,
    home,
    dice: createDice(SEED),
    seconds: long ? 60 : 8,
    stopMs: long ? 5_000 : 1_500,
    roles,
  };
  log(`index processes: ${roles.length} processes for ${one.seconds} s, seed ${SEED}`);
  const tally: Tally = {
    findings: [],
    did: { writer: 0, searcher: 0, flusher: 0, watcher: 0 },
    kills: 0,
    stops: 0,
  };
  await disturb(one, tally);
  tally.findings.push(...(await afterwards(home)));
  const acknowledged = [...readDeeds(join(folder, "histories")).values()].reduce(
    (sum, told) => sum + told.begun + 1,
    0,
  );
  return [
    {
      fault: `index under ${roles.length} processes, killed and stopped`,
      trials: tally.did.searcher,
      findings: tally.findings,
      figures: {
        writes: acknowledged,
        flushes: newestClaim(home),
        "looks at the image": tally.did.watcher,
        kills: tally.kills,
        stops: tally.stops,
      },
    },
    await flushOrder(),
  ];
}

async function disturb(one: Run, tally: Tally): Promise<void> {
  const seats = one.roles.map(
    (role, at): Seat => ({ role, child: start(one, tally, role, `${role}${at}-0`), stopped: false }),
  );
  const until = Date.now() + one.seconds * 1_000;
  for (let round = 1; Date.now() < until; round++) {
    await sleep(700 + one.dice.roll(400));
    const at = one.dice.roll(seats.length);
    const seat = seats[at];
    if (seat === undefined || seat.role === "watcher" || seat.stopped) continue;
    if (one.dice.roll(3) === 0) {
      tally.stops++;
      pauseFor(seat, one.stopMs);
    } else {
      tally.kills++;
      seat.child.kill("SIGKILL");
      seat.child = start(one, tally, seat.role, `${seat.role}${at}-${round}`);
    }
  }
  writeFileSync(join(one.folder, "end"), "");
  const ended = await Promise.race([
    Promise.all(seats.map((seat) => closed(seat.child))),
    sleep(PATIENCE_MS, undefined, { ref: false }),
  ]);
  if (ended !== undefined) return;
  tally.findings.push(`a process was still at work ${PATIENCE_MS / 1_000} s after the end`);
  for (const seat of seats) seat.child.kill("SIGKILL");
}

function pauseFor(seat: Seat, ms: number): void {
  const { child } = seat;
  seat.stopped = true;
  child.kill("SIGSTOP");
  setTimeout(() => {
    child.kill("SIGCONT");
    seat.stopped = false;
  }, ms);
}

function start({ folder, home, dice }: Run, tally: Tally, role: Role, self: string): Seat["child"] {
  const job: IndexJob = {
    role,
    home,
    histories: join(folder, "histories"),
    self,
    seed: dice.roll(1_000_000),
    end: join(folder, "end"),
  };
  const child = startScript("../index/index-actor.js", job);
  let [rest, errors] = ["", ""];
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const { did, wrong } = JSON.parse(line) as IndexSaying;
      if (did !== undefined) tally.did[role] += did;
      const finding = `${self}: ${wrong}`;
      if (wrong !== undefined && !tally.findings.includes(finding)) tally.findings.push(finding);
    }
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    errors = (errors + text).slice(-2_000);
  });
  child.on("close", (code, signal) => {
    if (code !== 0 && signal !== "SIGKILL")
      tally.findings.push(`${self} ended with ${code ?? signal}: ${errors.trim()}`);
  });
  return child;
}

function closed(child: Seat["child"]): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => child.on("close", () => resolve()));
}

/** The index that was left answers like one that is built now, and a minute later there is no leftover. */
async function afterwards(home: string): Promise<string[]> {
  const findings: string[] = [];
  const kept = await listed(home, findings);
  rmSync(join(home, "index.sqlite"));
  if (kept !== (await listed(home, findings)))
    findings.push("the index that was left lists otherwise than a fresh one");
  for (const folder of [home, join(home, "local", "index")])
    for (const name of readdirSync(folder))
      if (/\.(?:bak|tmp-)/.test(name)) findings.push(`${name} was left over`);
  return findings;
}

async function listed(home: string, findings: string[]): Promise<string> {
  const library = await openLibrary({
    home,
    create: false,
    fingerprint: REPO,
    clock: () => Date.now() + 61_000,
    log: { warn: (line) => void findings.push(`afterwards: ${line}`), note() {} },
  });
  try {
    return JSON.stringify(await library.list({ all: true }));
  } finally {
    await library.close();
  }
}

function newestClaim(home: string): number {
  const names = readdirSync(join(home, "local", "index"));
  return Math.max(0, ...names.map((name) => Number(/\.(\d+)\.json$/.exec(name)?.[1] ?? 0)));
}
