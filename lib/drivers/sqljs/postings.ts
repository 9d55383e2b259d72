import { stem } from "../../core/stem.ts";
import type { Fields } from "../driver.ts";
import { countRows, type Postings, readPostings } from "./doclist.ts";
import { type Documents, readDocuments } from "./documents.ts";
import { createFinder, readSegments } from "./segments.ts";
import type { Statements } from "./statements.ts";

/** Prompts repeat words: counts that are kept, and rows of lists that are, 12 bytes each. */
const KEPT_COUNTS = 20_000;
const KEPT_ROWS = 1_000_000;
/** What a list takes besides its rows, in rows: queries bring words without end that no row has. */
const LIST_COST = 40;

/**
 * The full text as lists of rows by word, read from FTS5's own tables: in the engine each row of an answer costs many
 * times what adding up the same numbers here does, and the next query has most of its words in common.
 */
export interface TextIndex {
  readonly documents: Documents;
  /** The rows of a word and of those with its stem. */
  of(word: string): Postings;
  /** How many there are. */
  holding(word: string, fields: Fields): number;
}

/** Undefined where the tables are not laid out as is known here; the engine can be asked all the same. */
export function openTextIndex(
  statements: Statements,
  keptRows = KEPT_ROWS,
  keptPages?: number,
): TextIndex | undefined {
  const segments = readSegments(statements);
  const documents = segments && readDocuments(statements);
  if (segments === undefined || documents === undefined) return undefined;
  const lists = new Map<string, Postings>();
  const counts = new Map<string, number>();
  let rows = 0;

  const find = createFinder(statements, segments, keptPages);
  const doclists = (word: string) => find(stem(word));

  function of(word: string): Postings {
    const known = lists.get(word);
    const found = known ?? readPostings(doclists(word), documents as Documents);
    lists.delete(word);
    lists.set(word, found);
    if (known === undefined) rows += LIST_COST + found.rows.length;
    for (const [oldest, { rows: its }] of lists) {
      if (rows <= keptRows || oldest === word) break;
      lists.delete(oldest);
      rows -= LIST_COST + its.length;
    }
    return found;
  }

  function count(word: string, fields: Fields): number {
    if (fields === "all")
      return lists.get(word)?.rows.length ?? countRows(doclists(word), documents as Documents);
    let found = 0;
    for (const weight of of(word).heads) if (weight > 0) found++;
    return found;
  }

  return {
    documents,
    of,
    holding(word, fields) {
      const key = `${fields} ${word}`;
      const known = counts.get(key);
      if (known !== undefined) return known;
      const found = count(word, fields);
      if (counts.size >= KEPT_COUNTS) counts.clear();
      counts.set(key, found);
      return found;
    },
  };
}

/**
 * Whether the tokenizer leaves the word whole and `stem` makes of it what the engine does: that counts bytes where
 * `stem` counts letters, and cuts at what is neither a letter nor a digit of ASCII, nor outside of it.
 */
export function isOneWord(word: string): boolean {
  return /^(?:[a-z0-9]{1,64}|\P{ASCII}+|(?:[a-z0-9]|\P{ASCII}){3,16})$/u.test(word);
}
