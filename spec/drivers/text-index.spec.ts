import assert from "node:assert/strict";
import { test } from "node:test";
import { runInNewContext } from "node:vm";
import { createContext } from "../../lib/core/context.ts";
import { samplePut } from "../../lib/drivers/conformance/samples.ts";
import type { Batch } from "../../lib/drivers/driver.ts";
import { engines } from "../../lib/drivers/sqljs/engines.ts";
import { openTextIndex } from "../../lib/drivers/sqljs/postings.ts";
import { countHolding, matchRows } from "../../lib/drivers/sqljs/reads.ts";
import { readSegments } from "../../lib/drivers/sqljs/segments.ts";
import { createStatements } from "../../lib/drivers/sqljs/statements.ts";
import { createTextSearch } from "../../lib/drivers/sqljs/text-search.ts";
import { openWithDatabase } from "../../lib/drivers/sqljs.ts";

/** From words in every row, often, to words in a few; in order some are the beginnings of others. */
const WORDS = Array.from({ length: 60 }, (_, at) => `w${at.toString(36)}${"x".repeat(at % 3)}`);
const ASKED = [...WORDS.slice(0, 8), "wax", "wq", "absent", "größe", "walrus", "検索"];

function createDice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

/** Batches that put, replace and remove rows, with texts long enough that the rows of a word fill pages. */
function* batches(seed: number, count: number): Generator<Batch> {
  const dice = createDice(seed);
  const word = () => WORDS[Math.floor((dice(1_000) / 1_000) ** 3 * WORDS.length)] ?? "w0";
  const text = (most: number) => Array.from({ length: 1 + dice(most) }, word).join(" ");
  for (let done = 0; done < count; done++) {
    const put = Array.from({ length: 20 }, () => {
      const slot = dice(300);
      const odd = dice(20) === 0 ? " größe walrus 検索" : "";
      return samplePut(`skill-${slot}`, { description: text(9), triggers: [text(3)] }, text(400) + odd);
    });
    const remove = Array.from({ length: 2 }, () => samplePut(`skill-${dice(300)}`).row);
    yield { put, remove };
  }
}

for (const name of ["sqlite-wasm", "fts5-sql-bundle"])
  test(`design 6: what is read from the tables of full text is what the engine says, through merges and removals: ${name}`, async () => {
    const { driver, db } = await openWithDatabase(
      { vaultId: "vault", context: createContext() },
      await engines.get(name)(),
    );
    const statements = createStatements(db);
    const about = (value: number) => Number(value.toPrecision(9));
    let [most, isMerging] = [0, false];
    for (const batch of batches(7, 40)) {
      // Two pages of a merge at a time, so that most states are in the middle of one.
      db.exec("INSERT INTO skills_fts(skills_fts, rank) VALUES ('merge', 2)");
      await driver.apply(batch);
      const segments = readSegments(statements) ?? [];
      most = Math.max(most, segments.length);
      isMerging ||= segments.some((segment) => segment.first > 1);
      for (const fields of ["all", "heads"] as const) {
        const expected = ASKED.map((word) => countHolding(statements, word, fields));
        assert.deepEqual((await driver.frequencies(ASKED, fields)).holding, expected);
      }
      const wanted = {
        kind: "match",
        terms: ["w0", "w9", "walrus", "wq"],
        heads: ["w5xx", "w1x"],
        all: false,
      } as const;
      const shown = (hits: Awaited<ReturnType<typeof driver.search>>) =>
        hits.map((hit) => [hit.row.path, about(hit.score), about(hit.body)]);
      assert.deepEqual(
        shown(await driver.search(wanted, {}, 400)),
        shown(matchRows(statements, wanted, {}, 400)),
      );
    }
    // Else this has shown nothing of several segments, nor of a merge that is not at its end.
    assert.ok(most > 3 && isMerging, `${most} segments`);
    statements.clear();
    await driver.close();
  });

/** A driver of the default engine after so many batches, and the statements of its database. */
async function filled(seed: number, count: number) {
  const { driver, db } = await openWithDatabase(
    { vaultId: "vault", context: createContext() },
    await engines.get("sqlite-wasm")(),
  );
  for (const batch of batches(seed, count)) await driver.apply(batch);
  return { driver, statements: createStatements(db) };
}

test("design 6: lists of rows that are no longer kept are read again", async () => {
  const { driver, statements } = await filled(3, 10);
  const [wide, narrow] = [openTextIndex(statements), openTextIndex(statements, 5, 2)];
  assert.ok(wide && narrow);
  for (let round = 0; round < 2; round++)
    for (const word of WORDS) assert.deepEqual(narrow.of(word), wide.of(word), word);
  assert.equal(wide.of("w0"), wide.of("w0"));
  const before = narrow.of("w0");
  narrow.of("w1x");
  assert.notEqual(narrow.of("w0"), before);
  const some = openTextIndex(statements, 100);
  const none = some?.of("absent0");
  for (const word of ["absent1", "absent2", "absent3"]) some?.of(word);
  assert.notEqual(some?.of("absent0"), none, "words that no row has are not kept without end");
  statements.clear();
  await driver.close();
});

/** Numbers of many bytes where others stood: counts of levels and segments, page numbers, sizes, row numbers. */
const HUGE = "FF".repeat(7);

test("P9 a damaged page or list of segments is called malformed or gives an answer, and reading it comes to an end", async () => {
  const { driver, statements } = await filled(5, 6);
  const blocks = statements.all("SELECT id, hex(block) FROM skills_fts_data WHERE id >= 10");
  const ask = () => {
    const search = createTextSearch(statements, true);
    search.frequencies(WORDS, "all");
    search.search({ kind: "match", terms: ["w0", "w9"], all: false }, {}, 400);
  };
  let malformed = 0;
  for (const [id = null, block] of blocks.filter(([id], at) => id === 10 || at % 8 === 1)) {
    const whole = String(block);
    const step = id === 10 ? 2 : 2 * Math.ceil(whole.length / 2 / 12);
    for (let at = 0; at < whole.length; at += step) {
      const hurt = `${whole.slice(0, at)}${HUGE}${whole.slice(at + HUGE.length)}`;
      statements.run("UPDATE skills_fts_data SET block = ? WHERE id = ?", [Buffer.from(hurt, "hex"), id]);
      try {
        // What has no end is ended here, as an error of another kind.
        runInNewContext("ask()", { ask }, { timeout: 20_000 });
      } catch (error) {
        assert.match(String(error), /malformed|corrupt/, `${id} at ${at / 2}`);
        malformed++;
      }
    }
    statements.run("UPDATE skills_fts_data SET block = ? WHERE id = ?", [Buffer.from(whole, "hex"), id]);
  }
  assert.ok(malformed > 50, `${malformed} malformed`);
  ask();
  statements.clear();
  await driver.close();
});
