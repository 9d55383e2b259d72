import { dirname, join } from "node:path";
import { appendOnce } from "../../core/append.ts";
import { listNames } from "../../core/atomic.ts";
import { CanonryError } from "../../core/errors.ts";
import { LIMITS } from "../../core/limits.ts";
import { lookAt } from "../../core/look.ts";
import { byteLength } from "../../core/text.ts";
import { readLedger } from "../ledger.ts";
import { parseEvent, splitLine } from "../ledger-line.ts";
import { LINE_BYTES } from "../lines.ts";
import { makeFolderInside, readInside } from "../paths.ts";
import { attempt, hereOf, keep, type Merging, type Part, putNew } from "./merging.ts";

const CHUNK_BYTES = 1_048_576;

/**
 * The union of two ledgers by event id, each event in a file of the name that it had. A file that is all new comes as
 * it is; else what is missing is appended. `parts` are the ledger files of one tree.
 */
export function mergeLedger(merging: Merging, parts: readonly Part[]): void {
  const [first] = parts;
  if (first === undefined) return;
  const known = new Set(readLedger(first.tree.room, {}).events.map((event) => event.id));
  for (const part of parts) {
    const ids = attempt(merging, part, () => mergeEvents(merging, part, known));
    for (const id of ids ?? []) known.add(id);
    // skills in a home without a ledger would count their own telemetry
    const none = ids === undefined && !merging.dry && listNames(part.tree.room.layout.ledger).length === 0;
    if (none) throw noLedger(merging, part);
  }
}

/** The ids that came to the home, which are none of `known`. */
function mergeEvents(merging: Merging, part: Part, known: ReadonlySet<string>): Set<string> {
  // a longer one would count as missing each time: no reader of a ledger takes it
  const lines = linesOf(part.read()).filter((line) => byteLength(line) <= LINE_BYTES);
  const records = lines.flatMap(splitLine);
  const events = records.flatMap((text) => {
    const parsed = parseEvent(text);
    return "event" in parsed ? [{ id: parsed.event.id, text }] : [];
  });
  const here = hereOf(merging, part.full);
  const missing = new Map<string, string>();
  for (const { id, text } of events) if (!known.has(id) && !missing.has(id)) missing.set(id, text);
  if (missing.size < events.length || here !== undefined || !putNew(merging, part)) {
    if (missing.size === 0) merging.tally.present++;
    append(merging, part, [...missing.values()]);
  }
  merging.tally.events += missing.size;
  return new Set(missing.keys());
}

function noLedger(merging: Merging, part: Part): CanonryError {
  const why = merging.tally.refused.at(-1)?.message ?? "";
  return new CanonryError(
    "CANONRY_READ_ONLY",
    `The ledger cannot be restored, and without it counters would be wrong. ${why} Then restore again.`,
    { data: { path: part.full } },
  );
}

/** Other files of records: the union by id, or by the line where it has none. */
export function mergeRecords(merging: Merging, part: Part): void {
  attempt(merging, part, () => mergeLines(merging, part));
}

function mergeLines(merging: Merging, part: Part): void {
  if (!isFile(merging, part)) return;
  const known = new Set(linesOf(textHere(merging, part)).map(keyOf));
  const missing = linesOf(part.read()).filter(
    (line) => !known.has(keyOf(line)) && known.add(keyOf(line)) !== undefined,
  );
  if (missing.length === 0) merging.tally.present++;
  merging.tally.lines += missing.length;
  append(merging, part, missing);
}

/** The journal: every line as often as the one that has it more often, in the order that the home has them. */
export function mergeJournal(merging: Merging, part: Part): void {
  attempt(merging, part, () => mergeStory(merging, part));
}

function mergeStory(merging: Merging, part: Part): void {
  if (!isFile(merging, part)) return;
  const left = new Map<string, number>();
  for (const line of linesOf(textHere(merging, part))) left.set(line, (left.get(line) ?? 0) + 1);
  const missing = linesOf(part.read()).filter((line) => {
    const count = left.get(line) ?? 0;
    left.set(line, count - 1);
    return count <= 0;
  });
  if (missing.length === 0) merging.tally.present++;
  merging.tally.lines += missing.length;
  append(merging, part, missing);
}

/** False where nothing stands yet, and it was put as it is; or where something stands that takes no lines. */
function isFile(merging: Merging, part: Part): boolean {
  const stats = lookAt(join(merging.room.layout.home, part.full));
  if (stats === undefined) return !putNew(merging, part);
  if (stats.isFile()) return true;
  keep(merging, part, "differs");
  return false;
}

function textHere(merging: Merging, part: Part): Buffer {
  const { home } = merging.room.layout;
  return readInside(home, part.full, { maxBytes: LIMITS.backupLinesBytes, links: "refuse" });
}

/** Lines with anything in them; a carriage return at the end is none of a line. */
function linesOf(bytes: Buffer): string[] {
  return bytes
    .toString("utf8")
    .split("\n")
    .map((line) => line.trimEnd())
    .filter((line) => line !== "");
}

function keyOf(line: string): string {
  try {
    const value: unknown = JSON.parse(line);
    const id = typeof value === "object" && value !== null && "id" in value ? value.id : undefined;
    return typeof id === "string" ? `id ${id}` : `line ${line}`;
  } catch {
    return `line ${line}`;
  }
}

/** Whole lines, many in one write, the first on a line of its own even after a torn one. */
function append(merging: Merging, part: Part, lines: readonly string[]): void {
  if (merging.dry || lines.length === 0) return;
  const { home } = merging.room.layout;
  makeFolderInside(home, dirname(part.full));
  let text = "";
  const flush = () => {
    if (text !== "") appendOnce(join(home, part.full), Buffer.from(`\n${text}`), { sync: true });
    text = "";
  };
  for (const line of lines) {
    text += `${line}\n`;
    if (text.length > CHUNK_BYTES) flush();
  }
  flush();
}
