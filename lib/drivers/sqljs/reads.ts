import type { IndexedRow, RowKey, RowState } from "../../schema/row.ts";
import type { Digests, Fields, Filter, Hit, Order, SearchTerms } from "../driver.ts";
import { FOLDED, fromColumns, READ } from "./columns.ts";
import type { SqlValue } from "./engine.ts";
import { compileFilter, ORDERS, TIES } from "./filter.ts";
import { BODY_WEIGHT, FULL_TEXT_COLUMNS } from "./schema.ts";
import type { Statements } from "./statements.ts";

type Match = Extract<SearchTerms, { kind: "match" }>;

export function readRow(statements: Statements, { place, path }: RowKey): IndexedRow | undefined {
  const found = statements.one(`SELECT ${READ} FROM skills s WHERE s.place = ? AND s.path = ?`, [
    place,
    path,
  ]);
  return found === undefined ? undefined : fromColumns(found);
}

export function listRows(
  statements: Statements,
  filter: Filter,
  order: Order,
  limit = Number.POSITIVE_INFINITY,
  offset = 0,
): IndexedRow[] {
  // Most texts are nobody's name: a look into the index of the keys is told much sooner than a list of none.
  if (filter.key !== undefined && !isKnown(statements, filter.key)) return [];
  const where = compileFilter(filter);
  const found = statements.all(
    `SELECT s.id FROM skills s WHERE ${where.sql} ORDER BY ${ORDERS[order]} LIMIT ? OFFSET ?`,
    [...where.values, atMost(limit), Math.max(0, Math.trunc(offset))],
  );
  return rowsOf(statements, idsOf(found));
}

function isKnown(statements: Statements, key: string): boolean {
  return statements.one("SELECT 1 FROM skill_keys WHERE key = ? LIMIT 1", [key]) !== undefined;
}

function idsOf(found: readonly SqlValue[][]): number[] {
  return found.map(([id]) => Number(id));
}

/** Rows of the ids, in that order: sorting ids is cheap, sorting whole rows is not. */
export function rowsOf(statements: Statements, ids: readonly number[]): IndexedRow[] {
  if (ids.length === 0) return [];
  return statements
    .all(`SELECT ${READ} FROM json_each(?) wanted JOIN skills s ON s.id = wanted.value ORDER BY wanted.key`, [
      JSON.stringify(ids),
    ])
    .map(fromColumns);
}

/** The first `limit` of the ids in the order that tells equal scores apart. */
export function firstOf(statements: Statements, ids: readonly number[], limit: number): number[] {
  const found = statements.all(
    `SELECT s.id FROM json_each(?) wanted JOIN skills s ON s.id = wanted.value ORDER BY ${TIES} LIMIT ?`,
    [JSON.stringify(ids), limit],
  );
  return idsOf(found);
}

export function countRows(statements: Statements, filter: Filter): number {
  const where = compileFilter(filter);
  return Number(statements.one(`SELECT count(*) FROM skills s WHERE ${where.sql}`, where.values)?.[0] ?? 0);
}

/** One text for all of them, as in `readDigests`. */
export function namesOf(statements: Statements, filter: Filter): string[] {
  const where = compileFilter(filter);
  const packed = statements.one(
    `SELECT json_group_array(DISTINCT s.name) FROM skills s WHERE ${where.sql}`,
    where.values,
  );
  return JSON.parse(String(packed?.[0] ?? "[]")) as string[];
}

/** One text for all rows: reading six columns of each, one by one, takes longer than parsing it. */
export function readDigests(statements: Statements, place: string | undefined): Digests {
  const where = compileFilter(place === undefined ? {} : { place });
  const packed = statements.one(
    `SELECT json_group_array(json_array(s.place, s.path, s.digest, s.bytes_hash, s.stamp, s.state)) FROM skills s WHERE ${where.sql}`,
    where.values,
  );
  const rows = JSON.parse(String(packed?.[0] ?? "[]")) as [
    string,
    string,
    string,
    string,
    string,
    RowState,
  ][];
  return {
    rows: rows.map(([p, path, digest, bytesHash, stamp, state]) => ({
      place: p,
      path,
      digest,
      bytesHash,
      stamp,
      state,
    })),
    state: Object.fromEntries(
      statements.all("SELECT key, value FROM state").map(([k, v]) => [String(k), String(v)]),
    ),
  };
}

/** bm25 as the engine works it out, for what cannot be added up from lists of rows. Best first. */
export function matchRows(statements: Statements, terms: Match, filter: Filter, limit: number): Hit[] {
  const query = queryOf(terms);
  if (query === "") return [];
  const where = compileFilter(filter);
  // FTS5 says better with a smaller number (B50, C20).
  const found = statements.all(
    `SELECT s.id, s.score, s.body FROM (
      SELECT s.id, s.updated_at, s.name, s.place, s.path, -bm25(skills_fts, ${WEIGHTS}) AS score,
        -bm25(skills_fts, ${OF_BODY}) AS body
      FROM skills_fts JOIN skills s ON s.id = skills_fts.rowid WHERE skills_fts MATCH ? AND ${where.sql}) s
    ORDER BY s.score DESC, ${TIES} LIMIT ?`,
    [query, ...where.values, atMost(limit)],
  );
  return rowsOf(statements, idsOf(found)).map((row, at) => ({
    row,
    score: Number(found[at]?.[1]),
    body: Number(found[at]?.[2]),
  }));
}

/** What the steps after full text look into. */
export interface Labels {
  readonly id: number;
  /** `nameKey` of the name. */
  readonly key: string;
  readonly text: string;
}

/** Of all rows, as `foldedText` has it. */
export function readLabels(statements: Statements): Labels[] {
  return statements
    .all(`SELECT s.id, s.name_key, ${FOLDED} FROM skills s`)
    .map(([id, key, text]) => ({ id: Number(id), key: String(key), text: String(text) }));
}

/** Each term is quoted and bound: no word of it can act as an operator (C18, B48). */
function quote(term: string): string {
  const plain = term.replaceAll("\u0000", "").trim();
  return plain === "" ? "" : `"${plain.replaceAll('"', '""')}"`;
}

const WEIGHTS = FULL_TEXT_COLUMNS.map((column) => column.weight).join(", ");
const OF_BODY = FULL_TEXT_COLUMNS.map(({ name }) => (name === "body" ? BODY_WEIGHT : 0)).join(", ");
const HEADS = "{name description triggers} :";

function queryOf({ terms, heads = [], all }: Match): string {
  return [...terms.map(quote), ...heads.map((term) => quote(term) && `${HEADS} ${quote(term)}`)]
    .filter((term) => term !== "")
    .join(all ? " AND " : " OR ");
}

/** Rows that hold the term. */
export function countHolding(statements: Statements, term: string, fields: Fields): number {
  const query = quote(term);
  if (query === "") return 0;
  const found = statements.one("SELECT count(*) FROM skills_fts WHERE skills_fts MATCH ?", [
    fields === "heads" ? `${HEADS} ${query}` : query,
  ]);
  return Number(found?.[0] ?? 0);
}

function atMost(limit: number): number {
  return Number.isFinite(limit) ? Math.max(0, Math.trunc(limit)) : -1;
}
