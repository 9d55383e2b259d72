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

/**
 * Skills that are near-identical take one place in an answer, that of the best of them. Only hits are compared, in
 * their order, each with those that have a place already.
 */
export function foldAlike(hits: readonly Scored[], reader: RowReader): Standing[] {
  const kept: Kept[] = [];
  const [byDigest, byText] = [new Map<string, Kept>(), new Map<string, Kept>()];
  const byName = new Map<string, Kept[]>();
  for (const hit of hits) {
    const { digest } = hit.row;
    const { key, text, different } = reader.of(hit.row);
    const namesakes = byName.get(key) ?? [];
    const alike = [byDigest.get(digest), byText.get(text), namesakes.find((one) => isShared(one.text, text))];
    const first = firstOf(alike);
    if (first !== undefined) {
      first.others++;
      continue;
    }
    const own = { hit, text, place: kept.length, others: 0 };
    if (digest !== "") byDigest.set(digest, own);
    if (different >= TELLING_WORDS) byText.set(text, own);
    byName.set(key, [...namesakes, own]);
    kept.push(own);
  }
  return kept.map(({ hit, others }) => ({ ...hit, others }));
}

interface Kept {
  readonly hit: Scored;
  readonly text: string;
  readonly place: number;
  others: number;
}

function firstOf(alike: readonly (Kept | undefined)[]): Kept | undefined {
  return alike.reduce((first, one) =>
    one === undefined || (first && first.place < one.place) ? first : one,
  );
}

function isShared(text: string, other: string): boolean {
  if (text === other) return true;
  const [words, others] = [wordsOf(text), wordsOf(other)];
  let both = 0;
  for (const word of words) if (others.has(word)) both++;
  return both / (words.size + others.size - both) >= SHARED;
}

function wordsOf(text: string): Set<string> {
  return new Set(text.split(" "));
}
