import { join } from "node:path";
import { createPacer, type Pacer } from "../core/pacer.ts";
import type { Put } from "../drivers/driver.ts";
import type { Diagnostic } from "../schema/diagnostic.ts";
import type { IndexedRow, RowKey } from "../schema/row.ts";
import type { SkillRecord } from "../schema/skill.ts";
import type { ArrivedCounters } from "../vault/baseline.ts";
import type { Place } from "../vault/place.ts";
import { hashFile, readSkillFile } from "../vault/skill-file.ts";
import { walkPlace } from "../vault/walk.ts";
import type { FoundFile, Walk, WalkState } from "../vault/walk-state.ts";
import { putOf, unreadableRow } from "./row.ts";
import type { SyncOptions, SyncParts } from "./sync.ts";

/** Kept with the rows, one a place: what the walk saw, and which files were too young to trust their stamps. */
interface PlaceState extends WalkState {
  readonly young: readonly string[];
  /** Paths that are no skill files and have a row because of a problem, such as a locked folder → stamp. */
  readonly troubled: Readonly<Record<string, string>>;
}

const PUTS_A_BATCH = 500;
/** The stamp of a path that leads to a file met before under another path: it has no row (B19). */
const TWIN = "=";

export const stateKey = (place: string) => `place:${place}`;
/** What the walk of a place passed over, by itself: who only wants to name it need not read the whole state. */
export const notesKey = (place: string) => `notes:${place}`;

/** The sync of one place: walk, compare stamps, read what changed, apply in batches. */
export class PlaceSync {
  added = 0;
  changed = 0;
  removed = 0;
  filesRead = 0;
  readonly arrived: ArrivedCounters[] = [];
  notes: readonly Diagnostic[] = [];
  private puts: Put[] = [];
  private readonly young: string[] = [];
  private readonly stamps = new Map<string, string>();
  private readonly parts: SyncParts;
  private readonly options: SyncOptions;
  private readonly place: Place;
  private readonly state: PlaceState | undefined;
  private readonly full: boolean;
  private readonly pacer: Pacer;

  /** `json` is the place's state as the last sync left it. */
  constructor(parts: SyncParts, options: SyncOptions, place: Place, json: string | undefined) {
    this.parts = parts;
    this.options = options;
    this.place = place;
    this.state = json === undefined ? undefined : (JSON.parse(json) as PlaceState);
    this.full = options.full === true;
    this.pacer = createPacer(options.signal);
  }

  async run(): Promise<void> {
    const walk = await walkPlace(
      this.place,
      this.full ? undefined : this.state,
      this.parts.context.clock(),
      this.pacer,
      this.parts.vault.home,
    );
    this.notes = walk.state.notes;
    await this.files(walk);
    await this.problems(walk);
    const remove = this.gone(walk);
    this.removed = remove.length;
    if (this.puts.length === 0 && remove.length === 0 && this.isAsBefore(walk)) return;
    const { notes } = walk.state;
    const kept = notes.length === 0 ? undefined : JSON.stringify(notes);
    await this.apply(remove, {
      [stateKey(this.place.id)]: JSON.stringify(this.nextState(walk)),
      [notesKey(this.place.id)]: kept,
    });
  }

  private async files(walk: Walk): Promise<void> {
    const wasYoung = new Set(this.state?.young);
    let done = 0;
    for (const found of walk.files) {
      if (found.young) this.young.push(found.path);
      const known = this.known(found.path);
      this.stamps.set(found.path, found.stamp);
      if (this.full || known !== found.stamp || wasYoung.has(found.path)) await this.read(found, known);
      this.options.progress?.(`reading ${this.place.id}`, ++done, walk.files.length);
      const pause = this.pacer.step();
      if (pause !== undefined) await pause;
      if (this.puts.length >= PUTS_A_BATCH) await this.apply([], {});
    }
  }

  /** The stamp that the row of a path was made from; undefined where there is no row. */
  private known(path: string): string | undefined {
    const stamp = this.state?.files[path]?.[1] ?? this.state?.troubled[path];
    return stamp === TWIN ? undefined : stamp;
  }

  private async read(found: FoundFile, known: string | undefined): Promise<void> {
    const path = join(this.place.dir, found.path);
    const row = known === undefined ? undefined : await this.row(found.path);
    this.filesRead++;
    if (
      row !== undefined &&
      !this.full &&
      row.state !== "unreadable" &&
      hashFile(path, found.kind) === row.bytesHash
    ) {
      if (row.stamp !== found.stamp) this.puts.push({ row: { ...row, stamp: found.stamp } });
      return;
    }
    const file = readSkillFile(path, path, found.kind);
    const [refused] = file.diagnostics;
    if (file.stamp === "" && refused !== undefined) {
      // a disk that fails once changes no stamp: such a file is read again each time
      const passes = refused.code === "FILE_UNREADABLE";
      await this.mark(found.path, refused, passes ? stampOfProblem(refused) : found.stamp);
      return;
    }
    this.stamps.set(found.path, file.stamp);
    if (this.place.kind === "space" && file.record !== undefined) this.arrive(file.record);
    this.put(putOf(this.place, found.path, found.kind, file, this.parts.context.translate), row);
  }

