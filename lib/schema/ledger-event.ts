import type { Redacted } from "../core/redacted.ts";

/** The events that this version counts or shows; others are kept in the ledger and passed over (C47). */
export const EVENT_NAMES = [
  "task",
  "exposed",
  "withheld",
  "hydrated",
  "applied",
  "win",
  "loss",
  "tie",
  "cost_saved",
  "cost_burned",
  "read_miss",
  "report",
  "promoted",
  "patched",
  "merged",
  "quarantined",
  "archived",
  "restored",
  "edited",
  "approved",
  "rejected",
  "baseline",
] as const;

/** One line of the ledger, as read. `skill` with `fingerprint` names what it is about ("" for none). */
export interface LedgerEvent {
  /** UUIDv7, the key: however often a line is found, it counts once. */
  readonly id: string;
  /** ISO 8601 UTC. */
  readonly ts: string;
  readonly run_id: string;
  readonly wave: number;
  readonly agent: string;
  readonly fingerprint: string;
  readonly skill: string;
  readonly version: number | null;
  readonly model: string;
  readonly event: string;
  /** US dollars for cost events; for `baseline` see `baseline`; else null. */
  readonly value: number | null;
  readonly notes: string;
  /** Where a win or loss comes from: a run's verdict or a trial (C11). Absent means `run`. */
  readonly source?: "run" | "ab";
  /** The counters that a vault arrived with; only on `baseline` events. */
  readonly baseline?: Baseline;
}

export interface Baseline {
  readonly uses: number;
  readonly wins: number;
  readonly losses: number;
  readonly cost_saved_usd: number;
  readonly last_used_at: string | null;
  readonly last_wave: number | null;
}

/** What a writer gives; the ledger fills in id and time. Free text only through redaction (P6). */
export type NewEvent = Partial<Omit<LedgerEvent, "id" | "ts" | "notes" | "event">> & {
  readonly event: (typeof EVENT_NAMES)[number];
  readonly notes?: Redacted;
};

/** Counters of one skill: always a fold of its events. */
export interface Counters {
  readonly uses: number;
  readonly wins: number;
  readonly losses: number;
  readonly costSavedUsd: number;
  readonly lastUsedAt: string | null;
  readonly lastWave: number | null;
}

export const NO_COUNTERS: Counters = Object.freeze({
  uses: 0,
  wins: 0,
  losses: 0,
  costSavedUsd: 0,
  lastUsedAt: null,
  lastWave: null,
});
