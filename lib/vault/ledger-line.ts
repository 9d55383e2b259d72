import { CanonryError } from "../core/errors.ts";
import { LIMITS } from "../core/limits.ts";
import { byteLength } from "../core/text.ts";
import type { Baseline, LedgerEvent } from "../schema/ledger-event.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * One line of the ledger, checked by hand since there are many. Needs `id`, `ts` and `event`; everything else has a
 * zero value. Unknown events are kept (C47), unknown fields are not; half surrogate pairs become U+FFFD.
 */
export function parseEvent(line: string): { event: LedgerEvent } | { problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { problem: "is not JSON" };
  }
  if (!isFields(value)) return { problem: "is not a JSON object" };
  const [id, ts, event] = [text(value["id"], 64), text(value["ts"], 40), text(value["event"], 64)];
  if (id === "") return { problem: "has no id" };
  if (event === "") return { problem: "has no event" };
  if (ts === "" || Number.isNaN(Date.parse(ts))) return { problem: "has no time that can be read" };
  const baseline = baselineOf(value["baseline"]);
  const source = value["source"];
  return {
    event: {
      id,
      ts,
      run_id: text(value["run_id"]),
      wave: Math.trunc(number(value["wave"]) ?? 0),
      agent: text(value["agent"]),
      fingerprint: text(value["fingerprint"]),
      skill: text(value["skill"]),
      version: number(value["version"]),
      model: text(value["model"]),
      event,
      value: number(value["value"]),
      notes: text(value["notes"], 4_096),
      ...(source === "run" || source === "ab" ? { source } : {}),
      ...(baseline === undefined ? {} : { baseline }),
    },
  };
}

/** More records than that on one line are no accident. */
const GLUED_MAX = 64;
/** What every line that Canonry writes begins with. Inside a text of a line its quotes would be escaped. */
const RECORD_START = /(?=\{"id":)/;

/**
 * The records of a line: itself, or its parts where a merge, a copy or a torn write has left several on one line. Git
 * glues two lines where a file did not end with a newline; a torn one loses itself and not the one that follows it.
 */
export function splitLine(line: string): string[] {
  const parts = line.split(RECORD_START);
  return parts.length === 1 || parts.length > GLUED_MAX || "event" in parseEvent(line) ? [line] : parts;
}

function baselineOf(value: unknown): Baseline | undefined {
  if (!isFields(value)) return undefined;
  const count = (name: string) => Math.max(0, Math.trunc(number(value[name]) ?? 0));
  const lastUsedAt = text(value["last_used_at"], 40);
  return {
    uses: count("uses"),
    wins: count("wins"),
    losses: count("losses"),
    cost_saved_usd: number(value["cost_saved_usd"]) ?? 0,
    last_used_at: Number.isNaN(Date.parse(lastUsedAt)) ? null : lastUsedAt,
    last_wave: number(value["last_wave"]),
  };
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function text(value: unknown, maxChars = 1_024): string {
  return typeof value === "string" ? value.slice(0, maxChars).toWellFormed() : "";
}

function number(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

/**
 * An event as the JSON of its line. Throws `CANONRY_INVALID_RECORD` on notes over 200 characters or a line over
 * 4,096 bytes: the writer must say less, a cut line would say something else.
 */
export function eventJson(event: LedgerEvent): string {
  const json = JSON.stringify(event);
  const bytes = byteLength(json) + 2;
  if (event.notes.length > LIMITS.eventNotesChars)
    throw tooLong(
      `The notes of a ${event.event} event have ${event.notes.length} characters; at most ${LIMITS.eventNotesChars} are allowed.`,
    );
  if (bytes > LIMITS.eventLineBytes)
    throw tooLong(
      `A ${event.event} event takes ${bytes} bytes; at most ${LIMITS.eventLineBytes} are allowed. Say less, or split it.`,
    );
  return json;
}

function tooLong(message: string): CanonryError {
  return new CanonryError("CANONRY_INVALID_RECORD", message);
}
