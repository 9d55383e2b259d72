import { mkdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createContext } from "../../../lib/core/context.ts";
import { openLibrary } from "../../../lib/library.ts";
import { openVault } from "../../../lib/vault/vault.ts";
import type { Row, Section } from "../section.ts";
import { withFolder } from "../temporary.ts";
import { createDice } from "./dice.ts";
import { checkHistory } from "./history.ts";
import { openHistory, readHistories, type Tried } from "./history-file.ts";
import { readHomeState } from "./home-state.ts";
import { reopenLater } from "./reopen.ts";
import { append, create, type Desk, patch, quarantine, restore, update } from "./swarm-writes.ts";
import { noMounts, withTmpfs } from "./tmpfs.ts";
import { problemOfBody, SPACE } from "./whole-text.ts";

const BLOCK = 4_096;
const DISK_BYTES = 3_145_728;
/** A change takes at most 3 blocks for its text thrice, and one each for claim, token and manifest. */
const STEPS = 28;
/** More than what is left of the ledger's last block. */
const EVENTS = 20;
/** What a full disk may answer a writer. */
const FULL = /^(?:CANONRY_DISK: |dropped$)/;

interface Step {
  readonly findings: readonly string[];
  readonly acknowledged: number;
  readonly refused: number;
  readonly dropped: number;
}

export const fullDisk: Section = {
  name: "full-disk",
  cannotRun: noMounts,
  async run({ form, log }) {
    const stride = form === "short" ? 5 : 1;
    const steps: Step[] = [];
    for (let free = 0; free <= STEPS; free += stride) {
      log(`full disk: ${free * 4} KiB are free`);
      const step = await withTmpfs(DISK_BYTES, (disk) => fillAndWork(disk, free * BLOCK));
      steps.push({ ...step, findings: step.findings.map((one) => `with ${free * 4} KiB free: ${one}`) });
    }
    const sum = (count: (step: Step) => number) => steps.reduce((total, step) => total + count(step), 0);
    const row: Row = {
      fault: `a full disk, at each ${stride * 4} KiB up to ${STEPS * 4}`,
      trials: sum((step) => step.acknowledged + step.refused + step.dropped),
      findings: steps.flatMap((step) => step.findings),
      figures: {
        acknowledged: sum((step) => step.acknowledged),
        refused: sum((step) => step.refused),
        "events dropped": sum((step) => step.dropped),
      },
    };
    return [row];
  },
};

/** Leaves so many bytes, does everything once, frees the disk and looks at what is there. */
function fillAndWork(disk: string, freeBytes: number): Promise<Step> {
  return withFolder(async (histories) => {
    const home = join(disk, "home");
    const history = openHistory(join(histories, "0.ndjson"));
    const notes: string[] = [];
    const log = { warn() {}, note: (line: string) => void notes.push(line) };
    const vault = openVault({ home, create: true, context: createContext({ log }) });
    const desk = (names: readonly string[]): Desk => ({
      vault,
      history,
      dice: createDice(7),
      names,
      agent: "a",
    });
    create(desk(["one"]));
    create(desk(["two"]));
    const before = await ask(home);
    fill(disk, freeBytes);
    for (let n = 0; n < EVENTS; n++) append(desk(["one"]));
    for (const act of [patch, update, append]) act(desk(["one"]));
    create(desk(["three"]));
    quarantine(desk(["two"]));
    restore(desk(["two"]));
    const during = await ask(home);
    vault.close();
    history.close();
    rmSync(join(disk, "filler"), { recursive: true });
    const findings = [...before, ...during, ...reopenLater(home)];
    return judge(histories, home, findings, notes);
  });
}

function judge(histories: string, home: string, findings: readonly string[], notes: readonly string[]): Step {
  const read = readHistories(histories);
  const isFull = (one: Tried) => one.outcome?.ok === false && FULL.test(one.outcome.code ?? "");
  const refused = read.tried.filter(isFull);
  const dropped = refused.filter((one) => one.op === "append").length;
  // a refused change counts as one of a killed process: all of it is there, or nothing
  const tried = read.tried.map((one) => (isFull(one) ? withoutOutcome(one) : one));
  const state = readHomeState(home);
  // the disk took the beginning of a line; whoever wrote it was told that it is dropped, and its neighbours are whole
  const torn = state.torn.slice(dropped);
  const counted = Number(/^(\d+) ledger events/.exec(notes.join())?.[1] ?? dropped);
  return {
    acknowledged: read.tried.filter((one) => one.outcome?.ok === true).length,
    refused: refused.length - dropped,
    dropped,
    findings: [
      ...findings,
      ...checkHistory({ ...read, tried }, { ...state, torn }),
      ...(dropped > 1 && counted !== dropped
        ? [`${dropped} events were dropped, ${notes.join()} is said`]
        : []),
    ],
  };
}

function withoutOutcome({ outcome: _, ...attempt }: Tried): Tried {
  return attempt;
}

/** A file that leaves just so much; small ones fill what blocks of the file system itself take. */
function fill(disk: string, freeBytes: number): void {
  mkdirSync(join(disk, "filler"));
  for (let n = 0; ; n++) {
    const { bavail, bsize } = statfsSync(disk);
    const left = bavail * bsize - freeBytes;
    if (left <= 0) return;
    writeFileSync(join(disk, "filler", String(n)), Buffer.alloc(left));
  }
}

/** Whoever reads is served, with the index or without. */
async function ask(home: string): Promise<string[]> {
  try {
    const library = await openLibrary({ home, fingerprint: SPACE, create: false });
    const { hits } = await library.search("one harness");
    const { body } = await library.read("one");
    const stub = await library.stub();
    await library.reindex();
    await library.close();
    const problem = problemOfBody(body);
    return [
      ...(problem === undefined ? [] : [`a torn read: ${problem}`]),
      ...(hits.length > 0 ? [] : ["the search found nothing"]),
      ...(stub.text.includes("one") ? [] : ["the stub is empty"]),
    ];
  } catch (error) {
    return [`reading failed: ${error instanceof Error ? error.stack : String(error)}`];
  }
}
