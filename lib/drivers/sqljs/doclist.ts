import type { Documents } from "./documents.ts";
import { FULL_TEXT_COLUMNS } from "./schema.ts";
import type { Doclist } from "./segments.ts";
import { VarintReader } from "./varints.ts";

/** The rows that hold a stem: their numbers, what name, description and triggers hold of it by their weights, and how often the body does. */
export interface Postings {
  readonly rows: Uint32Array;
  readonly heads: Float32Array;
  readonly bodies: Float32Array;
}

const BODY = FULL_TEXT_COLUMNS.findIndex(({ name }) => name === "body");
const WEIGHTS: readonly number[] = FULL_TEXT_COLUMNS.map(({ weight }) => weight);
/** In a list of positions, this is followed by a column's number. */
const NEXT_COLUMN = 1;

/** How many rows the lists have. */
export function countRows(lists: readonly Doclist[], documents: Documents): number {
  let count = 0;
  for (const list of lists)
    walk(list, documents, () => {
      count++;
    });
  return count;
}

export function readPostings(lists: readonly Doclist[], documents: Documents): Postings {
  const most = countRows(lists, documents);
  const [rows, heads, bodies] = [new Uint32Array(most), new Float32Array(most), new Float32Array(most)];
  let at = 0;
  for (const list of lists) {
    walk(list, documents, (row, from, to) => {
      const { bytes } = list;
      rows[at] = row;
      let [inHeads, inBody, column] = [0, 0, 0];
      for (let k = from; k < to; k++) {
        // Only how many positions there are counts, not where: all bytes of one but the last have the highest bit.
        if (bytes[k] === NEXT_COLUMN) {
          column = bytes[++k] as number;
          continue;
        }
        while ((bytes[k] as number) >= 128) k++;
        if (column === BODY) inBody++;
        else inHeads += WEIGHTS[column] ?? 0;
      }
      heads[at] = inHeads;
      bodies[at++] = inBody;
    });
  }
  return { rows, heads, bodies };
}

/** Calls `take` for each row of the list that is not dead, with where its positions stand. */
function walk(
  list: Doclist,
  { written }: Documents,
  take: (row: number, from: number, to: number) => void,
): void {
  const reader = new VarintReader(list.bytes);
  const end = list.bytes.length;
  const [from, to] = list.origins;
  let row = 0;
  let next = 0;
  while (reader.at < end) {
    const isWhole = reader.at === list.whole[next];
    if (isWhole) next++;
    row = reader.next() + (isWhole ? 0 : row);
    const size = reader.next();
    if (size % 2 === 1)
      throw new Error("the full-text index is malformed: it marks a removal where none can stand");
    const begin = reader.at;
    reader.at += size / 2;
    if (reader.at > end)
      throw new Error("the full-text index is malformed: a row has more positions than its list has bytes");
    const by = (written[row] ?? 0) - 1;
    if (by >= from && by <= to) take(row, begin, reader.at);
  }
}
