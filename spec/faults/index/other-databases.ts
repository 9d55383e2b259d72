import type { Engine } from "../../../lib/drivers/sqljs/engine.ts";

function databaseOf(engine: Engine, sql: string): Buffer {
  const db = new engine.Database();
  try {
    db.exec(sql);
    return Buffer.from(db.export());
  } finally {
    db.close();
  }
}

export function otherDatabase(engine: Engine): Buffer {
  return databaseOf(
    engine,
    "CREATE TABLE bookmarks(id INTEGER PRIMARY KEY, url TEXT); INSERT INTO bookmarks(url) VALUES ('https://example.org')",
  );
}

/** An index of the seed's own program that has counted nothing: taking it over changes no counter. */
export function seedDatabase(engine: Engine): Buffer {
  return databaseOf(
    engine,
    `CREATE TABLE skills(name TEXT, repo_fingerprint TEXT, body_path TEXT, uses INTEGER, wins INTEGER, losses INTEGER,
       cost_saved_usd REAL, last_used_at TEXT, last_wave INTEGER);
     CREATE TABLE skill_events(ts TEXT, run_id TEXT, wave INTEGER, skill_name TEXT, event TEXT, value REAL, notes TEXT);
     INSERT INTO skills VALUES ('skill-01', '0123456789ab', 'x', 0, 0, 0, 0.0, NULL, NULL)`,
  );
}
