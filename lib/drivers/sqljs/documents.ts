import type { Statements } from "./statements.ts";
import { numbersOf } from "./varints.ts";

/** What bm25 asks of each row of the full-text index, by row number. */
export interface Documents {
  /** Rows there are. */
  readonly rows: number;
  /** The write that put the row last, plus one; 0 where there is no such row. */
  readonly written: Float64Array;
  /** bm25's part that is the row's length: k1 · (1 − b + b · length / average). */
  readonly lengths: Float64Array;
}

/** The constants of FTS5's bm25. */
export const K1 = 1.2;
const B = 0.75;
/** Arrays by row number are for indexes whose numbers are not much sparser than their rows. */
const SPARSE = 64;
const FEW_ROWS = 100_000;

/** Undefined where row numbers are so large that arrays by them would be wasted. */
export function readDocuments(statements: Statements): Documents | undefined {
  const [most, rows] = (statements.one("SELECT max(id), count(*) FROM skills_fts_docsize") ?? []).map(Number);
  if (most === undefined || rows === undefined || most > Math.max(FEW_ROWS, rows * SPARSE)) return undefined;
  const written = new Float64Array(most + 1);
  const lengths = new Float64Array(most + 1);
  let words = 0;
  for (const [id, sizes, origin] of statements.all("SELECT id, sz, origin FROM skills_fts_docsize")) {
    let length = 0;
    for (const size of numbersOf(sizes)) length += size;
    written[Number(id)] = Number(origin) + 1;
    lengths[Number(id)] = length;
    words += length;
  }
  for (let id = 0; id <= most; id++) lengths[id] = K1 * (1 - B + (B * (lengths[id] ?? 0) * rows) / words);
  return { rows, written, lengths };
}
