import { LIMITS } from "../../core/limits.ts";
import type { Database, SqlValue } from "./engine.ts";
import { damaged, readRegular } from "./regular-file.ts";
import { loadSqliteWasm } from "./sqlite-wasm.ts";
import { applyWal } from "./wal.ts";

/** A skill's counters in an index of the seed's own program. */
export interface SeedSkill {
  readonly name: string;
  readonly fingerprint: string;
  readonly uses: number;
  readonly wins: number;
  readonly losses: number;
  readonly cost_saved_usd: number;
  readonly last_used_at: string | null;
  readonly last_wave: number | null;
}

/** A line of its `skill_events`, as it stands there. */
export interface SeedEvent {
  readonly ts: string;
  readonly run_id: string;
  readonly wave: number;
  readonly skill_name: string;
  readonly event: string;
  readonly value: number | null;
  readonly notes: string;
}

export interface SeedIndex {
  readonly skills: readonly SeedSkill[];
  readonly events: readonly SeedEvent[];
}

/** Whether a database has the seed's tables and not ours (C60). */
function hasSeedTables(db: Database): boolean {
  const columns = (table: string) =>
    new Set((db.exec(`PRAGMA table_info(${table})`)[0]?.values ?? []).map(([, name]) => name));
  const skills = columns("skills");
  const asSeed = ["name", "repo_fingerprint", "body_path", "uses", "wins", "losses"].every((name) =>
    skills.has(name),
  );
  return asSeed && !skills.has("place") && columns("skill_events").has("skill_name");
}

/** Whether these bytes are an index of the seed's own program; false for anything else. */
export async function isSeedIndex(bytes: Uint8Array): Promise<boolean> {
  const { Database } = await loadSqliteWasm();
  return looksLikeSeed(() => new Database(applyWal(bytes, undefined)));
}

export function looksLikeSeed(open: () => Database): boolean {
  let db: Database | undefined;
  try {
    db = open();
    return hasSeedTables(db);
  } catch {
    return false;
  } finally {
    db?.close();
  }
}

/**
 * Counters and events of the index at `path`, with what its `-wal` holds committed. Both files are read into memory
 * and neither is changed. Throws `CANONRY_INDEX_DAMAGED` where it is no such index, `CANONRY_DISK` where it cannot be read.
 */
export async function readSeedIndex(path: string): Promise<SeedIndex> {
  const image = readSeedImage(path);
  const { Database } = await loadSqliteWasm();
  let db: Database | undefined;
  try {
    db = new Database(image);
    if (!hasSeedTables(db)) throw new Error("its tables are not the seed's");
    return { skills: readSkills(db), events: readEvents(db) };
  } catch (cause) {
    throw damaged(path, "its counters cannot be read", cause);
  } finally {
    db?.close();
  }
}

/** The database at `path` with its log applied, in memory. */
export function readSeedImage(path: string): Uint8Array {
  const read = (file: string) => readRegular(file, LIMITS.indexFileBytes);
  return applyWal(read(path) ?? new Uint8Array(), read(`${path}-wal`));
}

function readSkills(db: Database): SeedSkill[] {
  const [table] =
    db.exec(`SELECT name, repo_fingerprint, uses, wins, losses, cost_saved_usd, last_used_at, last_wave
    FROM skills ORDER BY repo_fingerprint, name`);
  return (table?.values ?? []).map(([name, fingerprint, uses, wins, losses, saved, lastUsed, lastWave]) => ({
    name: text(name),
    fingerprint: text(fingerprint),
    uses: number(uses) ?? 0,
    wins: number(wins) ?? 0,
    losses: number(losses) ?? 0,
    cost_saved_usd: number(saved) ?? 0,
    last_used_at: lastUsed === null || lastUsed === undefined ? null : text(lastUsed),
    last_wave: number(lastWave),
  }));
}

function readEvents(db: Database): SeedEvent[] {
  const [table] = db.exec(
    "SELECT ts, run_id, wave, skill_name, event, value, notes FROM skill_events ORDER BY rowid",
  );
  return (table?.values ?? []).map(([ts, run, wave, skill, event, value, notes]) => ({
    ts: text(ts),
    run_id: text(run),
    wave: number(wave) ?? 0,
    skill_name: text(skill),
    event: text(event),
    value: number(value),
    notes: text(notes),
  }));
}

function text(value: SqlValue | undefined): string {
  return value === null || value === undefined ? "" : String(value);
}

function number(value: SqlValue | undefined): number | null {
  return typeof value === "number" ? value : null;
}
