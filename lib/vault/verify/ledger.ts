import { LIMITS } from "../../core/limits.ts";
import { pauseMs } from "../../core/pause.ts";
import { createRepeats, type Repeats } from "../../core/repeats.ts";
import { isTempName } from "../../core/temp-names.ts";
import { LEDGER_FILE } from "../layout.ts";
import { parseEvent, splitLine } from "../ledger-line.ts";
import type { TextLine } from "../lines.ts";
import { type Entry, entriesOf, linesOf } from "./read.ts";
import { cannotRead, foreign, leftover, note, notOurs, problem, type Scene, type Steps } from "./scene.ts";

/** Far longer than one write of a line takes. */
const APPEND_MS = 20;
const MARKERS = /^(?:<{7} .*|\|{7} .*|={7}|>{7} .*)\r?$/;
const JOURNAL_MARK = / \^([0-9a-f]{16})$/;

/** Every line of the ledger and of the gate's records. With `ids`, events that stand twice too: that reads a second time. */
export function* checkLedger(scene: Scene, options: { ids: boolean }): Steps {
  const repeats = options.ids ? createRepeats() : undefined;
  const files: string[] = [];
  for (const entry of yield* entriesOf(scene.layout.ledger)) {
    if (!(yield* isLedgerFile(scene, entry))) continue;
    if (!LEDGER_FILE.test(entry.name)) yield misnamed(entry);
    else {
      files.push(entry.path);
      yield* checkLines(scene, entry, (line) => takeEvent(scene, entry, line, repeats));
    }
  }
  for (const entry of yield* entriesOf(scene.layout.gate))
    if (yield* isLedgerFile(scene, entry))
      yield* checkLines(scene, entry, (line) => brokenLine(scene, entry, line, jsonProblem(line.text ?? "")));
  if (repeats?.any === true) yield* checkIds(files, repeats);
}

function* isLedgerFile(scene: Scene, { name, path, stats }: Entry): Steps<boolean> {
  if (isTempName(name)) yield* leftover(scene, path, stats);
  else if (!name.endsWith(".ndjson")) {
    if (!name.startsWith(".")) yield foreign(path);
  } else if (!stats.isFile()) yield notOurs(path, stats, "file");
  else return true;
  return false;
}

function misnamed({ path }: Entry) {
  return problem(
    path,
    "LEDGER_FILE_NAME",
    "No ledger file has such a name, so nothing in it counts.",
    "rename it to <machine>-<yyyy-mm>.ndjson, a name that is not there yet; events that stand twice count once",
  );
}

function* checkLines(
  scene: Scene,
  { path }: Entry,
  take: (line: TextLine) => ReturnType<typeof note> | undefined,
): Steps {
  try {
    for (const seen of linesOf(path)) {
      if (seen.text?.trim() === "") continue;
      const line = seen.ended ? seen : seenAgain(path, seen);
      scene.checked.ledgerLines++;
      yield take(line);
    }
  } catch (error) {
    yield cannotRead(path, error);
  }
}

/** The same line a moment later: an append that was under way has come to its end. */
function seenAgain(path: string, seen: TextLine): TextLine {
  pauseMs(APPEND_MS);
  const [again = seen] = linesOf(path, seen.at);
  return { ...again, line: seen.line };
}

function takeEvent(scene: Scene, entry: Entry, line: TextLine, repeats: Repeats | undefined) {
  // what a merge glued together counts, each part for itself
  for (const part of splitLine((line.text ?? "").trim())) {
    const parsed = parseEvent(part);
    if (!("event" in parsed)) return brokenLine(scene, entry, line, parsed.problem);
    if (line.ended) repeats?.mark(parsed.event.id);
  }
  if (line.ended) return longLine(entry, line);
  return note(
    entry.path,
    "LEDGER_LINE_OPEN",
    "The event has no newline at its end and does not count until the next one is written.",
    "add a newline, or leave it to the next event",
    line.line,
  );
}

function longLine(entry: Entry, line: TextLine) {
  if (line.bytes + 1 <= LIMITS.eventLineBytes) return undefined;
  return note(
    entry.path,
    "LEDGER_LINE_LONG",
    `The line has ${line.bytes + 1} bytes; Canonry writes ${LIMITS.eventLineBytes} at most. It counts all the same.`,
    "nothing, if another program wrote it",
    line.line,
  );
}

