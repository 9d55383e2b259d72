import { unlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { exists, linkExclusive, listNames, quietly, tempPath, writeNew } from "../core/atomic.ts";
import { errnoOf } from "../core/errors.ts";
import { makeFolder } from "../core/make-folder.ts";
import { check } from "../schema/check.ts";
import { type Claim, ClaimSchema } from "../schema/claim.ts";
import { problemOfClaim } from "./claim-rules.ts";
import type { Layout } from "./layout.ts";
import { readInside } from "./paths.ts";

const CLAIM_FILE = /^([a-z0-9]+(?:-[a-z0-9]+)*)\.([1-9]\d{0,14})(\.done|\.journal)?$/;
const CLAIM_BYTES = 16_777_216;

/** The numbers in use for one name: ascending, claims as found, `done` those with a marker. */
export interface Book {
  readonly claims: readonly number[];
  readonly done: readonly number[];
  /** The highest number of either; 0 where there is none. Numbers are never used again. */
  readonly highest: number;
  /** Claims to be finished: no marker, and no higher claim that has one. */
  readonly open: readonly number[];
  /** Claims that came too late: a higher one is done. Whoever linked one withdraws it by itself. */
  readonly stale: readonly number[];
}

/**
 * The books of every name in a space. The folder is listed twice: one listing may miss a claim that is swept while it
 * runs and the higher one that replaced it, two cannot miss both.
 */
export function readBooks(layout: Layout, fingerprint: string): Map<string, Book> {
  const folder = layout.commit(fingerprint);
  const numbers = new Map<string, { claims: Set<number>; done: Set<number> }>();
  for (const file of [...listNames(folder), ...listNames(folder)]) {
    const [, name, seq, mark] = CLAIM_FILE.exec(file) ?? [];
    if (name === undefined || mark === ".journal") continue;
    const book = numbers.get(name) ?? { claims: new Set(), done: new Set() };
    numbers.set(name, book);
    (mark === ".done" ? book.done : book.claims).add(Number(seq));
  }
  return new Map(Array.from(numbers, ([name, book]) => [name, makeBook([...book.claims], [...book.done])]));
}

export function readBook(layout: Layout, fingerprint: string, name: string): Book {
  return readBooks(layout, fingerprint).get(name) ?? makeBook([], []);
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
    stale: claims.filter((seq) => seq < lastDone && !done.includes(seq)),
  };
}

/** A claim, or why it cannot be used: torn, damaged, or with a path that it must not have (P9). Undefined if it is gone. */
export function readClaim(
  layout: Layout,
  fingerprint: string,
  name: string,
  seq: number,
): { claim: Claim } | { problem: string } | undefined {
  const folder = layout.commit(fingerprint);
  const file = `${name}.${seq}`;
  try {
    if (!exists(join(folder, file))) return undefined;
    const text = readInside(folder, file, { maxBytes: CLAIM_BYTES, links: "refuse" }).toString("utf8");
    const claim = check(ClaimSchema, JSON.parse(text), "CANONRY_INVALID_RECORD", "a claim");
    const mine = claim.fingerprint === fingerprint && claim.name === name && claim.seq === seq;
    const problem = mine ? problemOfClaim(layout, claim) : "it stands under another name than it says";
    return problem === undefined ? { claim } : { problem };
  } catch (error) {
    return exists(join(folder, file))
      ? { problem: error instanceof Error ? error.message : String(error) }
      : undefined;
  }
}

/** A place for the claim's bytes to be linked from; the file name is part of the claim. */
export function newToken(layout: Layout, fingerprint: string, name: string, seq: number): string {
  makeFolder(layout.commit(fingerprint));
  return tempPath(layout.claim(fingerprint, name, seq));
}

/**
 * Publishes a claim, which is the acknowledgement (design 5, step 2). `taken`: the number is another's. `late`: a
 * higher claim is there, ours is withdrawn. `finished`: a higher claim is there because others have finished ours.
 */
export function publishClaim(layout: Layout, claim: Claim): "won" | "taken" | "late" | "finished" {
  const path = layout.claim(claim.fingerprint, claim.name, claim.seq);
  const token = join(layout.commit(claim.fingerprint), claim.token);
  writeNew(token, Buffer.from(`${JSON.stringify(claim)}\n`));
  try {
    if (!linkExclusive(token, path)) {
      quietly(() => unlinkSync(token));
      return "taken";
    }
  } catch (error) {
    quietly(() => unlinkSync(token));
    throw error;
  }
  return settleClaim(layout, claim);
}

/**
 * After linking. A number is free again once it was swept, so a process that slept may hold one that is over: then a
 * higher one is there. Whoever links a higher one has finished ours first, and our token went with that: if the token
 * is still there, ours was late. Where links are copies, a claim read half-written is passed over by the next one,
 * which sees it here.
 */
export function settleClaim(layout: Layout, claim: Claim): "won" | "late" | "finished" {
  const { fingerprint, name, seq } = claim;
  const path = layout.claim(fingerprint, name, seq);
  const token = join(layout.commit(fingerprint), claim.token);
  const book = readBook(layout, fingerprint, name);
  const unseen = seq > 1 && book.open.includes(seq - 1) && isUsable(layout, fingerprint, name, seq - 1);
  if (book.highest === seq && !unseen) return "won";
  if (!exists(token)) return "finished";
  quietly(() => unlinkSync(path));
  quietly(() => unlinkSync(token));
  return "late";
}

function isUsable(layout: Layout, fingerprint: string, name: string, seq: number): boolean {
  const found = readClaim(layout, fingerprint, name, seq);
  return found !== undefined && "claim" in found;
}

/** Marks a claim as finished and sweeps the lower ones; doing it again changes nothing. */
export function closeClaim(layout: Layout, claim: Claim): void {
  const { fingerprint, name, seq } = claim;
  quietly(() => unlinkSync(join(layout.commit(fingerprint), basename(claim.token))));
  const path = layout.claim(fingerprint, name, seq);
  if (!exists(path)) return;
  markDone(`${path}.done`);
  sweepBelow(layout, fingerprint, name, seq);
}

function markDone(path: string): void {
  try {
    writeNew(path, Buffer.alloc(0));
  } catch (error) {
    if (errnoOf(error instanceof Error ? error.cause : undefined) !== "EEXIST") throw error;
  }
}

/** The marker goes before its claim: a late process that takes the number again must not find itself finished. */
function sweepBelow(layout: Layout, fingerprint: string, name: string, seq: number): void {
  const book = readBook(layout, fingerprint, name);
  for (const lower of new Set([...book.done, ...book.claims])) {
    if (lower >= seq) continue;
    const path = layout.claim(fingerprint, name, lower);
    for (const file of [`${path}.done`, path, `${path}.journal`]) quietly(() => unlinkSync(file));
  }
}
