import type { Context, Progress } from "../core/context.ts";
import type { IndexDriver } from "../drivers/driver.ts";
import type { Diagnostic } from "../schema/diagnostic.ts";
import type { ArrivedCounters } from "../vault/baseline.ts";
import type { LedgerOffsets } from "../vault/ledger.ts";
import type { Vault } from "../vault/vault.ts";
import { notesKey, PlaceSync, stateKey } from "./place-sync.ts";

export interface SyncParts {
  readonly vault: Vault;
  readonly driver: IndexDriver;
  readonly context: Context;
}

export interface SyncOptions {
  /** Reads every file again, whatever its stamp says. */
  readonly full?: boolean;
  readonly progress?: Progress | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface SyncReport {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  /** New ledger lines taken in. */
  readonly events: number;
  /** Files read, changed or not: what an index that is not flushed would have to do again. */
  readonly read: number;
  /** Counters that canon files carry, of the files read: what a home without a ledger starts from. */
  readonly arrived: readonly ArrivedCounters[];
  /** What the walks passed over, by file. */
  readonly notes: readonly Diagnostic[];
  /** How far the ledger has been read; hand it to the next `syncLedger`. */
  readonly ledger: string | undefined;
}

/** A place id that no place has: asks a driver for the kept texts alone. */
const NO_PLACE = "";
const LEDGER = "ledger";

/** Brings the index to what stands on disk now, reading only files and folders that changed (design 5, catch-up). */
export async function sync(parts: SyncParts, options: SyncOptions = {}): Promise<SyncReport> {
  const { state } = await parts.driver.digests({ place: NO_PLACE }, options.signal);
  const places = parts.vault.places();
  const totals = { added: 0, changed: 0, removed: 0, read: 0 };
  const arrived: ArrivedCounters[] = [];
  const notes: Diagnostic[] = [];
  for (const place of places) {
    const one = new PlaceSync(parts, options, place, state[stateKey(place.id)]);
    await one.run();
    totals.added += one.added;
    totals.changed += one.changed;
    totals.removed += one.removed;
    totals.read += one.filesRead;
    arrived.push(...one.arrived);
    notes.push(...one.notes);
  }
  totals.removed += await forget(parts.driver, Object.keys(state), new Set(places.map((place) => place.id)));
  return { ...totals, arrived, notes, ...(await syncLedger(parts, state[LEDGER], options.full === true)) };
}

/** What the last walks passed over, by file: kept with the rows, so that nobody has to walk again to say it. */
export async function walkNotes(driver: IndexDriver): Promise<Diagnostic[]> {
  const { state } = await driver.digests({ place: NO_PLACE });
  return Object.entries(state)
    .filter(([key]) => key.startsWith("notes:"))
    .flatMap(([, json]) => JSON.parse(json) as Diagnostic[])
    .sort((a, b) => (a.file < b.file ? -1 : 1));
}

/** Places that are no longer mounted or on disk lose their rows; the index is a cache, nothing is lost. */
async function forget(
  driver: IndexDriver,
  keys: readonly string[],
  places: ReadonlySet<string>,
): Promise<number> {
  let removed = 0;
  for (const key of keys) {
    const place = /^place:(.*)$/s.exec(key)?.[1];
    if (place === undefined || places.has(place)) continue;
    const { rows } = await driver.digests({ place });
    await driver.apply({ remove: rows, state: { [key]: undefined, [notesKey(place)]: undefined } });
    removed += rows.length;
  }
  return removed;
}

/** New ledger lines; all of them again where a file shrank or went, since its events may be gone too. */
export async function syncLedger(
  parts: SyncParts,
  json: string | undefined,
  full = false,
): Promise<Pick<SyncReport, "events" | "ledger">> {
  const from: LedgerOffsets = json === undefined || full ? {} : (JSON.parse(json) as LedgerOffsets);
  let read = parts.vault.readLedger(from);
  const afresh = read.reset || (full && json !== undefined);
  if (read.reset) read = parts.vault.readLedger({});
  for (const problem of read.problems)
    parts.context.log.warn(
      `${problem.file}${problem.line === undefined ? "" : `:${problem.line}`}: ${problem.message}`,
    );
  const offsets = JSON.stringify(read.offsets);
  if (read.events.length === 0 && !afresh && offsets === json) return { events: 0, ledger: json };
  await parts.driver.apply({ events: read.events, forgetEvents: afresh, state: { [LEDGER]: offsets } });
  return { events: read.events.length, ledger: offsets };
}
