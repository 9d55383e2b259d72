import assert from "node:assert/strict";
import { test } from "node:test";
import { createContext } from "../../lib/core/context.ts";
import { sampleEvent, samplePut } from "../../lib/drivers/conformance/samples.ts";
import type { IndexDriver, Put } from "../../lib/drivers/driver.ts";
import type { Database } from "../../lib/drivers/sqljs/engine.ts";
import { engines } from "../../lib/drivers/sqljs/engines.ts";
import { openWithDatabase } from "../../lib/drivers/sqljs.ts";

const WORDS =
  "apple walrus zebra connect connected rerunning build cache token retry flaky parse config".split(" ");

/** A small generator with a seed, so that a failure can be repeated. */
function createDice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

async function openEmpty() {
  return openWithDatabase({ vaultId: "vault", context: createContext() }, await engines.get("sqlite-wasm")());
}

/** Every term with the row's key, column and position: what the index really holds, whatever its ids are. */
function instances(db: Database): string[] {
  db.exec("CREATE VIRTUAL TABLE IF NOT EXISTS temp.terms USING fts5vocab('main', 'skills_fts', 'instance')");
  const [table] = db.exec(
    "SELECT s.place, s.path, t.term, t.col, t.offset FROM temp.terms t LEFT JOIN skills s ON s.id = t.doc",
  );
  return (table?.values ?? []).map((value) => value.join(" ")).sort();
}

const count = (db: Database, sql: string) => db.exec(sql)[0]?.values[0]?.[0];

async function scores(driver: IndexDriver): Promise<unknown> {
  const hits = await driver.search(
    { kind: "match", terms: ["walrus", "cache", "connect"], all: false },
    {},
    100,
  );
  assert.ok(hits.length > 10);
  return hits.map((hit) => [hit.row.path, hit.score]);
}

async function proof(seed: number, operations: number): Promise<void> {
  const dice = createDice(seed);
  const { driver, db } = await openEmpty();
  const truth = new Map<string, Put>();
  const text = () => Array.from({ length: dice(12) }, () => WORDS[dice(WORDS.length)]).join(" ");
  const putOf = (slot: number) =>
    samplePut(
      `skill-${slot}`,
      { path: `canon/${slot}.md`, name: `name-${dice(40)}`, description: text(), triggers: [text()] },
      text(),
    );
  for (let done = 0; done < operations; done++) {
    const put = putOf(dice(60));
    const known = truth.get(put.row.path);
    const act = dice(6);
    if (act <= 1) {
      await driver.apply({ put: [put] });
      truth.set(put.row.path, put);
    } else if (act === 2) {
      await driver.apply({ remove: [put.row] });
      truth.delete(put.row.path);
    } else if (act === 3 && known?.terms !== undefined) {
      // A put without terms: state, version or stamp changed, the text did not.
      const row = { ...known.row, version: done, stamp: String(done) };
      await driver.apply({ put: [{ row }] });
      truth.set(row.path, { row, terms: known.terms });
    } else if (act === 4) {
      await driver.apply({ events: [sampleEvent(`id-${done}`, "hydrated", { skill: `name-${dice(40)}` })] });
    } else {
      await assert.rejects(driver.apply({ put: [put, {} as Put], remove: [put.row] }));
    }
  }
  const fresh = await openEmpty();
  await fresh.driver.apply({ put: [...truth.values()] });
  assert.ok(truth.size > 20);
  assert.deepEqual(instances(db), instances(fresh.db));
  assert.ok(instances(db).length > 200);
  assert.equal(count(db, "SELECT count(*) FROM skills_fts_docsize"), truth.size);
  assert.equal(count(db, "SELECT count(*) FROM skills"), truth.size);
  const totals = "SELECT hex(block) FROM skills_fts_data WHERE id = 1";
  assert.equal(count(db, totals), count(fresh.db, totals));
  assert.deepEqual(await scores(driver), await scores(fresh.driver));
  db.exec("INSERT INTO skills_fts(skills_fts, rank) VALUES('integrity-check', 1)");
  assert.equal(count(db, "PRAGMA integrity_check"), "ok");
  await driver.close();
  await fresh.driver.close();
}

test("P1 C2 C3 C4 after 3,000 random puts, removals, renames, counters and failures the index holds what a fresh one holds, and scores as it does", () =>
  proof(20_260_101, 3_000));

test("P1 C2 C3 the same with another seed", () => proof(7, 1_000));

test("C2 a row that never had a text has an empty one, so that no later row can take over its words", async () => {
  const { driver, db } = await openEmpty();
  await driver.apply({ put: [{ row: samplePut("alpha").row }, samplePut("beta", {}, "walrus")] });
  assert.equal(count(db, "SELECT count(*) FROM skills_fts_docsize"), 2);
  await driver.apply({ remove: [samplePut("beta").row] });
  await driver.apply({ put: [{ row: samplePut("gamma").row }] });
  assert.deepEqual(await driver.search({ kind: "match", terms: ["walrus"], all: false }, {}, 5), []);
  assert.equal(count(db, "SELECT count(*) FROM skills_fts_docsize"), 2);
});
