// The peer: native better-sqlite3 inserts the recorded rows, after reading the same files. node bench/native.mjs ROWS
// FILES DATABASE. The tables are the ones of the driver; rows and terms are ready before the clock starts.
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "./corpus.mjs";
import { peakMb } from "./peak.mjs";

const [rowsFile, filesFile, database] = process.argv.slice(2);
if (existsSync(database)) throw new Error(`${database} is there already`);
const Database = createRequire(join(ROOT, "bench", "package.json"))("better-sqlite3");
const { createTables } = await import(
  pathToFileURL(join(ROOT, "dist", "lib", "drivers", "sqljs", "schema.js")).href
);
const { UPSERT } = await import(
  pathToFileURL(join(ROOT, "dist", "lib", "drivers", "sqljs", "columns.js")).href
);

const rows = readFileSync(rowsFile, "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line));
const files = JSON.parse(readFileSync(filesFile, "utf8"));

let begun = performance.now();
let bytes = 0;
for (const file of files) bytes += readFileSync(file).length;
const readMs = performance.now() - begun;

const db = new Database(database);
db.pragma("journal_mode = WAL");
db.pragma("synchronous = NORMAL");
createTables(db, true);
// A plain insert of the same columns: the leanest thing that native code can do with these rows.
const row = db.prepare(UPSERT.replace(/ON CONFLICT[\s\S]*$/, "").replace(/\?\d+/g, "?"));
const key = db.prepare("INSERT OR IGNORE INTO skill_keys(key, id) VALUES (?, ?)");
const text = db.prepare(
  "INSERT INTO skills_fts(rowid, name, description, triggers, body) VALUES (?, ?, ?, ?, ?)",
);
begun = performance.now();
db.transaction(() => {
  for (const { columns, keys, terms } of rows) {
    const { lastInsertRowid } = row.run(...columns);
    for (const one of keys) key.run(one, lastInsertRowid);
    text.run(lastInsertRowid, terms.name, terms.description, terms.triggers, terms.body);
  }
})();
const insertMs = performance.now() - begun;
const [{ version }] = db.prepare("SELECT sqlite_version() AS version").all();
db.close();
console.log(
  JSON.stringify({
    readMs,
    insertMs,
    rows: rows.length,
    bytes,
    version,
    rssMb: peakMb(),
  }),
);
