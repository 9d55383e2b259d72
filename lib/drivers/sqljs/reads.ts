import type { IndexedRow, RowKey, RowState } from "../../schema/row.ts";
import type { Digests, Fields, Filter, Hit, Order, SearchTerms } from "../driver.ts";
import { EXACT_SCORE, fold, LITERAL } from "../ladder.ts";
import { FOLDED, fromColumns, READ } from "./columns.ts";
import type { SqlValue } from "./engine.ts";
import { compileFilter, ORDERS, TIES } from "./filter.ts";
import { BODY_WEIGHT, FULL_TEXT_COLUMNS } from "./schema.ts";
import type { Statements } from "./statements.ts";

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
  const where = compileFilter(filter);
  const found = statements.all(
    `SELECT s.id FROM skills s WHERE ${where.sql} ORDER BY ${ORDERS[order]} LIMIT ? OFFSET ?`,
    [...where.values, atMost(limit), Math.max(0, Math.trunc(offset))],
  );
  return rowsOf(statements, found);
}

/** Rows of the ids in the first column, in that order: sorting ids is cheap, sorting whole rows is not. */
function rowsOf(statements: Statements, found: readonly SqlValue[][]): IndexedRow[] {
  const ids = JSON.stringify(found.map(([id]) => id));
  return statements
    .all(`SELECT ${READ} FROM json_each(?) wanted JOIN skills s ON s.id = wanted.value ORDER BY wanted.key`, [
      ids,
    ])
    .map(fromColumns);
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

/** Rows that score, as SQL: what to score in (with its conditions), the score, and the values of both in order. */
interface Scoring {
  readonly from: string;
  readonly score: string;
  readonly body?: string;
  readonly values: readonly SqlValue[];
  readonly condition?: readonly [sql: string, ...values: SqlValue[]];
}

export function searchRows(
  statements: Statements,
  terms: SearchTerms,
  filter: Filter,
  limit: number,
  fullText: boolean,
): Hit[] {
  const scoring = terms.kind === "match" ? (fullText ? byFullText(terms) : undefined) : byComparison(terms);
  if (scoring === undefined) return [];
  const where = compileFilter(filter);
  const [condition, ...conditionValues] = scoring.condition ?? ["1"];
  const found = statements.all(
    `SELECT s.id, s.score, s.body FROM (
      SELECT s.id, s.updated_at, s.name, s.place, s.path, ${scoring.score} AS score, ${scoring.body ?? "0.0"} AS body
      FROM ${scoring.from} WHERE ${condition} AND ${where.sql}) s
    WHERE s.score > 0 ORDER BY s.score DESC, ${TIES} LIMIT ?`,
    [...scoring.values, ...conditionValues, ...where.values, atMost(limit)],
  );
  return rowsOf(statements, found).map((row, at) => ({
    row,
    score: Number(found[at]?.[1]),
    body: Number(found[at]?.[2]),
  }));
}

/** Each term is quoted and bound: no word of it can act as an operator (C18, B48). */
function quote(term: string): string {
  const plain = term.replaceAll("\u0000", "").trim();
  return plain === "" ? "" : `"${plain.replaceAll('"', '""')}"`;
}

const HEADS = "{name description triggers} :";

function byFullText({
  terms,
  heads = [],
  all,
}: Extract<SearchTerms, { kind: "match" }>): Scoring | undefined {
  const query = [...terms.map(quote), ...heads.map((term) => quote(term) && `${HEADS} ${quote(term)}`)]
    .filter((term) => term !== "")
    .join(all ? " AND " : " OR ");
  if (query === "") return undefined;
  const weights = FULL_TEXT_COLUMNS.map((column) => column.weight).join(", ");
  const ofBody = FULL_TEXT_COLUMNS.map(({ name }) => (name === "body" ? BODY_WEIGHT : 0)).join(", ");
  return {
    from: "skills_fts JOIN skills s ON s.id = skills_fts.rowid",
    // FTS5 says better with a smaller number (B50, C20).
    score: `-bm25(skills_fts, ${weights})`,
    body: `-bm25(skills_fts, ${ofBody})`,
    values: [],
    condition: ["skills_fts MATCH ?", query],
  };
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

function byComparison(terms: Exclude<SearchTerms, { kind: "match" }>): Scoring | undefined {
  if (terms.kind === "exact") {
    const text = fold(terms.text);
    if (text === "") return undefined;
    const score = `CASE WHEN s.name_key = ? OR instr(${FOLDED}, char(10) || ? || char(10)) > 0 THEN ${EXACT_SCORE.toFixed(1)} ELSE 0.0 END`;
    return { from: "skills s", score, values: [text, text] };
  }
  const tokens = terms.tokens.map(fold).filter((token) => token !== "");
  if (tokens.length === 0) return undefined;
  const one = `CASE WHEN s.name_key = t.value THEN ${LITERAL.isName}
    WHEN substr(s.name_key, 1, length(t.value)) = t.value THEN ${LITERAL.beginsName}
    WHEN instr(s.name_key, t.value) > 0 THEN ${LITERAL.inName} WHEN instr(${FOLDED}, t.value) > 0 THEN ${LITERAL.inText} ELSE 0.0 END`;
  return {
    from: "skills s",
    score: `(SELECT max(${one}) FROM json_each(?) t)`,
    values: [JSON.stringify(tokens)],
  };
}

function atMost(limit: number): number {
  return Number.isFinite(limit) ? Math.max(0, Math.trunc(limit)) : -1;
}
