import { quietly } from "../../core/atomic.ts";
import type { FieldTerms, RowKey } from "../../schema/row.ts";
import type { Batch, Put } from "../driver.ts";
import { toColumns, UPSERT } from "./columns.ts";
import { addEvents, forgetEvents, type Pair, recount } from "./counters.ts";
import { FULL_TEXT_COLUMNS } from "./schema.ts";
import type { Statements } from "./statements.ts";
import { openTotals, type Totals } from "./totals.ts";

const TEXT_NAMES = FULL_TEXT_COLUMNS.map((column) => column.name);
const TEXT_VALUES = `skills_fts(rowid, ${TEXT_NAMES.join(", ")}) VALUES (?${", ?".repeat(TEXT_NAMES.length)})`;
const NO_TEXT = { name: "", description: "", triggers: "", body: "" };

/** A batch in one transaction: removals, then rows, events, counters, state; all of it or nothing. */
export function applyBatch(statements: Statements, batch: Batch, fullText: boolean): void {
  statements.run("BEGIN");
  try {
    const totals = fullText ? openTotals(statements) : undefined;
    for (const key of batch.remove ?? []) remove(statements, key, totals);
    const placed = (batch.put ?? []).map((put) => putRow(statements, put));
    if (totals !== undefined) {
      for (const one of placed)
        if (one.text !== undefined) writeText(statements, one.id, one.text, one.replaces, totals);
      totals.write();
    }
    const moved = placed.flatMap((one) => one.moved);
    if (batch.forgetEvents === true) moved.push(...forgetEvents(statements));
    recount(statements, [...moved, ...addEvents(statements, batch.events ?? [])]);
    for (const [key, value] of Object.entries(batch.state ?? {})) keep(statements, key, value);
    statements.run("COMMIT");
  } catch (error) {
    // Out of memory and the like have rolled back already.
    quietly(() => statements.run("ROLLBACK"));
    throw error;
  }
}

interface Placed {
  readonly id: number;
  readonly text: FieldTerms | undefined;
  readonly replaces: boolean;
  /** The skill whose counters this row must be given, if it is new or goes by another name now. */
  readonly moved: Pair[];
}

/**
 * Writes a row and its keys. Its text is left to the caller, who writes those of a whole batch one after another:
 * an upsert opens a savepoint, at which FTS5 would bring each single text to its tables.
 */
function putRow(statements: Statements, { row, terms }: Put): Placed {
  const before = statements.one(
    "SELECT name, repo_fingerprint, keys FROM skills WHERE place = ? AND path = ?",
    [row.place, row.path],
  );
  const id = statements.one(UPSERT, toColumns(row))?.[0] as number;
  const keys = JSON.stringify(row.keys);
  if (before?.[2] !== keys) {
    if (before !== undefined) dropKeys(statements, id, before[2] as string);
    statements.run("INSERT OR IGNORE INTO skill_keys(key, id) SELECT value, ? FROM json_each(?)", [id, keys]);
  }
  const same = before?.[0] === row.name && before[1] === row.fingerprint;
  return {
    id,
    // A row that never had a text gets an empty one, so that both tables always hold the same rows.
    text: terms ?? (before === undefined ? NO_TEXT : undefined),
    replaces: before !== undefined,
    moved: same ? [] : [{ fingerprint: row.fingerprint, name: row.name }],
  };
}

function writeText(
  statements: Statements,
  id: number,
  text: FieldTerms,
  replaces: boolean,
  totals: Totals,
): void {
  if (replaces) totals.takeOff(id);
  statements.run(`INSERT${replaces ? " OR REPLACE" : ""} INTO ${TEXT_VALUES}`, [
    id,
    ...TEXT_NAMES.map((name) => text[name]),
  ]);
  totals.add(id);
}

function remove(statements: Statements, { place, path }: RowKey, totals: Totals | undefined): void {
  const gone = statements.one("DELETE FROM skills WHERE place = ? AND path = ? RETURNING id, keys", [
    place,
    path,
  ]);
  if (gone === undefined) return;
  const id = gone[0] as number;
  dropKeys(statements, id, gone[1] as string);
  if (totals === undefined) return;
  totals.takeOff(id);
  statements.run("DELETE FROM skills_fts WHERE rowid = ?", [id]);
}

function dropKeys(statements: Statements, id: number, keys: string): void {
  statements.run("DELETE FROM skill_keys WHERE id = ? AND key IN (SELECT value FROM json_each(?))", [
    id,
    keys,
  ]);
}

function keep(statements: Statements, key: string, value: string | undefined): void {
  if (value === undefined) statements.run("DELETE FROM state WHERE key = ?", [key]);
  else {
    statements.run(
      "INSERT INTO state(key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
      [key, value],
    );
  }
}
