import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createContext } from "../../lib/core/context.ts";
import { sampleEvent, samplePut } from "../../lib/drivers/conformance/samples.ts";
import type { Database } from "../../lib/drivers/sqljs/engine.ts";
import { engines } from "../../lib/drivers/sqljs/engines.ts";
import openSqljs, { openWithDatabase } from "../../lib/drivers/sqljs.ts";
import { temporaryFolder } from "../support/home.ts";

async function openBoth(dsn?: string) {
  const engine = await engines.get("sqlite-wasm")();
  return openWithDatabase({ vaultId: "vault", context: createContext(), dsn }, engine);
}

const rows = (db: Database, sql: string) => db.exec(sql)[0]?.values ?? [];

test("S1.15 the table skills has the seed's eighteen columns with its types and defaults", async () => {
  const { db } = await openBoth();
  const found = new Map(
    rows(db, "PRAGMA table_info(skills)").map(([, name, type, notNull, preset]) => [
      name,
      [type, notNull, preset],
    ]),
  );
  const seed = {
    name: ["TEXT", 1, null],
    repo_fingerprint: ["TEXT", 1, null],
    description: ["TEXT", 1, null],
    version: ["INTEGER", 1, "1"],
    languages: ["TEXT", 1, null],
    toolsets: ["TEXT", 1, null],
    requires_tools: ["TEXT", 1, null],
    triggers: ["TEXT", 1, null],
    body_path: ["TEXT", 1, null],
    size_bytes: ["INTEGER", 1, null],
    uses: ["INTEGER", 1, "0"],
    wins: ["INTEGER", 1, "0"],
    losses: ["INTEGER", 1, "0"],
    cost_saved_usd: ["REAL", 1, "0"],
    created_at: ["TEXT", 1, null],
    last_used_at: ["TEXT", 0, null],
    last_wave: ["INTEGER", 0, null],
    quarantined: ["INTEGER", 1, "0"],
  };
  for (const [name, column] of Object.entries(seed)) assert.deepEqual(found.get(name), column, name);
});

test("S1.15 lists are JSON arrays, body_path is relative to the home, quarantined is 0 or 1", async () => {
  const { driver, db } = await openBoth();
  await driver.apply({
    put: [
      samplePut("alpha", {
        place: "0123456789ab",
        triggers: ["one", "two"],
        state: "quarantined",
        path: "quarantine/alpha.md",
      }),
      samplePut("beta", { place: "0123456789ab" }),
    ],
  });
  assert.deepEqual(rows(db, "SELECT triggers, body_path, quarantined FROM skills ORDER BY name"), [
    ['["one","two"]', "0123456789ab/quarantine/alpha.md", 1],
    ["[]", "0123456789ab/canon/beta.md", 0],
  ]);
});

test("S1.16 S1.18 the seed's indexes are there by name", async () => {
  const { db } = await openBoth();
  const names = rows(db, "SELECT name FROM sqlite_master WHERE type = 'index'").flat();
  for (const name of [
    "skills_by_fp",
    "skills_by_quar",
    "skills_by_last_used",
    "events_by_skill",
    "events_by_run",
  ]) {
    assert.ok(names.includes(name), name);
  }
});

test("S1.18 skill_events has the seed's columns, an id that counts once, and takes no change from a later line", async () => {
  const { driver, db } = await openBoth();
  const columns = rows(db, "PRAGMA table_info(skill_events)").map(([, name]) => name);
  assert.deepEqual(columns.slice(0, 7), ["ts", "run_id", "wave", "skill_name", "event", "value", "notes"]);
  await driver.apply({ events: [sampleEvent("id-001", "cost_saved", { value: 0.5, notes: "~ est." })] });
  await driver.apply({ events: [sampleEvent("id-001", "cost_saved", { value: 9 })] });
  assert.deepEqual(rows(db, "SELECT run_id, wave, skill_name, event, value, notes FROM skill_events"), [
    ["run-1", 1, "alpha", "cost_saved", 0.5, "~ est."],
  ]);
});

test("C50 skills has an explicit integer id, and the full text stands under it", async () => {
  const { driver, db } = await openBoth();
  assert.deepEqual(rows(db, "SELECT type, pk FROM pragma_table_info('skills') WHERE name = 'id'"), [
    ["INTEGER", 1],
  ]);
  await driver.apply({ put: [samplePut("alpha"), samplePut("beta", {}, "walrus")] });
  db.exec("VACUUM");
  const sql =
    "SELECT s.name FROM skills_fts f JOIN skills s ON s.id = f.rowid WHERE f.skills_fts MATCH '\"walrus\"'";
  assert.deepEqual(rows(db, sql), [["beta"]]);
});

test("S1.17 C2 the full-text table has the seed's four columns, keeps no content, and no trigger writes it", async () => {
  const { db } = await openBoth();
  assert.deepEqual(
    rows(db, "PRAGMA table_info(skills_fts)").map(([, name]) => name),
    ["name", "description", "triggers", "body"],
  );
  assert.deepEqual(
    rows(db, "SELECT name FROM sqlite_master WHERE type = 'trigger' OR name = 'skills_fts_content'"),
    [],
  );
  const [[sql]] = rows(db, "SELECT sql FROM sqlite_master WHERE name = 'skills_fts'") as [[string]];
  assert.match(sql, /content=''/);
  assert.match(sql, /contentless_delete=1/);
  assert.match(sql, /porter ascii/);
});

