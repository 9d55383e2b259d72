import type { Postings } from "./doclist.ts";
import { type Documents, K1 } from "./documents.ts";
import { BODY_WEIGHT, FULL_TEXT_COLUMNS } from "./schema.ts";

/** A word of a query: where it stands, whether bodies count, and in how many rows it is found so. */
export interface SoughtWord {
  readonly postings: Postings;
  readonly headsAlone: boolean;
  readonly holding: number;
}

export interface Found {
  readonly id: number;
  readonly score: number;
  readonly body: number;
}

const IN_BODY = FULL_TEXT_COLUMNS.find(({ name }) => name === "body")?.weight ?? 0;
/** What FTS5 makes of a word that more than half of all rows hold. */
const LEAST_IDF = 1e-6;

/**
 * FTS5's bm25 of the rows with any of the words, the best `limit` of those that are `eligible`, and all that score like
 * the last of these; best first. `eligible` holds 1 by row number where the row counts.
 */
export function findBest(
  words: readonly SoughtWord[],
  documents: Documents,
  eligible: Uint8Array,
  limit: number,
): Found[] {
  const { scores, bodies, rows } = addUp(words, documents, eligible);
  const least = leastOfBest(scores, rows, limit);
  const found: Found[] = [];
  for (const id of rows) {
    const score = scores[id] ?? 0;
    if (score >= least) found.push({ id, score, body: bodies[id] ?? 0 });
  }
  return found.sort((a, b) => b.score - a.score);
}

function addUp(words: readonly SoughtWord[], { rows: all, lengths }: Documents, eligible: Uint8Array) {
  const scores = new Float64Array(lengths.length);
  const bodies = new Float64Array(lengths.length);
  const rows: number[] = [];
  for (const { postings, headsAlone, holding } of words) {
    const idf = Math.max(LEAST_IDF, Math.log((all - holding + 0.5) / (holding + 0.5))) * (K1 + 1);
    const { rows: its, heads, bodies: inBodies } = postings;
    for (let at = 0; at < its.length; at++) {
      const id = its[at] as number;
      const ofHeads = heads[at] as number;
      if (eligible[id] !== 1 || (headsAlone && ofHeads === 0)) continue;
      const inBody = headsAlone ? 0 : (inBodies[at] as number);
      const long = lengths[id] as number;
      const weight = ofHeads + inBody * IN_BODY;
      if (scores[id] === 0) rows.push(id);
      scores[id] = (scores[id] as number) + (idf * weight) / (weight + long);
      if (inBody === 0) continue;
      const ofBody = inBody * BODY_WEIGHT;
      bodies[id] = (bodies[id] as number) + (idf * ofBody) / (ofBody + long);
    }
  }
  return { scores, bodies, rows };
}

/** The score of the last of the best `limit` rows; 0 where there are no more. A heap whose top is the least. */
function leastOfBest(scores: Float64Array, rows: readonly number[], limit: number): number {
  if (rows.length <= limit) return 0;
  const heap = new Float64Array(limit);
  for (const id of rows) {
    const score = scores[id] as number;
    if (score <= (heap[0] as number)) continue;
    let at = 0;
    for (let child = 1; child < limit; child = 2 * at + 1) {
      if (child + 1 < limit && (heap[child + 1] as number) < (heap[child] as number)) child++;
      const least = heap[child] as number;
      if (least >= score) break;
      heap[at] = least;
      at = child;
    }
    heap[at] = score;
  }
  return heap[0] as number;
}
