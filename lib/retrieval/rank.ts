import type { Translate } from "../core/glossary.ts";
import { isCjk } from "../core/terms.ts";
import type { Fields, Hit } from "../drivers/driver.ts";
import { type IndexedRow, rowId } from "../schema/row.ts";
import {
  createRowReader,
  type Meeting,
  type Meetings,
  type RowReader,
  type RowWords,
  type Words,
} from "./row-words.ts";

export interface Scored {
  readonly row: IndexedRow;
  readonly score: number;
  /** How well it answers, to be compared between queries and libraries; absent where no words were ranked by. */
  readonly fit?: number;
  /** It says every word of the query of itself, not just in its body; never where some word is in no skill. */
  readonly isWhole?: boolean;
}

/** What a query asks for. */
export interface Demand {
  /** What `fit` is taken by (`measureOf`). */
  readonly measure: number;
  /** Every word of the query is among those that are ranked by. */
  readonly isWhole: boolean;
}

const ANYTHING: Demand = Object.freeze({ measure: 1, isWhole: false });

/** What a word in one field is worth, how much of that its length takes away, and how many words it usually has. */
interface FieldRule {
  readonly weight: number;
  readonly b: number;
  readonly usual: number;
}

/** Constants of the ranking, tuned on one half of labelled queries; docs/decisions/ranking.md has the figures. */
const NAME: FieldRule = { weight: 24, b: 0.1, usual: 4 };
const TITLE: FieldRule = { weight: 4, b: 0.1, usual: 6 };
const DESCRIPTION: FieldRule = { weight: 8, b: 0.1, usual: 40 };
/** What the description says that the skill is not for. */
const NEGATIVE: FieldRule = { weight: 1.6, b: 0.1, usual: 12 };
const TRIGGERS: FieldRule = { weight: 6, b: 0.3, usual: 20 };
/** What the rest is in English, where it is in Chinese, Japanese or Korean: as much as the description itself. */
const TRANSLATED: FieldRule = { weight: 8, b: 0.1, usual: 20 };
/** More of one word adds less and less: 8.8 F / (7.8 + F). */
const SATURATION = 7.8;
/** What a word counts that is the same by its stem. */
const STEMMED = 0.68;
const BODY = 2.4;
/** What it counts that the query has the words of the name; being the name outweighs everything (B06). */
const NAME_SHARE = 0.25;
const CALLED_SO = 20;
/** What it counts that the query has every word of a trigger, or of a phrase that the description quotes. */
const PHRASE = 1.5;
/** Rarity is damped, and a word so many words later weighs half. */
const DAMPING = 0.5;
const DECAY = 16;
/** A pair of CJK letters is a part of a word. */
const PAIR = 0.7;
/** A translation may be the wrong one. */
const TRANSLATION = 0.3;

/** A word of a query, the fields that it is looked for in, and how many rows hold it there. */
export interface CountedTerm {
  readonly term: string;
  readonly fields: Fields;
  readonly holding: number;
}

export interface WeighedTerm {
  readonly term: string;
  readonly weight: number;
  /** The query has it in another language. */
  readonly translated: boolean;
}

/** Rare words weigh more, words that come late in a prompt less. `terms` in order of appearance. */
export function weigh(terms: readonly CountedTerm[], rows: number, translated = false): WeighedTerm[] {
  return terms.map(({ term, holding }, at) => {
    const df = Math.min(holding, rows);
    const rarity = Math.log(1 + (rows - df + 0.5) / (df + 0.5)) ** DAMPING;
    const kind = translated ? TRANSLATION : isCjk(term) ? PAIR : 1;
    return { term, weight: (rarity * kind) / (1 + at / DECAY), translated };
  });
}

/**
 * Orders full-text hits by the words of their name, title, description, what it is not for, triggers and tags, also in
 * English, by phrases that they say they are asked for with, and by what the body adds. `named` are rows that are called
 * like the query. Scores become 0 to 1 (S3.14, C20): r/(1+r), then min-max.
 */
