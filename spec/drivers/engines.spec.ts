import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { createContext } from "../../lib/core/context.ts";
import { samplePut } from "../../lib/drivers/conformance/samples.ts";
import { engines } from "../../lib/drivers/sqljs/engines.ts";
import { loadSqlJsPackage } from "../../lib/drivers/sqljs/sql-js.ts";
import openSqljs, { withEngine } from "../../lib/drivers/sqljs.ts";
import { temporaryFolder } from "../support/home.ts";

const options = { vaultId: "vault", context: createContext() };

test("design 6: the engine and its version are reported, and full text is what the engine says it has", async () => {
  for (const [engine, says, fullText] of [
    [undefined, "sqlite-wasm 3.54.1", true],
    ["", "sqlite-wasm 3.54.1", true],
    ["sql.js", "sql.js 3.54.1", false],
    ["fts5-sql-bundle", "fts5-sql-bundle 3.49.1", true],
  ] as const) {
    const driver = await openSqljs({ ...options, engine });
    assert.equal(driver.engine, says);
    assert.equal(driver.supports.fullText, fullText);
    await driver.close();
  }
});

test("design 4: an unknown engine is a usage error, one that is not installed is CANONRY_ENGINE", async () => {
  await assert.rejects(openSqljs({ ...options, engine: "sqlite" }), { code: "CANONRY_USAGE" });
  await assert.rejects(
    loadSqlJsPackage("canonry-engine-that-is-not-there"),
    (error: Error & { code?: string }) => {
      assert.equal(error.code, "CANONRY_ENGINE");
      assert.match(error.message, /npm install canonry-engine-that-is-not-there/);
      return true;
    },
  );
});

test("design 6: any engine of sql.js's shape can be handed in", async () => {
  const driver = await withEngine(async () => ({ ...(await engines.get("sql.js")()), name: "mine" }))(
    options,
  );
  await driver.apply({ put: [samplePut("alpha")] });
  assert.equal(await driver.count({}), 1);
  assert.equal(driver.engine, "mine 3.54.1");
  await driver.close();
});

test("C57 an index with full text is foreign to an engine without it, and the other way round", async () => {
  for (const [writer, reader] of [
    ["sqlite-wasm", "sql.js"],
    ["sql.js", "sqlite-wasm"],
  ] as const) {
    const folder = temporaryFolder();
    const file = { ...options, dsn: `${folder}/index.sqlite`, localDir: `${folder}/local` };
    const first = await openSqljs({ ...file, engine: writer });
    await first.apply({ put: [samplePut("alpha")] });
    assert.equal(await first.flush(), true);
    await assert.rejects(openSqljs({ ...file, engine: reader }), { code: "CANONRY_INDEX_FOREIGN" });
  }
});

test("C58 engines that write the same format read each other's image", async () => {
  const folder = temporaryFolder();
  const file = { ...options, dsn: `${folder}/index.sqlite`, localDir: `${folder}/local` };
  const first = await openSqljs({ ...file, engine: "sqlite-wasm" });
  await first.apply({ put: [samplePut("alpha", {}, "walrus")] });
  await first.flush();
  const second = await openSqljs({ ...file, engine: "fts5-sql-bundle" });
  const hits = await second.search({ kind: "match", terms: ["walrus"], all: false }, {}, 5);
  assert.deepEqual(
    hits.map((hit) => hit.row.name),
    ["alpha"],
  );
});

test("design 6: the engine is quiet and leaves nothing in the global scope, even on an SQL error", () => {
  const script = `
    const { engines } = await import(${JSON.stringify(new URL("../../lib/drivers/sqljs/engines.js", import.meta.url).href)});
    const before = Object.getOwnPropertyNames(globalThis).length;
    const { Database } = await engines.get("sqlite-wasm")();
    const db = new Database(new Uint8Array(4096).fill(1));
    let errors = 0;
    for (const sql of ["SELECT nope", "SELECT * FROM sqlite_master"]) try { db.exec(sql); } catch { errors++; }
    db.close();
    const left = Object.getOwnPropertyNames(globalThis).filter((name) => /sqlite3ApiConfig|sqlite3ApiBootstrap/.test(name));
    process.exitCode = errors === 2 && left.length === 0 ? 0 : 1;
  `;
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    encoding: "utf8",
  });
  assert.deepEqual({ status, stdout, stderr }, { status: 0, stdout: "", stderr: "" });
});

test("design 6: the adapter carries every kind of value in and out, and a Buffer as image", async () => {
  const { Database } = await engines.get("sqlite-wasm")();
  const db = new Database();
  db.exec("CREATE TABLE t(a, b, c, d, e, f); SELECT 1; ;");
  const values = ["text with \u0000 and ☃ 😀", 2 ** 40, -0.5, null, new Uint8Array([0, 1, 255]), ""];
  db.run("INSERT INTO t VALUES (?, ?, ?, ?, ?, ?)", values);
  const copy = new Database(Buffer.concat([Buffer.from("xx"), db.export()]).subarray(2));
  db.close();
  db.close();
  const [table] = copy.exec("SELECT * FROM t");
  assert.deepEqual(table?.columns, ["a", "b", "c", "d", "e", "f"]);
  assert.deepEqual(table?.values, [values]);
  const statement = copy.prepare("SELECT a, b FROM t WHERE b = ?");
  statement.bind([2 ** 40]);
  assert.equal(statement.step(), true);
  assert.deepEqual(statement.getAsObject(), { a: values[0], b: 2 ** 40 });
  assert.equal(statement.step(), false);
  statement.free();
  assert.throws(() => copy.prepare("SELECT broken FROM nowhere"), /no such table/);
  assert.throws(() => copy.prepare(" "), /no statement/);
  copy.close();
});
