import { join } from "node:path";
import { inParallel } from "../in-parallel.ts";
import type { Row, Scale, Section } from "../section.ts";
import { createDice } from "../swarm/dice.ts";
import { withFolder } from "../temporary.ts";
import type { Outcome } from "./actor.ts";
import { AN_HOUR_MS } from "./check-home.ts";
import { OPERATIONS } from "./kill-sweep.ts";
import { noLinks } from "./no-links.ts";
import type { Operation } from "./operations.ts";
import { recordAll } from "./record.ts";
import { shortWrites } from "./short-writes.ts";
import { cannotTrace, type Point, type Traced, traceActor } from "./strace.ts";
import { checkTrial, inCopy, type Template, tempsOf } from "./trial.ts";

const WIDTH = 3;
const SHORT_ERRORS = 60;
const SHORT_CUTS = 10;
const ATTEMPTS = 5;

/** What a call may fail with, by its name without `at`, numbers and such. */
const ERRNOS: Readonly<Record<string, readonly string[]>> = Object.freeze({
  write: ["EIO", "ENOSPC", "EDQUOT", "EINTR"],
  fsync: ["EIO", "ENOSPC", "EDQUOT"],
  rename: ["EIO", "ENOSPC", "EDQUOT", "EROFS"],
  link: ["EIO", "ENOSPC", "EDQUOT", "EROFS"],
  unlink: ["EIO", "EROFS"],
  mkdir: ["EIO", "ENOSPC", "EDQUOT", "EROFS"],
  fchmod: ["EIO", "EROFS"],
  creating: ["EIO", "ENOSPC", "EDQUOT", "EROFS", "EMFILE", "EINTR"],
  openat: ["EIO", "EMFILE"],
  close: ["EIO"],
  read: ["EIO"],
  pread64: ["EIO"],
  getdents64: ["EIO"],
  statx: ["EIO"],
  newfstatat: ["EIO"],
  fstat: ["EIO"],
  readlink: ["EIO"],
});

interface Shot {
  readonly template: Template;
  readonly point: Point;
  readonly errno: string;
  /** Every later call of that name fails as well: a disk that stays full. */
  readonly lasting: boolean;
}

interface Tally {
  trials: number;
  refused: number;
  unsure: number;
  done: number;
  findings: string[];
}

/**
 * T-R2: each system call of each operation fails, once or from then on. Whoever asked is told so by one of our codes
 * and finds everything as it was, or is told that it is done and it is; no short write is ever acknowledged.
 */
export const errorSweep: Section = {
  name: "error sweep",
  cannotRun: cannotTrace,
  run: (scale) => withFolder((root) => sweep(root, scale)),
};

async function sweep(root: string, scale: Scale): Promise<Row[]> {
  const { recorded, failed } = await recordAll(OPERATIONS, root);
  const templates = recorded.map(({ template }) => template);
  const all = recorded.flatMap(({ template, points }) => shotsAt(template, points));
  const shots = scale.form === "long" ? all : chosen(all);
  scale.log(`${shots.length} errors of ${all.length}`);
  const tallies = new Map<string, Tally>();
  await inParallel(WIDTH, shots, async (shot, nth) => {
    const tally = tallies.get(shot.errno) ?? { trials: 0, refused: 0, unsure: 0, done: 0, findings: [] };
    tallies.set(shot.errno, tally);
    const { outcome, found } = await shoot(shot, join(root, `trial-${nth}`));
    tally.trials++;
    tally[outcome.unconfirmed === true ? "unsure" : outcome.code === undefined ? "done" : "refused"]++;
    tally.findings.push(...found);
    if (nth % 500 === 499) scale.log(`${nth + 1} errors`);
  });
  const rows = [...tallies].map(
    ([errno, { trials, refused, unsure, done, findings }]): Row => ({
      fault: `${errno} from a call`,
      trials,
      findings,
      figures: { refused, "done all the same": done, "said to be unconfirmed": unsure },
    }),
  );
  rows.sort((a, b) => (a.fault < b.fault ? -1 : 1));
  rows.push(await noLinks(templates, root));
  const cuts = scale.form === "long" ? 1_000 : SHORT_CUTS;
  return [...rows, ...(await shortWrites(templates, root, cuts)), ...failed];
}