  private arrive({ name, telemetry, lastUsedAt }: SkillRecord): void {
    const { uses, wins, losses, costSavedUsd, lastWave } = telemetry;
    const counters = { uses, wins, losses, costSavedUsd, lastUsedAt, lastWave };
    if (uses > 0 || wins > 0 || losses > 0)
      this.arrived.push({ fingerprint: this.place.fingerprint, name, counters });
  }

  private put(put: Put, before: IndexedRow | undefined): void {
    this.puts.push(put);
    if (before === undefined) this.added += put.row.state === "unreadable" ? 0 : 1;
    else if (before.digest !== put.row.digest || before.state !== put.row.state) this.changed++;
  }

  private row(path: string): Promise<IndexedRow | undefined> {
    return this.parts.driver.get({ place: this.place.id, path });
  }

  /** What cannot be read is a row of its own; rows below a locked folder are kept and marked (B110). */
  private async problems(walk: Walk): Promise<void> {
    for (const [path, diagnostic] of walk.problems)
      await this.mark(path, diagnostic, stampOfProblem(diagnostic));
    for (const folder of walk.locked) {
      const diagnostic = walk.problems.get(folder);
      const below = Object.keys(this.state?.files ?? {}).filter((path) => isBelow(path, [folder]));
      for (const path of diagnostic === undefined ? [] : below)
        if (this.known(path) !== undefined && diagnostic !== undefined)
          await this.mark(path, diagnostic, stampOfProblem(diagnostic));
    }
  }

  /** Marks a path unreadable: what is known of the skill stays, a path never read gets a row that names it. */
  private async mark(path: string, diagnostic: Diagnostic, stamp: string): Promise<void> {
    this.stamps.set(path, stamp);
    if (this.known(path) === stamp && !this.full) return;
    const before = this.known(path) === undefined ? undefined : await this.row(path);
    const row = before ?? unreadableRow(this.place, path, [diagnostic], { bytes: 0, bytesHash: "", stamp });
    this.put({ row: { ...row, state: "unreadable", stamp, diagnostics: [diagnostic] } }, before);
  }

  private gone(walk: Walk): RowKey[] {
    return [...Object.keys(this.state?.files ?? {}), ...Object.keys(this.state?.troubled ?? {})]
      .filter(
        (path) => this.known(path) !== undefined && !this.stamps.has(path) && !isBelow(path, walk.locked),
      )
      .map((path) => ({ place: this.place.id, path }));
  }

  /** Whether the state to keep is the one that was kept: told without making ten thousand entries anew. */
  private isAsBefore({ kinds, state, problems, locked }: Walk): boolean {
    const before = this.state;
    if (before === undefined || this.full || locked.length > 0) return false;
    const { files, folders, notes, young, troubled } = before;
    const now = Object.entries(state.folders);
    const inTrouble = [...problems.keys()].filter((path) => !kinds.has(path));
    return (
      inTrouble.length === Object.keys(troubled).length &&
      inTrouble.every((path) => troubled[path] === this.stamps.get(path)) &&
      JSON.stringify([notes, young]) === JSON.stringify([state.notes, this.young]) &&
      now.length === Object.keys(folders).length &&
      now.every(([path, stamp]) => folders[path] === stamp) &&
      kinds.size === Object.keys(files).length &&
      [...kinds.keys()].every((path) => files[path]?.[1] === (this.stamps.get(path) ?? TWIN))
    );
  }

  private nextState(walk: Walk): PlaceState {
    const files = new Map<string, PlaceState["files"][string]>();
    for (const [path, [kind, , link]] of Object.entries(this.state?.files ?? {}))
      if (isBelow(path, walk.locked)) files.set(path, [kind, this.stamps.get(path) ?? TWIN, link]);
    for (const [path, { kind, link }] of walk.kinds)
      files.set(path, [kind, this.stamps.get(path) ?? TWIN, link]);
    const troubled = [...walk.problems.keys()].filter((path) => !files.has(path));
    return {
      ...walk.state,
      files: Object.fromEntries(files),
      young: this.young,
      troubled: Object.fromEntries(troubled.map((path) => [path, this.stamps.get(path) ?? TWIN])),
    };
  }

  private async apply(
    remove: readonly RowKey[],
    state: Readonly<Record<string, string | undefined>>,
  ): Promise<void> {
    const put = this.puts;
    this.puts = [];
    await this.parts.driver.apply({ put, remove, state }, this.options.signal);
  }
}

/** In place of a file's own stamp, which it never equals. */
function stampOfProblem({ code, message }: Diagnostic): string {
  return `!${code} ${message}`;
}

function isBelow(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => folder === "" || path.startsWith(`${folder}/`));
}
