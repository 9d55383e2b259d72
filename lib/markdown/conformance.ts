import assert from "node:assert/strict";
import { test } from "node:test";
import { isCanonryError } from "../core/errors.ts";
import type { Format } from "./format.ts";

/** One change to a record, for the laws about edits: it returns a new record, never the same one changed. */
export type Change<R> = (record: R) => R;

/** What a format is tried on. More is better: a property test calls the laws below on what it makes. */
export interface FormatCases<R> {
  /** Any texts at all, good and bad. */
  readonly texts: readonly string[];
  /** Records that the format must be willing to write. */
  readonly records: readonly R[];
  /** Records that it must refuse. */
  readonly refused?: readonly R[];
  /** Each is tried on every text that gives a record; one that the format refuses there is passed over. */
  readonly changes?: readonly Change<R>[];
  /** What of a record survives being written, for formats that leave a part out; default everything. */
  readonly kept?: (record: R) => unknown;
}

const FILE = "place/name.md";

/**
 * Proves the laws of `Format` with `node:test`; a spec of a format is two lines. Each law is exported as well, for
 * use inside property tests.
 */
export function runFormatConformance<R extends object>(format: Format<R>, cases: FormatCases<R>): void {
  const { texts, records, refused = [], changes = [], kept = (record: R): unknown => record } = cases;
  test(`design 4: ${format.name} reads any text without throwing, and locates what it says`, () => {
    for (const text of texts) assertReads(format, text);
  });
  test(`design 4: ${format.name} writes an unchanged record as unchanged bytes`, () => {
    for (const text of texts) assertUnchanged(format, text);
  });
  test(`design 4: ${format.name} reads back what it wrote, and writes it the same again`, () => {
    for (const record of records) assertRoundTrip(format, record, kept);
  });
  test(`design 4: ${format.name} edits a text so that it says the new record and is stable`, () => {
    for (const text of texts) for (const change of changes) assertEdit(format, text, change, kept);
  });
  test(`design 4: ${format.name} refuses with CANONRY_INVALID_RECORD what it must not write`, () => {
    for (const record of refused) assert.throws(() => format.serialise(record), isInvalidRecord);
  });
}

/** `parse` throws on nothing; every diagnostic has file, line, column and code; no record only with an error. */
export function assertReads<R>(format: Format<R>, text: string): void {
  const { record, diagnostics } = format.parse(text, { file: FILE });
  for (const one of diagnostics) {
    assert.equal(one.file, FILE);
    assert.match(one.code, /^[A-Z][A-Z0-9_]+$/);
    assert.ok(Number.isInteger(one.line) && one.line >= 1, `line ${one.line}`);
    assert.ok(Number.isInteger(one.column) && one.column >= 1, `column ${one.column}`);
    assert.ok(one.message.length > 0 && !/[\r\n]/.test(one.message), one.message);
  }
  const failed = diagnostics.some((one) => one.severity === "error");
  assert.equal(
    record === undefined,
    failed,
    `a record and an error exclude each other: ${JSON.stringify(diagnostics)}`,
  );
}

/** `serialise(parse(t).record, t) === t`. */
export function assertUnchanged<R>(format: Format<R>, text: string): void {
  const { record } = format.parse(text, { file: FILE });
  if (record !== undefined) assert.equal(format.serialise(record, text), text);
}

/** parse∘serialise is the identity on what the format keeps, and a second writing changes nothing. */
export function assertRoundTrip<R>(
  format: Format<R>,
  record: R,
  kept: (record: R) => unknown = (one) => one,
): void {
  const text = format.serialise(record);
  const { record: back, diagnostics } = format.parse(text, { file: FILE });
  assert.ok(back !== undefined, `nothing came back: ${JSON.stringify(diagnostics)}`);
  assert.deepEqual(kept(back), kept(record));
  assert.equal(format.serialise(record, text), text);
  assert.equal(format.serialise(back, text), text);
}

/** After an edit the text says the new record; the same edit again changes nothing; undone, it says the old one. */
export function assertEdit<R extends object>(
  format: Format<R>,
  text: string,
  change: Change<R>,
  kept: (record: R) => unknown = (one) => one,
): void {
  const { record } = format.parse(text, { file: FILE });
  if (record === undefined) return;
  const wanted = change(record);
  let edited: string;
  try {
    edited = format.serialise(wanted, text);
  } catch (error) {
    assert.ok(isInvalidRecord(error), String(error));
    return;
  }
  const { record: back } = format.parse(edited, { file: FILE });
  assert.ok(back !== undefined, "the edited text gives no record");
  assert.deepEqual(kept(back), kept(wanted));
  assert.equal(format.serialise(wanted, edited), edited);
  assert.equal(edited.startsWith("\uFEFF"), text.startsWith("\uFEFF"));
}

function isInvalidRecord(error: unknown): boolean {
  return isCanonryError(error, "CANONRY_INVALID_RECORD");
}