/** `what` is undefined for a line without fault. */
function brokenLine(scene: Scene, entry: Entry, { text, line, ended }: TextLine, what: string | undefined) {
  if (what === undefined) return undefined;
  const next = "remove the line, or put back what it was from another copy of the file";
  const bad = (message: string) => problem(entry.path, "LEDGER_LINE_BAD", message, next, line);
  if (text === undefined) return bad("The line is longer than 1 MiB and is passed over.");
  if (text.includes("\0")) return bad("The line holds NUL bytes, as a power cut leaves them.");
  if (MARKERS.test(text))
    return problem(
      entry.path,
      "CONFLICT_MARKERS",
      "A conflict marker of git stands between the events.",
      "remove the marker and keep the lines of both sides; canonry init writes the patterns that merge them by themselves",
      line,
    );
  if (what !== "is not JSON" || !/^\s*\{/.test(text)) return bad(`The line ${what}.`);
  const breaks = `The line breaks off after ${text.trim().length} characters`;
  if (ended || !isYoung(scene, entry))
    return problem(entry.path, "LEDGER_LINE_TORN", `${breaks}: an append that was not finished.`, next, line);
  return note(
    entry.path,
    "LEDGER_LINE_OPEN",
    `${breaks}, and the file was written a moment ago: an append may be under way, or was cut off.`,
    "verify once more in a few seconds: by then the line is whole, or is called torn",
    line,
  );
}

/** A process that appends may be stopped in the middle of it at this moment: nobody can say that it is torn. */
function isYoung(scene: Scene, { stats }: Entry): boolean {
  return Math.abs(scene.now - stats.mtimeMs) < LIMITS.youngFileMs;
}

function jsonProblem(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? undefined
      : "is not a JSON object";
  } catch {
    return "is not JSON";
  }
}

function* checkIds(files: readonly string[], repeats: Repeats): Steps {
  const seen = new Map<string, { where: string; text: string }>();
  for (const path of files)
    try {
      for (const { text = "", line, ended } of linesOf(path)) {
        if (!ended) continue;
        for (const part of splitLine(text.trim())) {
          const parsed = parseEvent(part);
          if (!("event" in parsed) || !repeats.isSuspect(parsed.event.id)) continue;
          const first = seen.get(parsed.event.id);
          if (first === undefined) seen.set(parsed.event.id, { where: `${path}:${line}`, text: part });
          else yield repeated(path, line, first, part === first.text);
        }
      }
    } catch (error) {
      yield cannotRead(path, error);
    }
}

function repeated(path: string, line: number, first: { where: string }, same: boolean) {
  return same
    ? note(
        path,
        "LEDGER_ID_TWICE",
        `The same event as ${first.where}; it counts once.`,
        "nothing; a merge of two copies leaves such lines",
        line,
      )
    : problem(
        path,
        "LEDGER_ID_CLASH",
        `Another event has the same id in ${first.where}; only one of the two counts.`,
        "give one of them another id if both happened, else remove the wrong one",
        line,
      );
}

/** The journal: readable, without conflict markers, and no line twice. */
export function* checkJournal({ layout }: Scene): Steps {
  for (const { name, path, stats } of yield* entriesOf(layout.home)) {
    if (path !== layout.journal) continue;
    if (!stats.isFile()) yield notOurs(path, stats, "file");
    else yield* checkJournalLines(path, name);
  }
}

function* checkJournalLines(path: string, name: string): Steps {
  const seen = new Map<string, number>();
  try {
    for (const { text, line } of linesOf(path)) {
      if (text?.includes("\0") === true)
        yield problem(
          path,
          "FILE_HAS_NUL",
          "The line holds NUL bytes, as a power cut leaves them.",
          "remove them",
          line,
        );
      if (/^(?:<{7}|>{7}) /.test(text ?? ""))
        yield problem(
          path,
          "CONFLICT_MARKERS",
          `A conflict marker of git stands in ${name}.`,
          "remove the marker and keep the lines of both sides",
          line,
        );
      const [, mark] = JOURNAL_MARK.exec(text ?? "") ?? [];
      const first = mark === undefined ? undefined : seen.get(mark);
      if (first !== undefined)
        yield note(
          path,
          "JOURNAL_LINE_TWICE",
          `The same line as ${name}:${first}.`,
          "remove one of them if you like",
          line,
        );
      else if (mark !== undefined) seen.set(mark, line);
      yield undefined;
    }
  } catch (error) {
    yield cannotRead(path, error);
  }
}
