import { nameKey } from "../core/names.ts";
import { indexTerms } from "../core/terms.ts";
import type { IndexedRow } from "../schema/row.ts";
import type { Scored } from "./rank.ts";

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
export function foldAlike(hits: readonly Scored[]): Standing[] {
  const kept: { hit: Scored; known: Known; others: number }[] = [];
  for (const hit of hits) {
    const known = knownOf(hit.row);
    const first = kept.find((one) => isAlike(one.known, known));
    if (first === undefined) kept.push({ hit, known, others: 0 });
    else first.others++;
  }
  return kept.map(({ hit, others }) => ({ ...hit, others }));
}

interface Known {
  readonly digest: string;
  readonly name: string;
  readonly words: ReadonlySet<string>;
  readonly text: string;
}

function knownOf({ name, digest, description }: IndexedRow): Known {
  const text = indexTerms(description);
  return { digest, name: nameKey(name), words: new Set(text.split(" ")), text };
}

function isAlike(one: Known, other: Known): boolean {
  if (one.digest !== "" && one.digest === other.digest) return true;
  if (one.name !== other.name) return one.words.size >= TELLING_WORDS && one.text === other.text;
  let both = 0;
  for (const word of one.words) if (other.words.has(word)) both++;
  return both / (one.words.size + other.words.size - both) >= SHARED;
}
