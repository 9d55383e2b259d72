/**
 * One process in which a flush of the index is stopped before each of its calls in turn, while others load and flush,
 * some faster than a claim is kept and some a minute later. Prints how many trials it made and what must not be.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ClaimedImage } from "../../../lib/drivers/sqljs/claimed-image.ts";
import { beforeEachCall } from "../swarm/fs-hook.ts";

export interface FlushResult {
  readonly trials: number;
  readonly findings: readonly string[];
}

/** Where the others come in: before which call of loading or flushing, from 1; 0 is in between the two. */
interface Point {
  readonly during: "load" | "flush";
  readonly call: number;
}

const HEAD_BYTES = 100;
const PAGE_BYTES = 4_096;
/** One that only loads, and so tidies up; one that flushes; and one more than there are claims kept. */
const OTHERS = [0, 1, 9];
const AHEAD_MS = [0, 3_600_000];

/** An image that says what was ever put into it; whole as far as a header tells. */
function imageOf(entries: readonly string[]): Buffer {
  const bytes = Buffer.alloc(PAGE_BYTES);
  bytes.write("SQLite format 3\0", "latin1");
  bytes.writeUInt16BE(PAGE_BYTES, 16);
  // two counts that differ: SQLite then goes by the length
  bytes.writeUInt32BE(1, 24);
  bytes.write(JSON.stringify(entries), HEAD_BYTES);
  return bytes;
}

function entriesIn(bytes: Uint8Array | undefined): string[] {
  if (bytes === undefined) return [];
  const text = Buffer.from(bytes.subarray(HEAD_BYTES)).toString("utf8");
  return JSON.parse(text.slice(0, text.lastIndexOf("]") + 1)) as string[];
}

const armed: { at: number; act: () => void } = { at: 0, act: () => {} };

/** Runs `work` with `act` before that call of it; true where it had so many. */
function interrupted(at: number, act: () => void, work: () => void): boolean {
  Object.assign(armed, { at, act });
  work();
  const reached = armed.at === 0;
  armed.at = 0;
  return reached;
}

beforeEachCall(() => {
  if (armed.at > 0 && --armed.at === 0) armed.act();
});

/** The others come in there, so many of them. Undefined where there is no such call. */
function tryOnce(folder: string, { during, call }: Point, others: number, aheadMs: number) {
  const path = join(folder, "index.sqlite");
  const claims = join(folder, "local", "index");
  const open = (clock: () => number) => new ClaimedImage(path, claims, clock);
  const told: string[] = [];
  const add = (image: ClaimedImage, base: Uint8Array | undefined, entry: string) => {
    if (image.flush(() => imageOf([...entriesIn(base), entry]), undefined)) told.push(entry);
  };
  const first = open(Date.now);
  add(first, first.load()?.bytes, "first");
  const act = () => {
    if (others === 0) open(() => Date.now() + aheadMs).load();
    for (let n = 0; n < others; n++) {
      const other = open(() => Date.now() + aheadMs);
      add(other, other.load()?.bytes, `other-${n}`);
    }
  };
  const sleeper = open(Date.now);
  let base: Uint8Array | undefined;
  let made = 0;
  const load = () => {
    base = sleeper.load()?.bytes;
  };
  const flush = () => {
    const image = () => {
      made++;
      return imageOf([...entriesIn(base), "sleeper"]);
    };
    if (sleeper.flush(image, undefined)) told.push("sleeper");
  };
  if (during === "load" && !interrupted(call, act, load)) return undefined;
  if (during === "flush") load();
  if (during === "flush" && call === 0) act();
  const reached = during === "flush" && call > 0 ? interrupted(call, act, flush) : true;
  if (during === "load" || call === 0) flush();
  if (!reached) return undefined;
  return { path, told, made, last: () => entriesIn(open(Date.now).load()?.bytes) };
}

/** What was told to be written is in what stands there; what was refused is not what came last. */
function judge(point: Point, others: number, result: NonNullable<ReturnType<typeof tryOnce>>): string[] {
  const { path, told, made, last } = result;
  const findings: string[] = [];
  const standing = entriesIn(readFileSync(path));
  const lost = told.filter((entry) => !standing.includes(entry));
  if (lost.length > 0)
    findings.push(`${lost.join(", ")} was written over: ${standing.join(", ")} stands there`);
  // one that was won, finished and built upon by others in its sleep cannot be told from one that was swept
  if (!told.includes(standing.at(-1) ?? ""))
    findings.push(`${standing.at(-1)} stands there last, although it was refused`);
  if (standing.join() !== last().join()) findings.push("whoever loads it next finds another image");
  if (point.during === "flush" && point.call === 0 && others > 0 && made > 0)
    findings.push("an image was made although a newer generation stood there already");
  if (others > 0 && told.length === 1) findings.push("nobody wrote anything");
  return findings;
}

function sweep(root: string): FlushResult {
  const findings: string[] = [];
  let trials = 0;
  for (const others of OTHERS)
    for (const aheadMs of AHEAD_MS)
      for (const during of ["load", "flush"] as const)
        for (let call = during === "load" ? 1 : 0; ; call++) {
          const folder = mkdtempSync(join(root, "trial-"));
          mkdirSync(join(folder, "local", "index"), { recursive: true });
          const result = tryOnce(folder, { during, call }, others, aheadMs);
          if (result === undefined) break;
          trials++;
          const where = `${others} others came before call ${call} of a ${during}, ${aheadMs} ms later`;
          findings.push(...judge({ during, call }, others, result).map((one) => `${where}: ${one}`));
          rmSync(folder, { recursive: true });
        }
  return { trials, findings };
}

const { root = "" } = JSON.parse(process.argv[2] ?? "{}") as { root?: string };
writeFileSync(1, JSON.stringify(sweep(root)));
