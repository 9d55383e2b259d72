import type { IndexedRow } from "../schema/row.ts";
import type { Scored } from "./rank.ts";
import type { RowReader } from "./row-words.ts";

/** A hit that stands for its mirrors too. */
export interface Standing extends Scored {
  /** How many hits say nearly the same and are left out for it. */
  readonly others: number;
}

/** Skills of one name are copies if they share so much of the words of their descriptions. */
const SHARED = 0.8;
/** Under other names, only descriptions of so many words that are the same to the last one tell of a copy. */
const TELLING_WORDS = 8;
/** A name that so many different skills have tells of no copy: one is compared with so many others, not with all. */
const NAMESAKES = 16;

/**
 * Skills that are near-identical take one place in an answer, that of the best of them. Only hits are compared, in
 * their order, each with those that have a place already. At most `places` are given; what is like none of them is left out.
 */
export function foldAlike(hits: readonly Scored[], reader: RowReader, places: number): Standing[] {
  return groupAlike(hits, reader, places).map(({ first, others }) => ({ ...first, others: others.length }));
}

export interface Group<T> {
  readonly first: T;
  /** What is near-identical to it, in the order that they had. */
  readonly others: readonly T[];
}

/** The groups of near-identical skills, in the order of the first of each: all, or the first `places`. */
export function groupAlike<T extends { readonly row: IndexedRow }>(
  list: readonly T[],
  reader: RowReader,
  places = Number.POSITIVE_INFINITY,
): Group<T>[] {
  const kept: Kept<T>[] = [];
  const [byDigest, byText] = [new Map<string, Kept<T>>(), new Map<string, Kept<T>>()];
  const byName = new Map<string, Kept<T>[]>();
  for (const one of list) {
    const { digest } = one.row;
    const { key, text, different } = reader.of(one.row);
    const namesakes = byName.get(key) ?? [];
    const description = describe(text);
    const shared = namesakes.find((own) => isShared(own.description, description));
    const alike = [byDigest.get(digest), byText.get(text), shared];
    const first = firstOf(alike);
    if (first !== undefined) {
      first.others.push(one);
      continue;
    }
    if (kept.length >= places) continue;
    const own = { first: one, description, place: kept.length, others: [] };
    if (digest !== "") byDigest.set(digest, own);
    if (different >= TELLING_WORDS) byText.set(text, own);
    if (namesakes.length < NAMESAKES) byName.set(key, [...namesakes, own]);
    kept.push(own);
  }
  return kept;
}

interface Description {
  readonly text: string;
  /** Its different words, read when they are first asked for. */
  words(): ReadonlySet<string>;
}

function describe(text: string): Description {
  let found: Set<string> | undefined;
  return {
    text,
    words() {
      found ??= new Set(text.split(" "));
      return found;
    },
  };
}

interface Kept<T> extends Group<T> {
  readonly description: Description;
  readonly place: number;
  readonly others: T[];
}

function firstOf<T>(alike: readonly (Kept<T> | undefined)[]): Kept<T> | undefined {
  return alike.reduce((first, one) =>
    one === undefined || (first && first.place < one.place) ? first : one,
  );
}

function isShared(one: Description, other: Description): boolean {
  if (one.text === other.text) return true;
  const [words, others] = [one.words(), other.words()];
  let both = 0;
  for (const word of words) if (others.has(word)) both++;
  return both / (words.size + others.size - both) >= SHARED;
}
