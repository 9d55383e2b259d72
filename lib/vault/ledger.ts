import { closeSync, constants, fstatSync, openSync, type Stats } from "node:fs";
import { join } from "node:path";
import { appendOnce } from "../core/append.ts";
import { createExclusive, listNames, quietly } from "../core/atomic.ts";
import { isoTime } from "../core/context.ts";
import { diskError, errnoOf } from "../core/errors.ts";
import { sha256 } from "../core/hash.ts";
import { makeFolder } from "../core/make-folder.ts";
import type { LedgerEvent, NewEvent } from "../schema/ledger-event.ts";
import { LEDGER_FILE } from "./layout.ts";
import { eventJson, parseEvent, splitLine } from "./ledger-line.ts";
import { readAt, readLines } from "./lines.ts";
import type { Room } from "./room.ts";

/** Stands for the month of what has none. */
const NO_MONTH = "0000-00";
/** Far more than what other processes write between an event and the next look for it. */
const RECENT_BYTES = 65_536;
/** Bytes before an offset that must still be the same: a file merged or restored from elsewhere is read anew. */
const TAIL_BYTES = 64;

/** How far each file of the ledger was read: its name → `<bytes>:<hash of the bytes before>`. `{}` is the beginning. */
export type LedgerOffsets = Readonly<Record<string, string>>;

export interface LedgerProblem {
  /** Absolute path. */
  readonly file: string;
  /** From 1; absent where reading did not begin at the start of the file. */
  readonly line?: number;
  readonly message: string;
}

export interface LedgerRead {
  readonly events: readonly LedgerEvent[];
  readonly offsets: LedgerOffsets;
  readonly problems: readonly LedgerProblem[];
  /** A file shrank, went, or is another than before: what was read earlier may be gone, so this holds everything again. */
  readonly reset: boolean;
}

/** An event with id and time; wave 0, no version and empty texts where nothing is given. */
export function completeEvent(event: NewEvent, room: Room): LedgerEvent {
  return {
    id: room.context.newId(),
    ts: isoTime(room.context.clock()),
    run_id: event.run_id ?? "",
    wave: event.wave ?? 0,
    agent: event.agent ?? "",
    fingerprint: event.fingerprint ?? "",
    skill: event.skill ?? "",
    version: event.version ?? null,
    model: event.model ?? "",
    event: event.event,
    value: event.value ?? null,
    notes: event.notes ?? "",
    ...(event.source === undefined ? {} : { source: event.source }),
    ...(event.baseline === undefined ? {} : { baseline: event.baseline }),
  };
}

/** Writes one line, `\n…\n` in a single append: a torn tail before it spoils no other line (S1.18). */
export function appendEvent(room: Room, event: LedgerEvent, options: { sync?: boolean } = {}): void {
  const line = Buffer.from(`\n${eventJson(event)}\n`);
  makeFolder(room.layout.ledger);
  appendOnce(ledgerFileOf(room, event), line, options);
}

/** The month is that of the event, whatever the clock says now; years without four digits share one file. */
export function ledgerFileOf(room: Room, event: LedgerEvent): string {
  const [month] = /^\d{4}-\d{2}/.exec(new Date(event.ts).toISOString()) ?? [NO_MONTH];
  return room.layout.ledgerFile(room.machine, month);
}

/**
 * Writes the counters that a home arrives with, all or none: were it killed in between, what is there would be taken
 * for the ledger of the whole home. A second time adds only what is missing.
 */
export function appendBaselines(room: Room, events: readonly LedgerEvent[]): void {
  const file = room.layout.ledgerFile(room.machine, NO_MONTH);
  makeFolder(room.layout.ledger);
  const text = events.map((event) => `\n${eventJson(event)}\n`).join("");
  if (events.length === 0 || createExclusive(file, Buffer.from(text))) return;
  for (const event of events)
    if (!endsWithLine(file, event, Number.POSITIVE_INFINITY))
      appendOnce(file, Buffer.from(`\n${eventJson(event)}\n`));
}

/** Whether the end of the event's file holds it whole: then a finished step need not be repeated. */
export function endsWithEvent(room: Room, event: LedgerEvent): boolean {
  return endsWithLine(ledgerFileOf(room, event), event, RECENT_BYTES);
}

