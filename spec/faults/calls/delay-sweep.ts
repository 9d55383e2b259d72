import { join } from "node:path";
import { inParallel } from "../in-parallel.ts";
import type { Row, Scale, Section } from "../section.ts";
import { withFolder } from "../temporary.ts";
import { type Held, heldPoints } from "./held-points.ts";
import { type Operation, PATCH, QUARANTINE, RESTORE, UPDATE } from "./operations.ts";
import { recordAll } from "./record.ts";
import { RIVALS, type Rival } from "./rivals.ts";
import { cannotTrace, linesOf, type Point, traceActor } from "./strace.ts";
import { inCopy, type Template } from "./trial.ts";

const WIDTH = 3;
/** How long the call is held up; a second time, where the other one was not done by then. */
const DELAYS_MS = Object.freeze([300, 2_000]);
const OPERATIONS: readonly Operation[] = Object.freeze([PATCH, UPDATE, QUARANTINE, RESTORE]);

interface Shot extends Held {
  readonly template: Template;
  readonly rival: Rival;
}

interface Tally {
  trials: number;
  missed: number;
  lost: string[];
  findings: string[];
}

/**
 * One process is held up in front of a call while another, or an editor that takes no part, changes the same skill:
 * one winner, and nobody's text is gone. One loss is counted apart and is known: an editor that saves by rename after
 * the process has kept what stood there and before its own rename, since Node can exchange no two names.
 */
export const delaySweep: Section = {
  name: "delay sweep",
  cannotRun: cannotTrace,
  run: (scale) => withFolder((root) => sweep(root, scale)),
};

async function sweep(root: string, scale: Scale): Promise<Row[]> {
  const { recorded, failed } = await recordAll(OPERATIONS, root);
  const all = recorded.flatMap(({ template, points }) => shotsAt(template, points));
  const shots = scale.form === "long" ? all : chosen(all);
  scale.log(`${shots.length} delays of ${all.length}`);
  const tallies = new Map<Rival, Tally>();
  for (const rival of RIVALS) tallies.set(rival, { trials: 0, missed: 0, lost: [], findings: [] });
  await inParallel(WIDTH, shots, async (shot, nth) => {
    const tally = tallies.get(shot.rival);
    if (tally !== undefined) await holdUp(shot, join(root, `trial-${nth}`), tally);
  });
  const rows = [...tallies].map(([rival, { trials, missed, lost, findings }]): Row => {
    const figures = {
      "not in time": missed,
      ...(rival.knownLoss === undefined
        ? {}
        : { [rival.knownLoss]: lost.length, where: lost.join("; ") || "-" }),
    };
    return { fault: `held up while ${rival.name}`, trials, findings, figures };
  });
  return [...rows, ...failed];
}

function shotsAt(template: Template, points: readonly Point[]): Shot[] {
  return heldPoints(points).flatMap((held) =>
    RIVALS.filter((rival) => rival.untilClaim !== true || held.unclaimed || held.claims).map((rival) => ({
      template,
      rival,
      ...held,
    })),
  );
}

/**
 * The calls that decide, of a change and of a move; of an update, which is a change made anew, its claim alone. A line
 * that is waited for means nothing to editors.
 */
function chosen(all: readonly Shot[]): Shot[] {
  return all.filter(({ template: { operation }, decides, claims, waitedFor, rival }) => {
    if (operation === RESTORE || (waitedFor && rival.edits === true)) return false;
    return operation === UPDATE ? claims : decides;
  });
}

async function holdUp(shot: Shot, folder: string, tally: Tally): Promise<void> {
  const { template, point, rival, inGap, waitedFor } = shot;
  for (const delayMs of DELAYS_MS) {
    const { inTime, found } = await tryOnce(shot, folder, delayMs);
    if (!inTime && !waitedFor && delayMs !== DELAYS_MS.at(-1)) continue;
    tally.trials++;
    if (!inTime && !waitedFor) tally.missed++;
    const where = `${template.operation.name}, held up at ${point.call} ${point.nth} (${point.text.slice(0, 160)}) while ${rival.name}`;
    const known = (one: string) => rival.isKnown(one, inGap);
    tally.lost.push(
      ...found.filter(known).map(() => `${template.operation.name} at ${point.call} ${point.nth}`),
    );
    tally.findings.push(...found.filter((one) => !known(one)).map((one) => `${where}: ${one}`));
    return;
  }
}

async function tryOnce(
  { template, point, rival, unclaimed }: Shot,
  folder: string,
  delayMs: number,
): Promise<{ inTime: boolean; found: string[] }> {
  const { operation } = template;
  return inCopy(template, folder, async (home) => {
    const log = join(folder, "trace");
    const inject = [`${point.call}:delay_enter=${delayMs}ms:when=${point.nth}`];
    const turn = await rival.prepare(operation, home);
    let inTime = false;
    const meanwhile = async () => {
      const isThere = await comesTo(log, point);
      await turn.act();
      inTime = isThere && linesOf(log).length <= point.at;
    };
    const { outcome } = await traceActor({ home, act: operation.act(home) }, { log, inject, meanwhile });
    // what came too late came perhaps after the claim: then only what always holds is asked for
    return { inTime, found: await turn.check(outcome, unclaimed && inTime) };
  });
}

/** Waits until every call before that one is over; false where it never comes so far. */
async function comesTo(log: string, point: Point): Promise<boolean> {
  for (let waited = 0; waited < 10_000; waited += 2) {
    if (linesOf(log).length >= point.at) return true;
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  return false;
}
