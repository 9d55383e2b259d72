import { nameKey } from "../core/names.ts";
import { queryTerms } from "../core/terms.ts";
import type { Hit } from "../drivers/driver.ts";
import type { IndexedRow } from "../schema/row.ts";

/** What a name adds, in shares of the best bm25 of the answer: it is the query, or begins with it (design 6). */
const NAME_IS = 1;
const NAME_BEGINS = 0.2;

/**
 * Orders full-text hits: bm25, lifted where the name is the query or begins with it, so that the skill that is
 * called what was asked for comes first (B06). `named` are rows called like the query, found by key; they are
 * candidates whether or not the full text found them. Scores become 0 to 1 (S3.14, C20): r/(1+r), then min-max.
 */
export function rank(hits: readonly Hit[], named: readonly IndexedRow[], terms: readonly string[]): Hit[] {
  const best = hits.reduce((most, hit) => Math.max(most, hit.score), 0) || 1;
  const known = new Set(hits.map((hit) => idOf(hit.row)));
  const all = [...hits, ...named.filter((row) => !known.has(idOf(row))).map((row) => ({ row, score: 0 }))];
  const calledSo = new Set(named.map(idOf));
  const lifted = all.map(({ row, score }) => {
    const lift = calledSo.has(idOf(row)) ? NAME_IS + NAME_BEGINS : begins(row, terms) ? NAME_BEGINS : 0;
    return { row, score: score + lift * best };
  });
  return normalise(lifted.sort(byScore));
}

function idOf(row: IndexedRow): string {
  return `${row.place}\u0000${row.path}`;
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
    order(nameKey(a.row.name), nameKey(b.row.name)) ||
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
