import { join } from "node:path";
import type { Context, Progress } from "../core/context.ts";
import { createPacer, type Pacer } from "../core/pacer.ts";
import type { Batch, Digests, IndexDriver, Put } from "../drivers/driver.ts";
import type { Diagnostic } from "../schema/diagnostic.ts";
import type { RowKey } from "../schema/row.ts";
import type { SkillRecord } from "../schema/skill.ts";
import type { ArrivedCounters } from "../vault/baseline.ts";
import type { LedgerOffsets } from "../vault/ledger.ts";
import type { Place } from "../vault/place.ts";
import { readSkillFile } from "../vault/skill-file.ts";
import type { Vault } from "../vault/vault.ts";
import { type FoundFile, type Walk, type WalkState, walkPlace } from "../vault/walk.ts";
import { putOf, unreadableRow } from "./row.ts";

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
  /** How far the ledger has been read; hand it to the next `syncLedger`. */
  readonly ledger: string | undefined;
}

type KnownRow = Digests["rows"][number];
/** Kept with the rows, one a place: what the walk saw, and which files were too young to trust their stamps. */
interface PlaceState extends WalkState {
  readonly young: readonly string[];
}

const PUTS_A_BATCH = 500;
const LEDGER = "ledger";
const stateKey = (place: string) => `place:${place}`;
/** What the walk of a place passed over, by itself: who only wants to name it need not read the whole state. */
const notesKey = (place: string) => `notes:${place}`;

/** Brings the index to what stands on disk now, reading only files and folders that changed (design 5, catch-up). */
export async function sync(parts: SyncParts, options: SyncOptions = {}): Promise<SyncReport> {
  const known = await parts.driver.digests({}, options.signal);
  const rows = byPlace(known.rows);
  const places = parts.vault.places();
  const totals = { added: 0, changed: 0, removed: 0, read: 0 };
  const arrived: ArrivedCounters[] = [];
  for (const place of places) {
    const one = new PlaceSync(parts, options, place, rows.get(place.id) ?? new Map());
    await one.run(known.state[stateKey(place.id)]);
    totals.added += one.added;
    totals.changed += one.changed;
    totals.removed += one.removed;
    totals.read += one.filesRead;
    arrived.push(...one.arrived);
  }
  totals.removed += await forget(parts.driver, known, new Set(places.map((place) => place.id)));
  return { ...totals, arrived, ...(await syncLedger(parts, known.state[LEDGER], options.full === true)) };
}

function byPlace(rows: readonly KnownRow[]): Map<string, Map<string, KnownRow>> {
  const places = new Map<string, Map<string, KnownRow>>();
  for (const row of rows) {
    const place = places.get(row.place);
    if (place === undefined) places.set(row.place, new Map([[row.path, row]]));
    else place.set(row.path, row);
  }
  return places;
}

/** What the last walks passed over, by file: kept with the rows, so that nobody has to walk again to say it. */
export async function walkNotes(driver: IndexDriver): Promise<Diagnostic[]> {
  const { state } = await driver.digests({ place: "" });
  return Object.entries(state)
    .filter(([key]) => key.startsWith("notes:"))
    .flatMap(([, json]) => JSON.parse(json) as Diagnostic[])
    .sort((a, b) => (a.file < b.file ? -1 : 1));
}