test("S1.17 no sentence of a body is anywhere in the file", async () => {
  const folder = temporaryFolder();
  const { driver } = await openBoth(join(folder, "index.sqlite"));
  await driver.apply({ put: [samplePut("alpha", {}, "Zeppelins carry quokkas over meadows.")] });
  await driver.flush();
  const bytes = readFileSync(join(folder, "index.sqlite")).toString("latin1");
  assert.match(bytes, /zeppelin/);
  assert.doesNotMatch(bytes, /zeppelins? carr\w* quokka/i);
});

test("S1.19 S2.1 opening an index that has its tables changes nothing and loses nothing", async () => {
  const folder = temporaryFolder();
  const dsn = join(folder, "index.sqlite");
  const first = await openBoth(dsn);
  await first.driver.apply({ put: [samplePut("alpha")] });
  await first.driver.flush();
  const bytes = readFileSync(dsn);
  const schema = rows(first.db, "SELECT type, name, sql FROM sqlite_master ORDER BY name");
  const second = await openBoth(dsn);
  assert.equal(await second.driver.flush(), false);
  assert.deepEqual(rows(second.db, "SELECT type, name, sql FROM sqlite_master ORDER BY name"), schema);
  assert.equal(await second.driver.count({}), 1);
  assert.deepEqual(readFileSync(dsn), bytes);
});

test("C4 counters never touch the full text: its tables are the same bytes after a thousand events", async () => {
  const { driver, db } = await openBoth();
  await driver.apply({ put: [samplePut("alpha", {}, "walrus zebra"), samplePut("beta", {}, "walrus")] });
  const shadow = () =>
    ["data", "docsize", "idx", "config"].map((name) => rows(db, `SELECT * FROM skills_fts_${name}`));
  const before = shadow();
  const score = async () =>
    (await driver.search({ kind: "match", terms: ["walrus"], all: false }, {}, 5)).map((hit) => hit.score);
  const scores = await score();
  const events = Array.from({ length: 1_000 }, (_, at) =>
    sampleEvent(`id-${String(at).padStart(4, "0")}`, "hydrated"),
  );
  for (const event of events) await driver.apply({ events: [event] });
  assert.deepEqual(rows(db, "SELECT uses FROM skills WHERE name = 'alpha'"), [[1_000]]);
  assert.deepEqual(shadow(), before);
  assert.deepEqual(await score(), scores);
});

test("B06 bm25 gets one weight for each column of the full-text table", async () => {
  const { driver, db } = await openBoth();
  const columns = rows(db, "PRAGMA table_info(skills_fts)").length;
  const filler = Array.from({ length: 20 }, (_, at) => samplePut(`other-${at}`));
  await driver.apply({ put: [...filler, samplePut("zeppelin", {}, "one two")] });
  const [hit] = await driver.search({ kind: "match", terms: ["zeppelin"], all: false }, {}, 1);
  const weights = [8, 4, 4, 0.4];
  assert.equal(weights.length, columns);
  const [[score]] = rows(
    db,
    `SELECT -bm25(skills_fts, ${weights}) FROM skills_fts WHERE skills_fts MATCH '"zeppelin"'`,
  ) as [[number]];
  assert.equal(hit?.score, score);
});

test("B50 the order of scores is the order that the engine itself ranks by", async () => {
  const { driver, db } = await openBoth();
  const bodies = [
    "red",
    "red red green",
    "red green blue",
    "green and many other words that make it long",
    "blue blue blue",
  ];
  await driver.apply({
    put: [
      ...bodies.map((body, at) => samplePut(`s${at}`, {}, body)),
      ...Array.from({ length: 20 }, (_, at) => samplePut(`o${at}`)),
    ],
  });
  const hits = await driver.search({ kind: "match", terms: ["red", "green", "blue"], all: false }, {}, 10);
  const ranked = rows(
    db,
    `SELECT s.name FROM skills_fts f JOIN skills s ON s.id = f.rowid WHERE skills_fts MATCH '"red" OR "green" OR "blue"'
      AND rank MATCH 'bm25(8, 4, 4, 0.4)' ORDER BY rank`,
  ).flat();
  assert.equal(ranked.length, 5);
  assert.deepEqual(
    hits.map((hit) => hit.row.name),
    ranked,
  );
});

test("C58 the default driver keeps everything in the one file that it was given", async () => {
  const folder = temporaryFolder();
  const driver = await openSqljs({
    vaultId: "vault",
    context: createContext(),
    dsn: join(folder, "index.sqlite"),
  });
  await driver.apply({ put: [samplePut("alpha")] });
  assert.equal(await driver.flush(), true);
  await driver.close();
  const { readdirSync } = await import("node:fs");
  assert.deepEqual(readdirSync(folder), ["index.sqlite"]);
});
