import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder, writeTree } from "../support/home.ts";
import { ROOT } from "../support/root.ts";

const SCRIPT = join(ROOT, "scripts", "build-wasm-check.mjs");

function check(script: string) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script], { encoding: "utf8" });
  return { status, stdout, stderr };
}

test("design 6: build-wasm-check passes here and prints engine and SQLite version", () => {
  const { status, stdout, stderr } = check(SCRIPT);
  assert.equal(stderr, "");
  assert.match(stdout, /@sqlite\.org\/sqlite-wasm 3\.54\.1-build1, SQLite 3\.54\.1/);
  assert.equal(status, 0);
});

test("design 6: build-wasm-check names a loose pin, another wasm, native files and install scripts, and fails", () => {
  const root = temporaryFolder();
  const engine = join("node_modules", "@sqlite.org", "sqlite-wasm");
  mkdirSync(join(root, "scripts"));
  copyFileSync(SCRIPT, join(root, "scripts", "build-wasm-check.mjs"));
  const real = (file: string) => readFileSync(join(ROOT, engine, file));
  writeTree(root, {
    "package.json": JSON.stringify({ dependencies: { "@sqlite.org/sqlite-wasm": "^3.54.1-build1" } }),
    "package-lock.json": JSON.stringify({
      packages: {
        "": {},
        "node_modules/@sqlite.org/sqlite-wasm": { version: "3.54.1-build1" },
        "node_modules/native": { version: "1.0.0", hasInstallScript: true },
        "node_modules/absent": { version: "1.0.0" },
        "node_modules/tool": { version: "1.0.0", dev: true },
      },
    }),
    "node_modules/native/package.json": JSON.stringify({ scripts: { postinstall: "node-gyp rebuild" } }),
    "node_modules/native/binding.gyp": "{}",
    "node_modules/native/build/engine.node": "",
    [`${engine}/package.json`]: real("package.json"),
    [`${engine}/dist/sqlite3.wasm`]: Buffer.concat([real("dist/sqlite3.wasm"), Buffer.from([0, 2, 1, 0])]),
  });
  for (const file of ["node.mjs", "index.mjs"])
    symlinkSync(join(ROOT, engine, "dist", file), join(root, engine, "dist", file));
  const { status, stderr } = check(join(root, "scripts", "build-wasm-check.mjs"));
  assert.equal(status, 1);
  for (const line of [
    /package\.json asks for .* \^3\.54\.1-build1; it must be exactly 3\.54\.1-build1/,
    /sqlite3\.wasm has SHA-256 [0-9a-f]{64}; the pinned build has/,
    /node_modules\/native has an install script/,
    /node_modules\/native runs postinstall at install/,
    /node_modules\/native holds binding\.gyp/,
    /node_modules\/native holds build\/engine\.node/,
    /node_modules\/absent is in the lock file and not installed/,
  ]) {
    assert.match(stderr, line);
  }
  assert.doesNotMatch(stderr, /node_modules\/tool/);
});