export function rank(
  hits: readonly Hit[],
  named: readonly IndexedRow[],
  terms: readonly WeighedTerm[],
  translate: Translate,
  asked: Demand = ANYTHING,
  reader: RowReader = createRowReader(translate),
): Scored[] {
  const total = terms.reduce((sum, { weight }) => sum + weight, 0);
  const calledSo = new Set(named.map(rowId));
  const rows = new Map<string, Pick<Hit, "row" | "body">>(
    [...named.map((row) => ({ row, body: 0 })), ...hits].map((hit) => [rowId(hit.row), hit]),
  );
  const read = Array.from(rows.values(), ({ row }) => reader.of(row));
  const meetings = reader.meet(terms.map(({ term }) => term));
  const own = terms.filter(({ translated }) => !translated).length;
  const question = { terms, own, meetings };
  const scored = Array.from(rows, ([id, { row, body }], at) => {
    const { words, share, phrase, all } = compare(read[at] as RowWords, question);
    const name = share * NAME_SHARE + (calledSo.has(id) ? CALLED_SO : 0);
    const points = words + BODY * body + (name + (phrase ? PHRASE : 0)) * total;
    return { row, score: points, fit: points / asked.measure, isWhole: asked.isWhole && all };
  });
  return normalise(scored.sort(byScore));
}

/** A query, as rows are compared with it. */
interface Question {
  readonly terms: readonly WeighedTerm[];
  /** How many of them are its own; translations stand behind. */
  readonly own: number;
  readonly meetings: Meetings;
}

interface Comparison {
  /** What the words of the row's fields make of the terms. */
  readonly words: number;
  /** Which share of its name's words the query has. */
  readonly share: number;
  /** Whether the query has every word of one of its phrases. */
  readonly phrase: boolean;
  /** Whether its fields hold every word of the query. */
  readonly all: boolean;
}

function compare(row: RowWords, { terms, own, meetings }: Question): Comparison {
  const wholly = new Float64Array(terms.length);
  const byStem = new Float64Array(terms.length);
  const { of, all: known } = meetings;
  const add = (words: Words, { weight, b, usual }: FieldRule): number => {
    const each = weight / (1 - b + (b * words.length) / usual);
    let met = 0;
    for (let k = 0; k < words.length; k++) {
      const which = of[words[k] as number] as number;
      if (!(which > 0)) continue;
      const { at, sameStem } = known[which - 1] as Meeting;
      met++;
      for (const one of sameStem) byStem[one] = (byStem[one] ?? 0) + each;
      if (at !== undefined) wholly[at] = (wholly[at] ?? 0) + each;
    }
    return words.length === 0 ? 0 : met / words.length;
  };
  const share = add(row.name, NAME);
  add(row.title, TITLE);
  add(row.description, DESCRIPTION);
  add(row.negative, NEGATIVE);
  add(row.triggers, TRIGGERS);
  add(row.translated, TRANSLATED);
  let words = 0;
  for (let at = 0; at < terms.length; at++) {
    const weight = terms[at]?.weight ?? 0;
    words += weight * (saturate(wholly[at] ?? 0) + STEMMED * saturate(byStem[at] ?? 0));
  }
  const isAsked = (word: number) => (known[(of[word] ?? 0) - 1]?.sameStem[0] ?? own) < own;
  const all = byStem.subarray(0, own).every((found) => found > 0);
  return { words, share, all, phrase: row.phrases.some((one) => one.every(isAsked)) };
}

function saturate(found: number): number {
  return ((SATURATION + 1) * found) / (SATURATION + found);
}

/** Score, then newest, then name (S3.17), then place and path: total. */
function byScore(a: Scored, b: Scored): number {
  return (
    b.score - a.score ||
    order(b.row.updatedAt, a.row.updatedAt) ||
    order(a.row.name, b.row.name) ||
    order(a.row.place, b.row.place) ||
    order(a.row.path, b.row.path)
  );
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** One hit, or equal ones, score 1 (S3.14). */
export function normalise(hits: readonly Scored[]): Scored[] {
  const squashed = hits.map((hit) => ({ ...hit, score: hit.score / (1 + hit.score) }));
  const scores = squashed.map((hit) => hit.score);
  const [least, most] = [Math.min(...scores), Math.max(...scores)];
  return squashed.map((hit) => ({
    ...hit,
    score: most === least ? 1 : (hit.score - least) / (most - least),
  }));
}
