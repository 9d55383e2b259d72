import { stem } from "../../core/stem.ts";
import type { FieldTerms } from "../../schema/row.ts";
import type { Fields } from "../driver.ts";

/** What a hit in each field is worth, as in every driver. */
const WEIGHTS = Object.freeze({ name: 8, description: 4, triggers: 4, body: 0.4 });
const BODY_WEIGHT = 0.6;
const FIELDS = Object.keys(WEIGHTS) as (keyof FieldTerms)[];
/** The constants of bm25, as FTS5 has them. */
const [K1, B, LEAST_IDF] = [1.2, 0.75, 1e-6];

/** The stems of one row: how often each stands in its heads, weighted, and in its body, and how many there are in all. */
export interface Text {
  readonly heads: ReadonlyMap<string, number>;
  readonly body: ReadonlyMap<string, number>;
  readonly length: number;
}

export const NO_TEXT: Text = Object.freeze({
  heads: new Map<string, number>(),
  body: new Map<string, number>(),
  length: 0,
});

export function readText(terms: FieldTerms): Text {
  const heads = new Map<string, number>();
  const body = new Map<string, number>();
  let length = 0;
  for (const field of FIELDS) {
    const [found, weight] = field === "body" ? [body, 1] : [heads, WEIGHTS[field]];
    for (const word of terms[field].split(" ")) {
      if (word === "") continue;
      const key = stem(word);
      found.set(key, (found.get(key) ?? 0) + weight);
      length++;
    }
  }
  return { heads, body, length };
}

/** How many of the texts hold the word. */
export function countHolding(texts: readonly Text[], word: string, fields: Fields): number {
  if (word === "") return 0;
  const key = stem(word);
  return texts.filter((text) => text.heads.has(key) || (fields === "all" && text.body.has(key))).length;
}

export interface Scores {
  readonly score: number;
  readonly body: number;
}

export interface Wanted {
  readonly term: string;
  readonly fields: Fields;
}

/** bm25 of each text for the terms, positive; 0 where a text does not match. `texts` are those of the whole index. */
export function createScorer(
  texts: readonly Text[],
  wanted: readonly Wanted[],
  all: boolean,
): (text: Text) => Scores {
  const average = texts.reduce((sum, text) => sum + text.length, 0) / texts.length;
  const terms = wanted.map(({ term, fields }) => {
    const holding = countHolding(texts, term, fields);
    const idf = Math.max(LEAST_IDF, Math.log((texts.length - holding + 0.5) / (holding + 0.5)));
    return { key: stem(term), fields, idf };
  });
  return (text) => {
    const long = K1 * (1 - B + (B * text.length) / average);
    const worth = (weight: number) => (weight * (K1 + 1)) / (weight + long);
    let [score, body] = [0, 0];
    for (const { key, fields, idf } of terms) {
      const inHeads = text.heads.get(key) ?? 0;
      const inBody = fields === "all" ? (text.body.get(key) ?? 0) : 0;
      if (all && inHeads === 0 && inBody === 0) return { score: 0, body: 0 };
      score += idf * worth(inHeads + inBody * WEIGHTS.body);
      body += idf * worth(inBody * BODY_WEIGHT);
    }
    return { score, body };
  };
}
