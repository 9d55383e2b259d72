import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder, writeTree } from "../support/home.ts";
import { ROOT } from "../support/root.ts";

const CONFIG = JSON.stringify({
  compilerOptions: {
    target: "es2023",
    lib: ["es2023"],
    module: "nodenext",
    rootDir: ".",
    outDir: "dist",
    declaration: true,
    incremental: true,
    tsBuildInfoFile: "dist/.tsbuildinfo",
    strict: true,
    types: [],
  },
  include: ["lib", "spec"],
});

/** A checkout of a tiny project; with TypeScript in its node_modules, or as `--omit=dev` leaves it. */
function checkout(withCompiler: boolean): string {
  const root = temporaryFolder();
  cpSync(join(ROOT, "scripts", "prepare.mjs"), join(root, "scripts", "prepare.mjs"));
  writeTree(root, {
    "package.json": `{"type":"module"}`,
    "tsconfig.json": CONFIG,
    "lib/a.ts": "export const a = 1;\n",
    "lib/b.ts": "export const b = 1;\n",
  });
  if (withCompiler) symlinkSync(join(ROOT, "node_modules"), join(root, "node_modules"), "junction");
  return root;
}

function prepare(
  root: string,
  ...flags: string[]
): { status: number | null; stderr: string; stdout: string } {
  return spawnSync(process.execPath, [join(root, "scripts", "prepare.mjs"), ...flags], { encoding: "utf8" });
}

const built = (root: string, file: string): string => join(root, "dist", "lib", file);

test("design 3: prepare builds once, then again only when a source has changed, and clears what has no source", () => {
  const root = checkout(true);
  assert.equal(prepare(root).status, 0);
  assert.match(readFileSync(built(root, "a.js"), "utf8"), /a = 1/);
  assert.deepEqual(prepare(root).stderr, "", "a second run had something to do");
  writeFileSync(join(root, "lib", "a.ts"), "export const a = 2;\n");
  rmSync(join(root, "lib", "b.ts"));
  assert.equal(prepare(root).status, 0);
  assert.match(readFileSync(built(root, "a.js"), "utf8"), /a = 2/);
  assert.ok(
    !existsSync(built(root, "b.js")) && !existsSync(built(root, "b.d.ts")),
    "a file without a source is still there",
  );
});

test("design 3: prepare --force builds what looks up to date", () => {
  const root = checkout(true);
  assert.equal(prepare(root).status, 0);
  writeFileSync(built(root, "a.js"), "broken");
  assert.equal(prepare(root, "--force").status, 0);
  assert.match(readFileSync(built(root, "a.js"), "utf8"), /a = 1/);
});

test("design 3: an error of types fails prepare, and the next run tries again", () => {
  const root = checkout(true);
  writeFileSync(join(root, "lib", "a.ts"), "export const a: string = 1;\n");
  assert.equal(prepare(root).status, 1);
  assert.equal(prepare(root).status, 1);
});

test("design 3: without the development dependencies prepare says so on one line and breaks no install", () => {
  const root = checkout(false);
  const { status, stderr } = prepare(root);
  assert.equal(status, 0);
  assert.match(
    stderr,
    /^canonry: nothing is built \(not installed: typescript\), there is no dist; run `npm ci` .*\n$/,
  );
  writeTree(root, { "dist/lib/a.js": "export const a = 0;\n" });
  assert.match(prepare(root).stderr, /dist is left as it is\n$/);
  assert.equal(readFileSync(built(root, "a.js"), "utf8"), "export const a = 0;\n");
});

test("design 3: a TypeScript that --omit=dev left behind as somebody's optional peer is not taken for a whole install", () => {
  const root = checkout(true);
  writeTree(root, { "package.json": `{"type":"module","devDependencies":{"a-tool-that-is-not-there":"1"}}` });
  const { status, stderr } = prepare(root);
  assert.equal(status, 0);
  assert.match(stderr, /not installed: a-tool-that-is-not-there/);
  assert.ok(!existsSync(join(root, "dist")));
});

test("design 3: in a published package, which has no tsconfig, prepare has nothing to do", () => {
  const root = checkout(true);
  rmSync(join(root, "tsconfig.json"));
  const { status, stderr } = prepare(root);
  assert.equal(status, 0);
  assert.match(stderr, /nothing to compile/);
  assert.ok(!existsSync(join(root, "dist")));
});
