import { unlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { exists, linkExclusive, listNames, markOnce, quietly } from "../core/atomic.ts";
import { keepAside } from "../core/keep-aside.ts";
import { check } from "../schema/check.ts";
import { type Claim, ClaimSchema } from "../schema/claim.ts";
import { problemOfClaim } from "./claim-rules.ts";
import { hold } from "./hold.ts";
import { fingerprintOf, type Layout, LOCAL_SPACE } from "./layout.ts";
import { readInside } from "./paths.ts";
import { dropToken, dropTokensUpTo } from "./tokens.ts";

/** A claim, its marker, or a mark of `once`: name, number, mark. */
export const CLAIM_FILE = /^([a-z0-9]+(?:-[a-z0-9]+)*)\.([1-9]\d{0,14})(\.done|\.(?:journal|event)[2-9]?)?$/;
const CLAIM_BYTES = 16_777_216;

/** The numbers in use for one name: ascending, claims as found, `done` those with a marker. */
export interface Book {
  readonly claims: readonly number[];
  readonly done: readonly number[];
  /** The highest number of either; 0 where there is none. Numbers are never used again. */
  readonly highest: number;
  /** Claims to be finished: no marker, and no higher claim that has one. */
  readonly open: readonly number[];
}

/** The spaces that have a folder of claims. */
export function claimedSpaces(layout: Layout): string[] {
  return listNames(layout.commits).flatMap((folder) =>
    folder === LOCAL_SPACE ? [LOCAL_SPACE] : (fingerprintOf(folder) ?? []),
  );
}

/**
 * The books of every name in a space, and those in a listing of its files. One listing may miss a claim that is swept while it runs and the higher one that
 * replaced it: who bids asks `isHighest` before it links.
 */
export function readBooks(layout: Layout, fingerprint: string): Map<string, Book> {
  return booksOf(listNames(layout.commit(fingerprint)));
}

export function readBook(layout: Layout, fingerprint: string, name: string): Book {
  return booksOf(listNames(layout.commit(fingerprint), `${name}.`)).get(name) ?? makeBook([], []);
}

export function booksOf(files: readonly string[]): Map<string, Book> {
  const numbers = new Map<string, { claims: Set<number>; done: Set<number> }>();
  for (const file of files) {
    const [, name, seq, mark] = CLAIM_FILE.exec(file) ?? [];
    if (name === undefined || (mark !== undefined && mark !== ".done")) continue;
    const book = numbers.get(name) ?? { claims: new Set(), done: new Set() };
    numbers.set(name, book);
    (mark === ".done" ? book.done : book.claims).add(Number(seq));
  }
  return new Map(Array.from(numbers, ([name, book]) => [name, makeBook([...book.claims], [...book.done])]));
}

function makeBook(claims: number[], done: number[]): Book {
  const ascending = (a: number, b: number) => a - b;
  const lastDone = Math.max(0, ...done);
  claims.sort(ascending);
  return {
    claims,
    done: done.sort(ascending),
    highest: Math.max(lastDone, ...claims),
    open: claims.filter((seq) => seq > lastDone),
  };
}

/** A claim, or why it cannot be used: torn, damaged, or with a path that it must not have (P9). Undefined if it is gone. */
export function readClaim(
  layout: Layout,
  fingerprint: string,
  name: string,
  seq: number,
): { claim: Claim } | { problem: string } | undefined {
  const path = layout.claim(fingerprint, name, seq);
  try {
    if (!exists(path)) return undefined;
    const claim = readClaimFile(path);
    const mine = claim.fingerprint === fingerprint && claim.name === name && claim.seq === seq;
    const problem = mine ? problemOfClaim(layout, claim) : "it stands under another name than it says";
    return problem === undefined ? { claim } : { problem };
  } catch (error) {
    return exists(path) ? { problem: error instanceof Error ? error.message : String(error) } : undefined;
  }
}

/** A token that was taken away, or undefined where it is torn or not what a claim may be. */
export function readToken(layout: Layout, path: string): Claim | undefined {
  try {
    const claim = readClaimFile(path);
    return problemOfClaim(layout, claim) === undefined ? claim : undefined;
  } catch {
    return undefined;
  }
}

function readClaimFile(path: string): Claim {
  const bytes = readInside(dirname(path), basename(path), { maxBytes: CLAIM_BYTES, links: "refuse" });
  return check(ClaimSchema, JSON.parse(bytes.toString("utf8")), "CANONRY_INVALID_RECORD", "a claim");
}

/**
 * Whether no number above `seq` was ever taken. One listing of a folder that others change may miss an entry; this
 * cannot be wrong where there is a claim: the lower numbers go first, so while `seq` stands, `seq + 1` was not swept.
 */
export function isHighest(layout: Layout, fingerprint: string, name: string, seq: number): boolean {
  if (exists(layout.claim(fingerprint, name, seq + 1))) return false;
  if (seq > 0 && exists(layout.claim(fingerprint, name, seq))) return true;
  // where there is none yet: what one listing misses while it is replaced, a second one sees
  return [1, 2].every(() => readBook(layout, fingerprint, name).highest === seq);
}

/**
 * Whether a claim was carried out by others: it has its marker, a higher one is there (which the maker of that one
 * finished this first for), or it is swept. While it stands, the number above it was not swept.
 */
export function isOver(layout: Layout, claim: Claim): boolean {
  const path = layout.claim(claim.fingerprint, claim.name, claim.seq);
  const next = layout.claim(claim.fingerprint, claim.name, claim.seq + 1);
  return exists(`${path}.done`) || exists(next) || !exists(path);
}

/**
 * Publishes a claim by linking its token, which is the acknowledgement (design 5, step 2). `taken`: the number is
 * another's. `gone`: the number was used up meanwhile, and the token went with it; or it was swept as left over.
 * Where links are copies, others may have seen half a claim and passed it over: if they have gone on from there, or
 * the one before ours is whole by now, ours is `late` and withdrawn. A link is never withdrawn: others may be at it.
 */
export function publishClaim(layout: Layout, claim: Claim): "won" | "taken" | "gone" | "late" {
  const { fingerprint, name, seq } = claim;
  const token = join(layout.commit(fingerprint), claim.token);
  const path = layout.claim(fingerprint, name, seq);
  let isCopy = false;
  const onCopy = () => {
    isCopy = true;
  };
  try {
    if (!hold([token, path], (from, to) => linkExclusive(from, to, { onCopy }))) return "taken";
  } catch (error) {
    if (exists(token)) throw error;
    return "gone";
  }
  if (!isCopy) return "won";
  if (!exists(path)) return "gone";
  if (!isAfterOpen(layout, claim) && !exists(layout.claim(fingerprint, name, seq + 1))) return "won";
  quietly(() => unlinkSync(path));
  return "late";
}

/** Whether the claim before this one can be carried out and has not been: nobody may overtake it. */
export function isAfterOpen(layout: Layout, { fingerprint, name, seq }: Claim): boolean {
  const before = layout.claim(fingerprint, name, seq - 1);
  if (seq === 1 || !exists(before) || exists(`${before}.done`)) return false;
  const isOpen = readBook(layout, fingerprint, name).open.includes(seq - 1);
  return isOpen && isUsable(layout, fingerprint, name, seq - 1);
}

function isUsable(layout: Layout, fingerprint: string, name: string, seq: number): boolean {
  const found = readClaim(layout, fingerprint, name, seq);
  return found !== undefined && "claim" in found;
}

/**
 * Marks a claim as finished and sweeps the lower ones; doing it again changes nothing. Every token of a number that is
 * used up goes before the number is free again, so whoever slept over it can link nothing any more.
 */
export function closeClaim(layout: Layout, claim: Claim): void {
  const { fingerprint, name, seq } = claim;
  dropToken(layout, fingerprint, claim.token);
  const files = listNames(layout.commit(fingerprint), `${name}.`, `.${name}.`);
  dropTokensUpTo(layout, claim, files);
  const path = layout.claim(fingerprint, name, seq);
  if (!exists(path)) return;
  hold([`${path}.done`], markOnce);
  if (!exists(path)) quietly(() => unlinkSync(`${path}.done`));
  dropMarks(path);
  sweepBelow(layout, claim, booksOf(files).get(name));
}

/** Ascending, and a number's claim last: see `isHighest`. A claim that could not be carried out is kept aside. */
export function sweepBelow(
  layout: Layout,
  { fingerprint, name, seq }: Pick<Claim, "fingerprint" | "name" | "seq">,
  book: Book = makeBook([], []),
): void {
  const lower = [...new Set([...book.done, ...book.claims])].filter((one) => one < seq);
  for (const one of lower.sort((a, b) => a - b)) {
    const path = layout.claim(fingerprint, name, one);
    const read = book.done.includes(one) ? undefined : readClaim(layout, fingerprint, name, one);
    if (read !== undefined && "problem" in read) quietly(() => void keepAside(path));
    quietly(() => unlinkSync(`${path}.done`));
    dropMarks(path);
    quietly(() => unlinkSync(path));
  }
}

/** The marks of `once`. Further ones were made only where the one before was. */
function dropMarks(path: string): void {
  for (const kind of ["journal", "event"])
    for (let turn = 1; turn < 10; turn++) {
      const mark = turn === 1 ? `${path}.${kind}` : `${path}.${kind}${turn}`;
      if (!exists(mark)) break;
      quietly(() => unlinkSync(mark));
    }
}

/** Marks that say nothing any more, of a claim that is gone or done: of a process that slept over it, or was killed. */
export function sweepMarks(layout: Layout, fingerprint: string, files: readonly string[]): void {
  const books = booksOf(files);
  for (const file of files) {
    const [, name, seq, mark] = CLAIM_FILE.exec(file) ?? [];
    if (name === undefined || mark === undefined) continue;
    const path = layout.claim(fingerprint, name, Number(seq));
    const isNeeded =
      mark === ".done"
        ? books.get(name)?.highest === Number(seq) || exists(path)
        : exists(path) && !exists(`${path}.done`);
    if (!isNeeded) quietly(() => unlinkSync(join(layout.commit(fingerprint), file)));
  }
}
