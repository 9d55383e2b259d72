/** One process of the swarm: does what its role does, at random, until its time is over; every step is written down. */
import { setTimeout as sleep } from "node:timers/promises";
import { openVault } from "../../../lib/vault/vault.ts";
import { createDice } from "./dice.ts";
import { awaitFate } from "./fate.ts";
import { openHistory } from "./history-file.ts";
import { askLibrary, readRaw, type Shelf } from "./swarm-reads.ts";
import { type Act, append, create, type Desk, patch, quarantine, restore, update } from "./swarm-writes.ts";

export interface ActorJob {
  readonly home: string;
  /** The file to write down in; outside the home. */
  readonly history: string;
  readonly names: readonly string[];
  readonly agent: string;
  readonly seed: number;
  /** `mixed` writes and asks, `reader` only reads raw files. */
  readonly role: "mixed" | "reader";
  /** Milliseconds since the epoch. */
  readonly untilMs: number;
}

const WRITES: readonly Act[] = [
  ...[create, create, patch, patch, patch, patch],
  ...[update, update, update, update, append, append, append, quarantine, restore, restore],
];

async function main(job: ActorJob): Promise<void> {
  const history = openHistory(job.history);
  const dice = createDice(job.seed);
  awaitFate(job.history, history, dice);
  const shelf: Shelf = { home: job.home, history, dice, names: job.names };
  if (job.role === "reader") await readOn(job, shelf);
  else await writeOn(job, shelf);
  await shelf.library?.close();
  history.close();
}

async function writeOn(job: ActorJob, shelf: Shelf): Promise<void> {
  const { history, dice, names } = shelf;
  const desk: Desk = { vault: openVault({ home: job.home }), history, dice, names, agent: job.agent };
  while (Date.now() < job.untilMs) {
    if (dice.roll(10) === 0) await askLibrary(shelf);
    else dice.pick(WRITES)(desk);
  }
  desk.vault.close();
}

/** Pauses leave the two cores to the writers. */
async function readOn(job: ActorJob, shelf: Shelf): Promise<void> {
  while (Date.now() < job.untilMs) {
    readRaw(shelf);
    await sleep(2);
  }
}

await main(JSON.parse(process.argv[2] ?? "{}") as ActorJob);