/** A torn line does not count, though it may hold the id. */
function endsWithLine(file: string, event: LedgerEvent, lastBytes: number): boolean {
  const opened = openLedger(file);
  if (!("fd" in opened)) return false;
  try {
    const from = Math.max(0, opened.stats.size - lastBytes);
    const lines = readAt(opened.fd, from, opened.stats.size - from)
      .toString("utf8")
      .split("\n")
      .slice(0, -1);
    const key = `"id":${JSON.stringify(event.id)}`;
    const isIt = (text: string) => {
      const parsed = parseEvent(text);
      return "event" in parsed && parsed.event.id === event.id;
    };
    return lines.some((line) => line.includes(key) && splitLine(line).some(isIt));
  } catch (error) {
    throw diskError("read", file, error);
  } finally {
    quietly(() => closeSync(opened.fd));
  }
}

/**
 * What stands in the ledger after `from`: whole lines only, each file up to its last newline. A bad line is a problem
 * and spoils no other; lines over 1 MiB are passed over without being held in memory. Never throws on content.
 */
export function readLedger(room: Room, from: LedgerOffsets): LedgerRead {
  const read = readOnce(room, from);
  return read.reset ? { ...readOnce(room, {}), reset: true } : read;
}

function readOnce(room: Room, from: LedgerOffsets): LedgerRead {
  const reader = {
    events: [] as LedgerEvent[],
    problems: [] as LedgerProblem[],
    offsets: {} as Record<string, string>,
    reset: false,
  };
  let names: string[];
  try {
    names = listNames(room.layout.ledger).filter((name) => LEDGER_FILE.test(name));
  } catch (error) {
    const problems = [
      { file: room.layout.ledger, message: `cannot be listed: ${errnoOf(error) ?? String(error)}` },
    ];
    return { events: [], problems, offsets: from, reset: false };
  }
  for (const name of names) readFile(reader, join(room.layout.ledger, name), name, from[name]);
  if (Object.keys(from).some((name) => !names.includes(name))) reader.reset = true;
  return reader;
}

interface Reader {
  readonly events: LedgerEvent[];
  readonly problems: LedgerProblem[];
  readonly offsets: Record<string, string>;
  reset: boolean;
}

function readFile(reader: Reader, file: string, name: string, known: string | undefined): void {
  const opened = openLedger(file);
  if (!("fd" in opened)) {
    if (known !== undefined) reader.offsets[name] = known;
    reader.problems.push({ file, message: `cannot be read: ${opened.problem}` });
    return;
  }
  try {
    const [bytes = "0", tail = ""] = known?.split(":") ?? [];
    const start = Number(bytes);
    if (
      !Number.isSafeInteger(start) ||
      start < 0 ||
      start > opened.stats.size ||
      (known !== undefined && tailHash(opened.fd, start) !== tail)
    ) {
      reader.reset = true;
      return;
    }
    const end =
      start === opened.stats.size ? start : takeLines(reader, file, opened.fd, start, opened.stats.size);
    reader.offsets[name] = `${end}:${tailHash(opened.fd, end)}`;
  } catch (error) {
    if (known !== undefined) reader.offsets[name] = known;
    reader.problems.push({ file, message: `cannot be read: ${errnoOf(error) ?? String(error)}` });
  } finally {
    quietly(() => closeSync(opened.fd));
  }
}

/** Takes whole lines; where the last of them ended. */
function takeLines(reader: Reader, file: string, fd: number, start: number, size: number): number {
  let end = start;
  for (const { line, at, bytes, text, ended } of readLines(fd, start, size)) {
    if (!ended) break;
    const where = start === 0 ? { file, line } : { file };
    if (text !== undefined) takeLine(reader, where, text.trim());
    else reader.problems.push({ ...where, message: "is a line over 1 MiB; it was passed over" });
    end = at + bytes + 1;
  }
  return end;
}

function takeLine(reader: Reader, where: Omit<LedgerProblem, "message">, line: string): void {
  if (line === "") return;
  for (const part of splitLine(line)) {
    const parsed = parseEvent(part);
    if ("event" in parsed) reader.events.push(parsed.event);
    else reader.problems.push({ ...where, message: `the line ${parsed.problem}; it was passed over` });
  }
}

function openLedger(file: string): { fd: number; stats: Stats } | { problem: string } {
  try {
    const fd = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    const stats = fstatSync(fd);
    if (stats.isFile()) return { fd, stats };
    closeSync(fd);
    return { problem: "it is not a regular file" };
  } catch (error) {
    return { problem: errnoOf(error) ?? String(error) };
  }
}

function tailHash(fd: number, end: number): string {
  const from = Math.max(0, end - TAIL_BYTES);
  return sha256(readAt(fd, from, end - from)).slice(0, 8);
}
