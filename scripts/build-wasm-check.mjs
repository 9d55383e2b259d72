#!/usr/bin/env node
// Checks that the index needs no native build: the pinned WASM engine is the one that was measured, can do what the
// driver asks of it, and nothing in the production tree is compiled, downloaded or run at install.
// Plain JavaScript on purpose: it runs before anything is built.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const PINNED = {
  package: "@sqlite.org/sqlite-wasm",
  version: "3.54.1-build1",
  sqlite: "3.54.1",
  sha256: "b8a92a19f441a90ff2339fe988fbe317c4adf3ed844096f12aee04aa72d58257",
};
const INSTALL_SCRIPTS = ["preinstall", "install", "postinstall"];

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const require = createRequire(join(root, "package.json"));
const failures = [];

function check(passed, failure) {
  if (!passed) failures.push(failure);
}

async function attempt(what, step) {
  try {
    return await step();
  } catch (error) {
    failures.push(`${what}: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}

function readJson(...path) {
  return JSON.parse(readFileSync(join(root, ...path), "utf8"));
}

function checkPin(lock) {
  const asked = readJson("package.json").dependencies?.[PINNED.package];
  check(
    asked === PINNED.version,
    `package.json asks for ${PINNED.package} ${asked}; it must be exactly ${PINNED.version}`,
  );
  const locked = lock.packages[`node_modules/${PINNED.package}`]?.version;
  check(
    locked === PINNED.version,
    `package-lock.json has ${PINNED.package} ${locked}; it must be ${PINNED.version}`,
  );
  const installed = require(`${PINNED.package}/package.json`).version;
  check(installed === PINNED.version, `node_modules has ${PINNED.package} ${installed}; run npm ci`);
}

function readWasm() {
  const file = require.resolve(`${PINNED.package}/sqlite3.wasm`);
  const bytes = readFileSync(file);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  check(
    sha256 === PINNED.sha256,
    `${relative(root, file)} has SHA-256 ${sha256}; the pinned build has ${PINNED.sha256}`,
  );
  return new Uint8Array(bytes);
}

/** What the driver asks of the engine, asked through the package's own interface. */
function checkEngine(sqlite3) {
  const { capi, oo1, wasm } = sqlite3;
  check(
    sqlite3.version.libVersion === PINNED.sqlite,
    `the engine says SQLite ${sqlite3.version.libVersion}, not ${PINNED.sqlite}`,
  );
  const db = new oo1.DB(":memory:");
  db.exec(`CREATE VIRTUAL TABLE t USING fts5(name, body, content='', contentless_delete=1, tokenize='porter unicode61 remove_diacritics 2');
    INSERT INTO t(rowid, name, body) VALUES (1, 'deploy', 'short'), (2, 'other', 'deploy the connections'), (3, 'none', 'nothing');`);
  const ask = (from, sql) => from.selectValues(sql).join(" ");
  const ranked = "SELECT rowid FROM t WHERE t MATCH '\"deploy\"' ORDER BY bm25(t, 10, 1)";
  check(ask(db, ranked) === "1 2", "bm25 with weights does not put a hit in the name first");
  check(
    ask(db, "SELECT rowid FROM t WHERE t MATCH '\"connect\"'") === "2",
    "the porter tokenizer does not stem",
  );
  db.exec("DELETE FROM t WHERE rowid = 1");
  check(ask(db, ranked) === "2", "a contentless_delete table keeps the words of a deleted row");

  const image = capi.sqlite3_js_db_export(db);
  db.close();
  const copy = new oo1.DB(":memory:");
  const flags = capi.SQLITE_DESERIALIZE_FREEONCLOSE | capi.SQLITE_DESERIALIZE_RESIZEABLE;
  const code = capi.sqlite3_deserialize(
    copy.pointer,
    "main",
    wasm.allocFromTypedArray(image),
    image.length,
    image.length,
    flags,
  );
  check(code === 0, `an exported image cannot be read in again: result ${code}`);
  check(ask(copy, ranked) === "2", "an image that went out and in again answers otherwise");
  copy.exec("INSERT INTO t(rowid, name, body) VALUES (4, 'deploy', '')");
  check(ask(copy, ranked) === "4 2", "an image that was read in cannot be written to");
  copy.close();
}

/** The packages that a user's install gets, from the lock file; each with its folder. */
function productionPackages(lock) {
  return Object.entries(lock.packages)
    .filter(([path, entry]) => path !== "" && entry.dev !== true && entry.devOptional !== true)
    .map(([path, entry]) => ({ path, entry, folder: join(root, path) }));
}

function checkTree(packages) {
  for (const { path, entry, folder } of packages) {
    check(entry.hasInstallScript !== true, `${path} has an install script`);
    if (!existsSync(folder)) {
      check(entry.optional === true, `${path} is in the lock file and not installed; run npm ci`);
      continue;
    }
    const { scripts = {} } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    for (const name of INSTALL_SCRIPTS) check(scripts[name] === undefined, `${path} runs ${name} at install`);
    for (const file of filesIn(folder)) {
      const native = file.endsWith(".node") || file === "binding.gyp" || file.endsWith("/binding.gyp");
      check(!native, `${path} holds ${file}, which needs a native build`);
    }
  }
}

/** Files of one package, without those of packages nested in it. */
function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath ?? entry.path, entry.name)).replaceAll("\\", "/"))
    .filter((file) => !file.startsWith("node_modules/"));
}

const lock = readJson("package-lock.json");
await attempt("the pin", () => checkPin(lock));
const wasmBinary = await attempt("the wasm file", readWasm);
const packages = productionPackages(lock);
await attempt("the production tree", () => checkTree(packages));
const sqlite3 = await attempt("the engine", async () => {
  const { default: init } = await import(PINNED.package);
  return init({ wasmBinary });
});
if (sqlite3 !== undefined) await attempt("the engine", () => checkEngine(sqlite3));

for (const failure of failures) console.error(`build-wasm-check: ${failure}`);
if (failures.length === 0) {
  console.log(
    `build-wasm-check: ${PINNED.package} ${PINNED.version}, SQLite ${sqlite3.version.libVersion} (${sqlite3.version.sourceId.slice(0, 19)}), Node ${process.versions.node}: ` +
      `FTS5, bm25, contentless_delete, porter and image round trip work; ${packages.length} production packages without native code or install scripts`,
  );
}
process.exitCode = failures.length === 0 ? 0 : 1;
