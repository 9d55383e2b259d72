import { nameKey } from "../../core/names.ts";
import { foldCounters } from "../../schema/counters.ts";
import { type Baseline, type LedgerEvent, NO_COUNTERS } from "../../schema/ledger-event.ts";
import type { SqlValue } from "./engine.ts";
import type { Statements } from "./statements.ts";

/** What counters belong to: every row of this name and fingerprint, wherever it stands. */
export interface Pair {
  readonly fingerprint: string;
  readonly name: string;
}

/** Stores the events that are not there yet; the skills whose counters they may move (design 2: each id counts once). */
export function addEvents(statements: Statements, events: readonly LedgerEvent[]): Pair[] {
  for (const event of events) {
    statements.run(
      `INSERT OR IGNORE INTO skill_events(ts, run_id, wave, skill_name, event, value, notes, id, fingerprint, agent, version,
        model, source, baseline) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)`,
      [
        event.ts,
        event.run_id,
        event.wave,
        event.skill,
        event.event,
        event.value,
        event.notes,
        event.id,
        event.fingerprint,
        event.agent,
        event.version,
        event.model,
        event.source ?? null,
        event.baseline === undefined ? null : JSON.stringify(event.baseline),
      ],
    );
  }
  return events
    .filter((event) => event.skill !== "")
    .map((event) => ({ fingerprint: event.fingerprint, name: event.skill }));
}

/** Drops every event; the skills whose counters that moves. */
export function forgetEvents(statements: Statements): Pair[] {
  const pairs = statements.all("SELECT DISTINCT fingerprint, skill_name FROM skill_events");
  statements.run("DELETE FROM skill_events");
  return pairs.map(([fingerprint, name]) => ({ fingerprint: String(fingerprint), name: String(name) }));
}

/** Spares the write where nothing was ever counted, as in a first build. */
const ANY_COUNTED =
  " AND (uses <> 0 OR wins <> 0 OR losses <> 0 OR cost_saved_usd <> 0 OR last_used_at IS NOT NULL OR last_wave IS NOT NULL)";

/** Writes the counters of these skills anew; touches no full text (C4). */
export function recount(statements: Statements, pairs: readonly Pair[]): void {
  const each = new Map(pairs.map((pair) => [`${pair.fingerprint}\u0000${pair.name}`, pair]));
  for (const { fingerprint, name } of each.values()) {
    const events = statements
      .all(
        `SELECT id, ts, run_id, wave, event, value, source, baseline FROM skill_events WHERE skill_name = ? AND fingerprint = ?
          AND event IN ('baseline', 'hydrated', 'cost_saved', 'win', 'loss')`,
        [name, fingerprint],
      )
      .map(toEvent);
    const counters = events.length === 0 ? NO_COUNTERS : foldCounters(events);
    statements.run(
      `UPDATE skills SET uses = ?, wins = ?, losses = ?, cost_saved_usd = ?, last_used_at = ?, last_wave = ?
        WHERE name_key = ? AND name = ? AND repo_fingerprint = ?${events.length === 0 ? ANY_COUNTED : ""}`,
      [
        counters.uses,
        counters.wins,
        counters.losses,
        counters.costSavedUsd,
        counters.lastUsedAt,
        counters.lastWave,
        nameKey(name),
        name,
        fingerprint,
      ],
    );
  }
}

/** As much of an event as the fold looks at. */
function toEvent([id, ts, run, wave, event, value, source, baseline]: readonly SqlValue[]): LedgerEvent {
  return {
    id: id as string,
    ts: ts as string,
    run_id: run as string,
    wave: wave as number,
    agent: "",
    fingerprint: "",
    skill: "",
    version: null,
    model: "",
    event: event as string,
    value: value as number | null,
    notes: "",
    ...(source === "run" || source === "ab" ? { source } : {}),
    ...(typeof baseline === "string" ? { baseline: JSON.parse(baseline) as Baseline } : {}),
  };
}
