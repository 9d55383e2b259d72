import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { inParallel, spread } from "../in-parallel.ts";
import type { Row, Scale, Section } from "../section.ts";
import { createDice } from "../swarm/dice.ts";
import { withFolder } from "../temporary.ts";
import { AN_HOUR_MS } from "./check-home.ts";
import {
  CREATE,
  type Expected,
  type Operation,
  PATCH,
  QUARANTINE,
  REJECT,
  RESTORE,
  UPDATE,
} from "./operations.ts";
import { APPEND, FINISH_PATCH, FINISH_QUARANTINE, FLUSH, INIT, MOUNT, REINDEX } from "./operations-around.ts";
import { recordAll } from "./record.ts";
import { cannotTrace, type Point, plain, startActor, type Traced, traceActor } from "./strace.ts";
import { checkTrial, inCopy, type Template } from "./trial.ts";

export const OPERATIONS: readonly Operation[] = Object.freeze([
  ...[CREATE, PATCH, UPDATE, QUARANTINE, RESTORE, REJECT, APPEND, REINDEX, FLUSH],
  ...[MOUNT, INIT, FINISH_PATCH, FINISH_QUARANTINE],
]);

/** `watched`: a reader reads all the while. `twice`: the process that opens the home next is killed as well. */
type Variant = "plain" | "watched" | "twice";

interface Shot {
  readonly template: Template;
  readonly point: Point;
  readonly variant: Variant;
}

interface Tally {
  kills: number;
  missed: number;
  reads: number;
  findings: string[];
}

const WIDTH = 3;
/** Calls of each operation in the short form, fewer where an engine is loaded; with the second kills some 200. */
const SHORT_EACH = 21;
const SHORT_EACH_SLOW = 4;
/** How often a process that opens a home with something to finish opens a file, at the least. */
const OPENS = 20;
/** What the long form does at each call that changes something, besides one plain kill at every call. */
const LONG_VARIANTS: readonly Variant[] = ["plain", "watched", "twice", "twice", "watched", "plain"];

/**
 * T-R1: each operation is killed at every system call on its home, and whoever opens the home next finds all of it
 * or nothing. A signal that strace injects comes as the call is entered: the call does not happen, so a kill at one
 * call is also the kill right after the one before; the last point is the write that tells the caller.
 */
export const killSweep: Section = {
  name: "kill sweep",
  cannotRun: cannotTrace,
  run: (scale) => withFolder((root) => sweep(root, scale)),
};

async function sweep(root: string, scale: Scale): Promise<Row[]> {
  const rows: Row[] = [];
  const shots: Shot[] = [];
  const tallies = new Map<Template, Tally & { points: number }>();
  const { recorded, failed } = await recordAll(OPERATIONS, root);
  for (const { template, points } of recorded) {
    tallies.set(template, { kills: 0, missed: 0, reads: 0, findings: [], points: points.length });
    shots.push(...shotsAt(template, points, scale));
  }
  scale.log(`${shots.length} kills of ${recorded.length} operations`);
  await inParallel(WIDTH, shots, async (shot, nth) => {
    const tally = tallies.get(shot.template);
    if (tally !== undefined) await shoot(shot, join(root, `trial-${nth}`), nth, tally);
    if (nth % 500 === 499) scale.log(`${nth + 1} kills`);
  });
  for (const [{ operation }, { kills, missed, reads, findings, points }] of tallies) {
    // a wake-up of Node's own threads shifts the count of writes now and then: such a kill strikes elsewhere
    if (missed * 2 > kills)
      findings.push(`${missed} kills missed their call: the operation takes another course`);
    const figures = { calls: points, missed, ...(reads === 0 ? {} : { "raw reads beside it": reads }) };
    rows.push({ fault: `kill -9 in ${operation.name}`, trials: kills, findings, figures });
  }
  return [...rows, ...failed];
}

/** Calls that only look leave the disk as the one before did: the short form leaves them out. */
function shotsAt(template: Template, points: readonly Point[], { form }: Scale): Shot[] {
  const changing = points.filter((point) => point.changes);
  const shot = (point: Point, variant: Variant): Shot => ({ template, point, variant });
  if (form === "long")
    return [
      ...points.map((point) => shot(point, "plain")),
      ...LONG_VARIANTS.flatMap((variant) => changing.map((point) => shot(point, variant))),
    ];
  const each = template.operation.slow === true ? SHORT_EACH_SLOW : SHORT_EACH;
  return spread(changing, each).map((point, n) => shot(point, shortVariant(n)));
}

function shortVariant(n: number): Variant {
  if (n % 9 === 4) return "watched";
  return n % 3 === 1 ? "twice" : "plain";
}

async function shoot(
  { template, point, variant }: Shot,
  folder: string,
  nth: number,
  tally: Tally,
): Promise<void> {
  const { operation } = template;
  await inCopy(template, folder, async (home) => {
    const job = { home, act: operation.act(home) };
    const inject = [`${point.call}:signal=KILL:when=${point.nth}`];
    const expected = operation.expected(home, template.home);
    const watcher = variant === "watched" ? await startWatching(home, expected) : undefined;
    const traced = await traceActor(job, { log: join(folder, "trace"), inject });
    tally.kills += traced.killed ? 1 : 0;
    if (!hit(traced, point, home)) tally.missed++;
    if (variant === "twice") tally.kills += await killNext(home, folder, nth);
    const found = await checkTrial(template, home, traced.outcome);
    const { seen, reads } = (await watcher?.()) ?? { seen: [], reads: 0 };
    tally.reads += reads;
    const where = `${operation.name}, ${variant}, killed at ${point.call} ${point.nth} (${point.text.slice(0, 160)})`;
    tally.findings.push(
      ...[...found, ...seen.map((one) => `a reader saw ${one}`)].map((one) => `${where}: ${one}`),
    );
  });
}

function hit({ killed, lines }: Traced, point: Point, home: string): boolean {
  const last = lines.at(-1) ?? "";
  if (!killed || !last.startsWith(`${point.call}(`)) return false;
  return last.startsWith("writev(1<") || plain(last, home) === point.text;
}

/** Opens the home and kills that process too, at a call chosen by the trial's number; how many kills that made. */
async function killNext(home: string, folder: string, nth: number): Promise<number> {
  const dice = createDice(nth);
  const inject = [`openat:signal=KILL:when=${1 + dice.roll(OPENS)}`];
  const job = { home, act: { do: "open" }, aheadMs: AN_HOUR_MS } as const;
  const { killed } = await traceActor(job, { log: join(folder, "trace"), inject });
  return killed ? 1 : 0;
}

/** Starts a reader of the file that changes, or of the two ends of a move; the function ends it. */
async function startWatching(
  home: string,
  { files }: Expected,
): Promise<() => Promise<{ seen: readonly string[]; reads: number }>> {
  const [first] = files;
  if (first === undefined) return async () => ({ seen: [], reads: 0 });
  const text = first.old;
  const target = first.next === null ? files.find((file) => file.next === text) : undefined;
  const paths = target === undefined ? [first.path] : [first.path, target.path];
  const texts = target === undefined ? [first.old, first.next] : [text];
  const until = join(home, "..", "until");
  const { child, end } = await startActor({ home, act: { do: "watch", paths, texts, until } });
  child.stdin.end("g");
  return async () => {
    mkdirSync(until);
    const { outcome } = await end;
    return { seen: outcome.seen ?? [], reads: outcome.reads ?? 0 };
  };
}
