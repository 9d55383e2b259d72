import { CanonryError } from "../../core/errors.ts";
import type { Database } from "./engine.ts";

/** Says that a file is ours, in the header's `application_id`: "CNRY". */
export const APPLICATION_ID = 0x434e5259;
/** In the header's `user_version`; a file of any other is foreign. Raise it with every change of tables or of their terms. */
export const SCHEMA_VERSION = 2;

/** The full-text columns and what a hit in each is worth (B06); order and count are those of the table. */
export const FULL_TEXT_COLUMNS = Object.freeze([
  { name: "name", weight: 8 },
  { name: "description", weight: 4 },
  { name: "triggers", weight: 4 },
  { name: "body", weight: 0.4 },
] as const);
/** What the body alone is scored with, beside them. */
export const BODY_WEIGHT = 0.6;

/**
 * Tables, columns and indexes of the seed by their names (S1.15, S1.16, S1.18), and what Canonry adds. The key is
 * place and path (C5, C61), the id is explicit (C50), lists are JSON arrays, and no text of a body is kept (S1.17).
 */
const TABLES = `
CREATE TABLE IF NOT EXISTS skills (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  repo_fingerprint TEXT NOT NULL,
  description TEXT NOT NULL,
  version INTEGER NOT NULL DEFAULT 1,
  languages TEXT NOT NULL,
  toolsets TEXT NOT NULL,
  requires_tools TEXT NOT NULL,
  triggers TEXT NOT NULL,
  body_path TEXT NOT NULL,
  size_bytes INTEGER NOT NULL,
  uses INTEGER NOT NULL DEFAULT 0,
  wins INTEGER NOT NULL DEFAULT 0,
  losses INTEGER NOT NULL DEFAULT 0,
  cost_saved_usd REAL NOT NULL DEFAULT 0,
  created_at TEXT NOT NULL,
  last_used_at TEXT,
  last_wave INTEGER,
  quarantined INTEGER NOT NULL DEFAULT 0,
  place TEXT NOT NULL,
  path TEXT NOT NULL,
  name_key TEXT NOT NULL,
  keys TEXT NOT NULL,
  title TEXT NOT NULL,
  summary TEXT NOT NULL,
  origin TEXT NOT NULL,
  state TEXT NOT NULL,
  tags TEXT NOT NULL,
  tag_keys TEXT NOT NULL,
  task_type TEXT NOT NULL,
  person_only INTEGER NOT NULL,
  digest TEXT NOT NULL,
  bytes_hash TEXT NOT NULL,
  stamp TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  diagnostics TEXT NOT NULL,
  folded TEXT,
  UNIQUE (place, path)
);
CREATE INDEX IF NOT EXISTS skills_by_fp ON skills(repo_fingerprint);
CREATE INDEX IF NOT EXISTS skills_by_quar ON skills(quarantined);
CREATE INDEX IF NOT EXISTS skills_by_last_used ON skills(last_used_at);
CREATE INDEX IF NOT EXISTS skills_by_state ON skills(state);
CREATE INDEX IF NOT EXISTS skills_by_name ON skills(name_key, place);
CREATE TABLE IF NOT EXISTS skill_keys (
  key TEXT NOT NULL,
  id INTEGER NOT NULL,
  PRIMARY KEY (key, id)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS skill_events (
  ts TEXT NOT NULL,
  run_id TEXT NOT NULL,
  wave INTEGER NOT NULL,
  skill_name TEXT NOT NULL,
  event TEXT NOT NULL,
  value REAL,
  notes TEXT,
  id TEXT PRIMARY KEY,
  fingerprint TEXT NOT NULL,
  agent TEXT NOT NULL,
  version INTEGER,
  model TEXT NOT NULL,
  source TEXT,
  baseline TEXT
);
CREATE INDEX IF NOT EXISTS events_by_skill ON skill_events(skill_name, fingerprint);
CREATE INDEX IF NOT EXISTS events_by_run ON skill_events(run_id);
CREATE TABLE IF NOT EXISTS state (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
`;

/**
 * Owned by the writer and written in the transaction of the row, never by triggers: those would not know the body
 * (C2, C3) and would write it anew with every use (C4). Its texts are terms that `core/terms` has folded (NFKC, lower
 * case, no diacritics) and joined by spaces, so `ascii` has nothing left to do but to cut at them; `porter` stems (S3.13).
 */
function fullTextTable(schema: string, table: string): string {
  const columns = FULL_TEXT_COLUMNS.map((column) => column.name).join(", ");
  return `CREATE VIRTUAL TABLE IF NOT EXISTS ${schema}.${table} USING fts5(${columns},
    content='', contentless_delete=1, tokenize='porter ascii')`;
}

/** Asks the engine itself, since builds differ in what they were made with (S3.19). */
export function hasFullText(db: Database): boolean {
  try {
    db.exec(`${fullTextTable("temp", "full_text_probe")}; DROP TABLE temp.full_text_probe;`);
    return true;
  } catch {
    return false;
  }
}

/** Everything that an index needs; on one that has it already nothing changes (S1.19). */
export function createTables(db: Database, fullText: boolean): void {
  db.exec(TABLES);
  if (!fullText) return;
  db.exec(fullTextTable("main", "skills_fts"));
  // Fewer, larger segments while thousands of texts come in: four times the default, in bytes.
  db.exec("INSERT INTO skills_fts(skills_fts, rank) VALUES('hashsize', 4194304)");
}

/** The image is in memory: its durability is the flush's business, so the engine only has to roll back. */
export function applyPragmas(db: Database): void {
  db.exec(
    "PRAGMA journal_mode=MEMORY; PRAGMA synchronous=OFF; PRAGMA temp_store=MEMORY; PRAGMA cache_size=-16384;",
  );
}

export interface Meta {
  readonly vaultId: string;
  readonly generation: number;
  readonly fullText: boolean;
}

export function readMeta(db: Database): Meta | undefined {
  const [table] = db.exec("SELECT key, value FROM meta");
  const found = new Map((table?.values ?? []).map(([key, value]) => [String(key), String(value)]));
  const vaultId = found.get("vault_id");
  if (vaultId === undefined) return undefined;
  return {
    vaultId,
    generation: Number(found.get("generation") ?? 0),
    fullText: found.get("full_text") === "1",
  };
}

export function writeMeta(db: Database, meta: Meta): void {
  const put = (key: string, value: string) =>
    db.run(
      "INSERT INTO meta(key, value) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
      [key, value],
    );
  put("vault_id", meta.vaultId);
  put("generation", String(meta.generation));
  put("full_text", meta.fullText ? "1" : "0");
  db.exec(`PRAGMA application_id=${APPLICATION_ID}; PRAGMA user_version=${SCHEMA_VERSION};`);
}

/** The engine's version, "3.54.1". */
export function versionOf(db: Database): string {
  const version = db.exec("SELECT sqlite_version()")[0]?.values[0]?.[0];
  if (typeof version !== "string")
    throw new CanonryError("CANONRY_ENGINE", "The engine does not say its version.");
  return version;
}
