import type { Fields, Frequencies } from "../driver.ts";
import { countHolding, countRows } from "./reads.ts";
import type { Statements } from "./statements.ts";

/** Frequent words take as long to count as to search for, and prompts repeat them. */
const KEPT = 20_000;

export interface KeptFrequencies {
  of(terms: readonly string[], fields: Fields): Frequencies;
  /** After every change of the index. */
  forget(): void;
}

/** Counts words, each once while the index stays as it is. */
export function createFrequencies(statements: Statements, fullText: boolean): KeptFrequencies {
  const kept = new Map<string, number>();
  let rows: number | undefined;

  function holding(term: string, fields: Fields): number {
    const key = `${fields} ${term}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const found = countHolding(statements, term, fields);
    if (kept.size >= KEPT) kept.clear();
    kept.set(key, found);
    return found;
  }

  return {
    of(terms, fields) {
      rows ??= countRows(statements, {});
      return { rows, holding: terms.map((term) => (fullText ? holding(term, fields) : 0)) };
    },
    forget() {
      kept.clear();
      rows = undefined;
    },
  };
}