/** Places that are no longer mounted or on disk lose their rows; the index is a cache, nothing is lost. */
async function forget(driver: IndexDriver, known: Digests, places: ReadonlySet<string>): Promise<number> {
  const remove = known.rows.filter((row) => !places.has(row.place));
  const stale = Object.keys(known.state).filter(
    (key) => key.startsWith("place:") && !places.has(key.slice(6)),
  );
  if (remove.length === 0 && stale.length === 0) return 0;
  await driver.apply({ remove, state: Object.fromEntries(stale.map((key) => [key, undefined])) });
  return remove.length;
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

/** The sync of one place: walk, compare, read what changed, apply in batches. */
class PlaceSync {
  added = 0;
  changed = 0;
  removed = 0;
  filesRead = 0;
  readonly arrived: ArrivedCounters[] = [];
  private puts: Put[] = [];
  private readonly young: string[] = [];
  private readonly parts: SyncParts;
  private readonly options: SyncOptions;
  private readonly place: Place;
  private readonly known: ReadonlyMap<string, KnownRow>;
  private readonly pacer: Pacer;

  constructor(parts: SyncParts, options: SyncOptions, place: Place, known: ReadonlyMap<string, KnownRow>) {
    this.parts = parts;
    this.options = options;
    this.place = place;
    this.known = known;
    this.pacer = createPacer(options.signal);
  }

  /** `json` is the place's state as the last sync left it. */
  async run(json: string | undefined): Promise<void> {
    const state =
      json === undefined || this.options.full === true ? undefined : (JSON.parse(json) as PlaceState);
    const walk = await walkPlace(this.place, state, this.parts.context.clock(), this.pacer);
    await this.files(walk, new Set(state?.young));
    await this.problems(walk);
    const remove = this.gone(walk);
    this.removed = remove.length;
    const next = JSON.stringify({ ...walk.state, young: this.young } satisfies PlaceState);
    if (this.puts.length === 0 && remove.length === 0 && next === json) return;
    const { notes } = walk.state;
    const kept = notes.length === 0 ? undefined : JSON.stringify(notes);
    await this.apply({ remove, state: { [stateKey(this.place.id)]: next, [notesKey(this.place.id)]: kept } });
  }

  private async files(walk: Walk, wasYoung: ReadonlySet<string>): Promise<void> {
    let done = 0;
    for (const found of walk.files) {
      if (found.young) this.young.push(found.path);
      const row = this.known.get(found.path);
      const trusted = row?.stamp === found.stamp && !wasYoung.has(found.path) && this.options.full !== true;
      if (!trusted) await this.read(found, row);
      this.options.progress?.(this.place.id, ++done, walk.files.length);
      await this.pacer.step();
      if (this.puts.length >= PUTS_A_BATCH) await this.apply({});
    }
  }

  private async read(found: FoundFile, row: KnownRow | undefined): Promise<void> {
    const path = join(this.place.dir, found.path);
    const file = readSkillFile(path, path, found.kind);
    this.filesRead++;
    const [refused] = file.diagnostics;
    if (file.stamp === "" && refused !== undefined) return this.mark(found.path, refused, found.stamp);
    const same = row !== undefined && row.bytesHash === file.bytesHash && row.stamp === file.stamp;
    if (same && this.options.full !== true) return;
    if (this.place.kind === "space" && file.record !== undefined) this.arrive(file.record);
    this.put(putOf(this.place, found.path, found.kind, file), row);
  }

  private arrive({ name, telemetry, lastUsedAt }: SkillRecord): void {
    const { uses, wins, losses, costSavedUsd, lastWave } = telemetry;
    const counters = { uses, wins, losses, costSavedUsd, lastUsedAt, lastWave };
    if (uses > 0 || wins > 0 || losses > 0)
      this.arrived.push({ fingerprint: this.place.fingerprint, name, counters });
  }

  private put(put: Put, row: KnownRow | undefined): void {
    const sameText = row !== undefined && row.bytesHash === put.row.bytesHash && this.options.full !== true;
    this.puts.push(sameText ? { row: put.row } : put);
    if (row === undefined) this.added += put.row.state === "unreadable" ? 0 : 1;
    else if (row.digest !== put.row.digest || row.state !== put.row.state) this.changed++;
  }

  /** What cannot be read is a row of its own; rows below a locked folder are kept and marked (B110). */
  private async problems(walk: Walk): Promise<void> {
    for (const [path, diagnostic] of walk.problems)
      await this.mark(path, diagnostic, `!${diagnostic.code} ${diagnostic.message}`);
    for (const folder of walk.locked) {
      const diagnostic = walk.problems.get(folder);
      if (diagnostic === undefined) continue;
      for (const row of this.known.values())
        if (isBelow(row.path, [folder])) await this.mark(row.path, diagnostic, `!${diagnostic.message}`);
    }
  }

  /** Marks a path unreadable: what is known of the skill stays, a path never read gets a row that names it. */
  private async mark(path: string, diagnostic: Diagnostic, stamp: string): Promise<void> {
    const row = this.known.get(path);
    if (row?.stamp === stamp && row.state === "unreadable") return;
    const before =
      row === undefined ? undefined : await this.parts.driver.get({ place: this.place.id, path });
    if (before === undefined) {
      this.put(
        { row: unreadableRow(this.place, path, [diagnostic], { bytes: 0, bytesHash: "", stamp }) },
        row,
      );
      return;
    }
    const { counters: _, ...kept } = before;
    this.put({ row: { ...kept, state: "unreadable", stamp, diagnostics: [diagnostic] } }, row);
  }

  private gone(walk: Walk): RowKey[] {
    const there = new Set(walk.files.map((file) => file.path));
    return [...this.known.values()].filter(
      (row) => !there.has(row.path) && !walk.problems.has(row.path) && !isBelow(row.path, walk.locked),
    );
  }

  private async apply(rest: Batch): Promise<void> {
    const put = this.puts;
    this.puts = [];
    await this.parts.driver.apply({ put, ...rest }, this.options.signal);
  }
}

function isBelow(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => folder === "" || path.startsWith(`${folder}/`));
}
