import type { FieldTerms } from "../../schema/row.ts";
import { stem } from "./porter.ts";

/** What a hit in each field is worth, as in every driver. */
const WEIGHTS = Object.freeze({ name: 8, description: 4, triggers: 4, body: 0.4 });
const FIELDS = Object.keys(WEIGHTS) as (keyof FieldTerms)[];
/** The constants of bm25, as FTS5 has them. */
const [K1, B, LEAST_IDF] = [1.2, 0.75, 1e-6];

/** The stems of one row: how often each stands in each field, weighted, and how many there are in all. */
export interface Text {
  readonly weights: ReadonlyMap<string, number>;
  readonly length: number;
}

export const NO_TEXT: Text = Object.freeze({ weights: new Map<string, number>(), length: 0 });

export function readText(terms: FieldTerms): Text {
  const weights = new Map<string, number>();
  let length = 0;
  for (const field of FIELDS) {
    for (const word of terms[field].split(" ")) {
      if (word === "") continue;
      const key = stem(word);
      weights.set(key, (weights.get(key) ?? 0) + WEIGHTS[field]);
      length++;
    }
  }
  return { weights, length };
}

/** bm25 of each text for the terms, positive; 0 where a text does not match. `texts` are those of the whole index. */
export function createScorer(
  texts: readonly Text[],
  terms: readonly string[],
  all: boolean,
): (text: Text) => number {
  const stems = terms.map(stem);
  const average = texts.reduce((sum, text) => sum + text.length, 0) / texts.length;
  const idf = stems.map((key) => {
    const holding = texts.filter((text) => text.weights.has(key)).length;
    return Math.max(LEAST_IDF, Math.log((texts.length - holding + 0.5) / (holding + 0.5)));
  });
  return (text) => {
    if (all && !stems.every((key) => text.weights.has(key))) return 0;
    const long = K1 * (1 - B + (B * text.length) / average);
    return stems.reduce((sum, key, at) => {
      const weight = text.weights.get(key) ?? 0;
      return sum + ((idf[at] ?? 0) * weight * (K1 + 1)) / (weight + long);
    }, 0);
  };
}