function shotsAt(template: Template, points: readonly Point[]): Shot[] {
  const { operation } = template;
  return points.flatMap((point) => {
    if (point.call === "writev") return [];
    const kind =
      point.call === "openat" && point.changes ? "creating" : point.call.replace(/(?<=^[a-z]+)at2?$/, "");
    const once = (ERRNOS[point.call] ?? ERRNOS[kind] ?? []).map((errno) => ({
      template,
      point,
      errno,
      lasting: false,
    }));
    // an engine wakes its threads by writes as well
    const lasting = ["fsync", "mkdir", "link", operation.slow === true ? "" : "write"].includes(kind)
      ? [{ template, point, errno: "ENOSPC", lasting: true }]
      : [];
    return [...once, ...lasting];
  });
}

/** Most of them at calls that change something: three in four. The same ones every time. */
function chosen(all: readonly Shot[]): Shot[] {
  if (all.length === 0) return [];
  const dice = createDice(20);
  const changing = all.filter((shot) => shot.point.changes);
  const looking = all.filter((shot) => !shot.point.changes && shot.template.operation.slow !== true);
  return Array.from({ length: SHORT_ERRORS }, (_, n) => dice.pick(n % 4 === 3 ? looking : changing));
}

/** Stamps of files that were copied a moment ago are not believed, and a read that failed is done again in any case. */
function aheadFor({ slow }: Operation): { aheadMs?: number } {
  return slow === true ? { aheadMs: AN_HOUR_MS } : {};
}

/** A wake-up of Node's own threads shifts the count of writes now and then, and fails in place of ours: then again. */
async function shoot(shot: Shot, folder: string): Promise<{ outcome: Outcome; found: string[] }> {
  for (let attempt = 1; ; attempt++) {
    const shown = await shootOnce(shot, folder);
    if (shown.wasOurs || attempt === ATTEMPTS) return shown;
  }
}

async function shootOnce(
  { template, point, errno, lasting }: Shot,
  folder: string,
): Promise<{ outcome: Outcome; found: string[]; wasOurs: boolean }> {
  const { operation } = template;
  return inCopy(template, folder, async (home) => {
    const inject = [`${point.call}:error=${errno}:when=${point.nth}${lasting ? "+" : ""}`];
    const traced = await traceActor(
      { home, act: operation.act(home), ...aheadFor(operation) },
      { log: join(folder, "trace"), inject },
    );
    const failed = traced.lines
      .filter((line) => line.includes("(INJECTED)"))
      .map((line) => line.includes(home));
    const temps = tempsOf(home).filter((path) => !tempsOf(template.home).includes(path));
    const found = [
      ...toldFindings(traced, point, temps),
      ...(await checkTrial(template, home, traced.outcome)),
    ];
    const how = `${errno}${lasting ? " from" : " at"} ${point.call} ${point.nth}`;
    const where = `${operation.name}, ${how} (${point.text.slice(0, 200)})`;
    return {
      outcome: traced.outcome,
      found: found.map((one) => `${where}: ${one}`),
      wasOurs: failed[0] === true && !(traced.killed && failed.includes(false)),
    };
  });
}

/** What the process itself said and left, before anybody else opens the home. */
function toldFindings({ outcome, killed, lines }: Traced, point: Point, temps: readonly string[]): string[] {
  const findings: string[] = [];
  if (killed) return ["the process died or never came back"];
  if (!lines.some((line) => line.includes("(INJECTED)"))) findings.push("the call was not reached");
  if (outcome.unconfirmed === true && !point.text.includes("local/commit/"))
    findings.push("said to be unconfirmed, although no claim was concerned");
  if (outcome.code !== undefined && outcome.unconfirmed !== true && !point.call.startsWith("unlink"))
    findings.push(...temps.map((path) => `refused with ${outcome.code}, but left ${path}`));
  const synced = point.call !== "fsync" && point.call !== "fdatasync";
  if (!synced && outcome.acknowledged === true && outcome.finished === true)
    findings.push("acknowledged as finished although a sync failed");
  return findings;
}
