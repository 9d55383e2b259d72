/**
 * The attacker: puts a link in the place of a file or folder and takes it away again, as fast as it can. Prepared
 * links are renamed, since Node has no call that exchanges two names. Prints how many exchanges it made.
 */
import { lstatSync, renameSync, rmSync, symlinkSync, unlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** A place inside, and what outside the link in its place leads to. */
export interface Swap {
  readonly place: string;
  readonly outside: string;
}

export interface SwapJob {
  readonly swaps: readonly Swap[];
  readonly count: number;
}

function tried(step: () => void): boolean {
  try {
    step();
    return true;
  } catch {
    return false;
  }
}

/** Lets the other side come to any point of its work: mostly no time or a moment, now and then a few milliseconds. */
function hold(at: number): void {
  if (at % 2 === 0) return;
  const until = performance.now() + (at % 7 === 0 ? (at % 50) / 10 : (at % 11) / 50);
  while (performance.now() < until);
}

/** The names that the attacker keeps things under, beside the place and hidden there. */
function names({ place }: Swap): { kept: string; link: string; trash: string } {
  const beside = (mark: string) => join(dirname(place), `.${mark}-${basename(place)}`);
  return { kept: beside("kept"), link: beside("link"), trash: beside("trash") };
}

/** Puts `from` in the place; what was made there in the gap goes out of the way first. */
function put(swap: Swap, from: string): boolean {
  const { trash } = names(swap);
  for (let attempt = 0; attempt < 50; attempt++) {
    if (tried(() => renameSync(from, swap.place))) return true;
    tried(() => renameSync(swap.place, trash));
    tried(() => rmSync(trash, { recursive: true, force: true }));
  }
  return false;
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

/** What the other side renamed over the link took it along: now and then it is looked for and made anew. */
function prepare(swap: Swap): void {
  const { link } = names(swap);
  if (isLink(link)) return;
  tried(() => rmSync(link, { recursive: true, force: true }));
  tried(() => symlinkSync(swap.outside, link));
}

/** One exchange there and back, with as few calls as it takes: the gap that it is to hit is some microseconds. */
function exchange(swap: Swap, at: number): boolean {
  const { kept, link } = names(swap);
  if (at % 16 < 4) prepare(swap);
  if (!tried(() => renameSync(swap.place, kept))) return false;
  put(swap, link);
  hold(at * 3);
  tried(() => renameSync(swap.place, link));
  return put(swap, kept);
}

function run({ swaps, count }: SwapJob): number {
  let made = 0;
  const until = Date.now() + 120_000;
  for (let at = 0; made < count && Date.now() < until; at++) {
    const swap = swaps[at % swaps.length];
    if (swap !== undefined && exchange(swap, at)) made++;
    hold(at);
  }
  for (const swap of swaps) tried(() => unlinkSync(names(swap).link));
  return made;
}

process.stdout.write(String(run(JSON.parse(process.argv[2] ?? "{}") as SwapJob)));
