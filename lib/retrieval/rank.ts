import { queryTerms } from "../core/terms.ts";
import type { Hit } from "../drivers/driver.ts";
import { type IndexedRow, rowId } from "../schema/row.ts";

/** What lifts a hit, in shares of the best bm25 of the answer: it has every term; its name is the query, or begins with it. */
const HAS_ALL = 1;
const NAME_IS = 1;
const NAME_BEGINS = 0.2;

export interface Candidates {
  /** Rows that have every term, and rows that have any. */
  readonly all: readonly Hit[];
  readonly any: readonly Hit[];
  /** Rows called like the query, found by key: candidates whether or not the full text found them. */
  readonly named: readonly IndexedRow[];
}

/**
 * Orders full-text hits: bm25, lifted where every term is there (S3.13) and where the name is the query or begins with
 * it, so that the skill that is called what was asked for comes first (B06, design 6). Scores become 0 to 1 (S3.14,
 * C20): r/(1+r), then min-max.
 */
export function rank({ all, any, named }: Candidates, terms: readonly string[]): Hit[] {
  const best = [...all, ...any].reduce((most, hit) => Math.max(most, hit.score), 0) || 1;
  const complete = new Set(all.map((hit) => rowId(hit.row)));
  const calledSo = new Set(named.map(rowId));
  const rows = new Map(
    [...named.map((row) => ({ row, score: 0 })), ...any, ...all].map((hit) => [rowId(hit.row), hit]),
  );
  const lifted = Array.from(rows, ([id, { row, score }]) => {
    const name = calledSo.has(id) ? NAME_IS + NAME_BEGINS : begins(row, terms) ? NAME_BEGINS : 0;
    return { row, score: score + (name + (complete.has(id) ? HAS_ALL : 0)) * best };
  });
  return normalise(lifted.sort(byScore));
}

function begins(row: IndexedRow, terms: readonly string[]): boolean {
  const words = queryTerms(row.name);
  return words.length > 0 && terms.length > 0 && terms.every((term, i) => words[i] === term);
}

/** Score, then newest, then name (S3.17), then place and path: total. */
function byScore(a: Hit, b: Hit): number {
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
export function normalise(hits: readonly Hit[]): Hit[] {
  const squashed = hits.map(({ row, score }) => ({ row, score: score / (1 + score) }));
  const scores = squashed.map((hit) => hit.score);
  const [least, most] = [Math.min(...scores), Math.max(...scores)];
  return squashed.map(({ row, score }) => ({
    row,
    score: most === least ? 1 : (score - least) / (most - least),
  }));
}
