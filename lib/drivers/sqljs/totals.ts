import type { SqlValue } from "./engine.ts";
import { FULL_TEXT_COLUMNS } from "./schema.ts";
import type { Statements } from "./statements.ts";

/** FTS5's own record of how many rows there are and how many words in each column, which bm25 divides by. */
const TOTALS_ID = 1;

/**
 * FTS5 adds to its totals with every row, but in a contentless-delete table it never takes anything off again: rows
 * removed or replaced would weigh on every score for good, and an old index would rank otherwise than a fresh one
 * (P1). So the writer keeps the account, and writes it once a batch.
 */
export interface Totals {
  /** Before the text of this row goes. */
  takeOff(id: number): void;
  /** After the text of this row has come. */
  add(id: number): void;
  /** In the same transaction, after all texts. */
  write(): void;
}

export function openTotals(statements: Statements): Totals {
  let totals: number[] | undefined;

  function move(id: number, sign: 1 | -1): void {
    totals ??= readTotals(statements);
    const sizes = statements.one("SELECT sz FROM skills_fts_docsize WHERE id = ?", [id]);
    if (sizes === undefined) return;
    const row = [1, ...numbers(sizes[0])];
    totals = totals.map((total, at) => total + sign * (row[at] ?? 0));
  }

  return {
    takeOff: (id) => move(id, -1),
    add: (id) => move(id, 1),
    write() {
      if (totals === undefined) return;
      // A savepoint makes FTS5 write its own totals now, and forget them: the commit then does not write them again.
      statements.run("SAVEPOINT totals");
      statements.run("UPDATE skills_fts_data SET block = ? WHERE id = ?", [varints(totals), TOTALS_ID]);
      statements.run("RELEASE totals");
      totals = undefined;
    },
  };
}

/** The number of rows, then of words in each column; the record of an empty table is empty. */
function readTotals(statements: Statements): number[] {
  const found = numbers(statements.one("SELECT block FROM skills_fts_data WHERE id = ?", [TOTALS_ID])?.[0]);
  return Array.from({ length: FULL_TEXT_COLUMNS.length + 1 }, (_, at) => found[at] ?? 0);
}

/** SQLite's variable-length integers. */
function numbers(block: SqlValue | undefined): number[] {
  const found: number[] = [];
  let value = 0;
  for (const byte of block instanceof Uint8Array ? block : []) {
    value = value * 128 + (byte & 0x7f);
    if ((byte & 0x80) !== 0) continue;
    found.push(value);
    value = 0;
  }
  return found;
}

function varints(values: readonly number[]): Uint8Array {
  return Uint8Array.from(
    values.flatMap((value) => {
      const bytes = [value % 128];
      for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128))
        bytes.unshift((rest % 128) | 0x80);
      return bytes;
    }),
  );
}
