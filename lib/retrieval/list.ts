import { join } from "node:path";
import { nameKey } from "../core/names.ts";
import type { Filter } from "../drivers/driver.ts";
import { type IndexedRow, rowId } from "../schema/row.ts";
import { readingPlaces, type View } from "./view.ts";

/** `shadowed`: an earlier place has an active skill of that name; `ambiguous`: another file of its place has it too. */
export type ListState = "active" | "shadowed" | "ambiguous" | "quarantined" | "archived" | "unreadable";

export interface ListedSkill {
  readonly name: string;
  readonly place: string;
  readonly fingerprint: string;
  readonly origin: string;
  readonly state: ListState;
  readonly description: string;
  readonly version: number;
  readonly uses: number;
  readonly wins: number;
  readonly losses: number;
  /** Absolute path of the file. */
  readonly path: string;
  readonly bytes: number;
}

export interface ListOptions {
  /** The shadowed, quarantined, archived and unreadable too. */
  readonly all?: boolean | undefined;
  readonly origin?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The skills of the reading path by name (then place and path); both files of an ambiguous name are there (C61). */
export async function listSkills(view: View, options: ListOptions = {}): Promise<ListedSkill[]> {
  await view.catalog.fresh({ force: true, signal: options.signal });
  const places = readingPlaces(view);
  const base: Filter = {
    path: places.map((place) => place.id),
    ...(options.origin === undefined ? {} : { origin: options.origin }),
  };
  const { driver } = view.catalog;
  const seen = await driver.list({ ...base, states: ["active"] }, "name", undefined, 0, options.signal);
  const rows =
    options.all === true
      ? await driver.list({ ...base, shadowed: true }, "name", undefined, 0, options.signal)
      : seen;
  const visible = new Set(seen.map(rowId));
  const shared = sharedNames(rows);
  const dirs = new Map(places.map((place) => [place.id, place.dir]));
  return rows.map((row) => ({
    name: row.name,
    place: row.place,
    fingerprint: row.fingerprint,
    origin: row.origin,
    state: stateOf(row, visible, shared),
    description: row.description,
    version: row.version,
    uses: row.counters.uses,
    wins: row.counters.wins,
    losses: row.counters.losses,
    path: join(dirs.get(row.place) ?? "", row.path),
    bytes: row.bytes,
  }));
}

function stateOf(row: IndexedRow, visible: ReadonlySet<string>, shared: ReadonlySet<string>): ListState {
  if (row.state !== "active") return row.state;
  if (!visible.has(rowId(row))) return "shadowed";
  return shared.has(nameIn(row)) ? "ambiguous" : "active";
}

/** Names that two active files of one place have. */
function sharedNames(rows: readonly IndexedRow[]): Set<string> {
  const once = new Set<string>();
  const twice = new Set<string>();
  for (const row of rows) {
    if (row.state !== "active") continue;
    if (once.has(nameIn(row))) twice.add(nameIn(row));
    once.add(nameIn(row));
  }
  return twice;
}

function nameIn(row: IndexedRow): string {
  return `${row.place}\u0000${nameKey(row.name)}`;
}
