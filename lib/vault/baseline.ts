import { sha256 } from "../core/hash.ts";
import type { Counters, LedgerEvent } from "../schema/ledger-event.ts";

/** The counters of one skill in a vault that arrives without a ledger (C60). */
export interface ArrivedCounters {
  readonly fingerprint: string;
  readonly name: string;
  readonly counters: Counters;
}

/**
 * One `baseline` event a skill that has anything to count. Id, time and bytes follow from the values alone, so that two
 * machines that take over the same home write the same line, and it counts once. `ts` is the last use, or the epoch.
 */
export function baselineEvents(records: Iterable<ArrivedCounters>): LedgerEvent[] {
  const events: LedgerEvent[] = [];
  for (const { fingerprint, name, counters } of records) {
    const baseline = {
      uses: counters.uses,
      wins: counters.wins,
      losses: counters.losses,
      cost_saved_usd: counters.costSavedUsd,
      last_used_at: counters.lastUsedAt,
      last_wave: counters.lastWave,
    };
    const empty = Object.values(baseline).every((value) => value === 0 || value === null);
    if (empty) continue;
    events.push({
      id: uuidOf(sha256(JSON.stringify(["baseline", fingerprint, name, baseline]))),
      ts: timeOf(counters.lastUsedAt),
      run_id: "",
      wave: 0,
      agent: "",
      fingerprint,
      skill: name,
      version: null,
      model: "",
      event: "baseline",
      value: null,
      notes: "",
      baseline,
    });
  }
  return events;
}

/** A line of an older program's events, without what only that program can tell (C60). */
export interface PastEvent {
  readonly fingerprint: string;
  readonly skill: string;
  readonly ts: string;
  readonly run_id: string;
  readonly wave: number;
  readonly event: string;
  readonly value: number | null;
}

/**
 * Past events as ledger lines. Ids follow from the values, and from how often the same line has stood before, so that
 * taking over twice counts once. Lines without a readable time are left out; free text is not taken over (P6).
 */
export function pastEvents(lines: Iterable<PastEvent>): LedgerEvent[] {
  const seen = new Map<string, number>();
  const events: LedgerEvent[] = [];
  for (const line of lines) {
    const ms = Date.parse(line.ts);
    if (Number.isNaN(ms)) continue;
    const key = JSON.stringify(["past", line]);
    const nth = seen.get(key) ?? 0;
    seen.set(key, nth + 1);
    events.push({
      id: uuidOf(sha256(`${key}${nth}`)),
      ts: new Date(ms).toISOString(),
      run_id: line.run_id,
      wave: line.wave,
      agent: "",
      fingerprint: line.fingerprint,
      skill: line.skill,
      version: null,
      model: "",
      event: line.event,
      value: line.value,
      notes: "",
    });
  }
  return events;
}

function timeOf(lastUsedAt: string | null): string {
  const ms = lastUsedAt === null ? Number.NaN : Date.parse(lastUsedAt);
  return new Date(Number.isNaN(ms) ? 0 : ms).toISOString();
}

/** RFC 9562 version 8: a UUID whose bits are our own. */
function uuidOf(hex: string): string {
  const variant = "89ab".charAt(Number.parseInt(hex.charAt(16), 16) & 3);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
