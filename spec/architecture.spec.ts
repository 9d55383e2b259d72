import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  checkCycles,
  checkLayers,
  checkOpaque,
  checkPackages,
  checkShape,
  checkSizes,
  checkState,
  importsOf,
  type Problem,
} from "./support/architecture.ts";
import { FILE_LINES, FUNCTION_LINES } from "./support/import-table.ts";
import { sourcesBelow } from "./support/lib-sources.ts";
import { ROOT } from "./support/root.ts";

const lib = sourcesBelow("lib");

function none(problems: readonly Problem[]): void {
  assert.deepEqual(
    problems.map(({ path, line, rule, says }) => `lib/${path}:${line} ${rule}: ${says}`),
    [],
  );
}

test("design 3: there is something to check", () => {
  assert.ok(lib.length >= 25, `only ${lib.length} files were found below lib/`);
});

test("design 3: no file of lib/ imports from outside the table of layers", () => {
  none(checkLayers(lib));
});

test("design 3: a foreign package is imported in its one folder and nowhere else", () => {
  none([...checkPackages(lib), ...lib.flatMap(checkOpaque)]);
});

test("design 3: imports of code form no ring", () => {
  none(checkCycles(lib));
});

test("design 9: no file of lib/ is longer than 250 lines and no function longer than 60", () => {
  none(lib.flatMap((source) => checkSizes(source, FILE_LINES, FUNCTION_LINES)));
});

test("design 9: no folder without a subject, no barrel, no export *, a default export only in implementations of a seam", () => {
  none(lib.flatMap(checkShape));
});

test("design 3: no module of lib/ has state that changes, or does something when it is imported", () => {
  none(lib.flatMap(checkState));
});

test("S2.30 no source file of the project has more than 500 lines", () => {
  const long = ["lib", "spec", "bench", "scripts", "bin"].flatMap((folder) =>
    sourcesBelow(folder, /\.(?:ts|mjs)$/).flatMap((source) =>
      checkSizes(source, 500, Number.POSITIVE_INFINITY),
    ),
  );
  none(long);
});

test("design 3: what lib/ imports is what package.json declares, no more and no less", () => {
  const declared: unknown = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  assert.ok(typeof declared === "object" && declared !== null && "dependencies" in declared);
  const wanted = Object.keys(declared.dependencies ?? {}).sort();
  const literal = lib
    .flatMap(importsOf)
    .filter((one) => !one.ours && !one.typeOnly && !one.target.startsWith("node:"))
    .map((one) => one.target.match(/^(?:@[^/]+\/)?[^/]+/)?.[0] ?? one.target);
  // engines of sql.js's shape are loaded by a name that stands in a table
  const engines = lib
    .filter(({ path }) => path.startsWith("drivers/"))
    .flatMap(({ text }) => [...text.matchAll(/"(sql\.js)"/g)].map(([, name = ""]) => name));
  const used = [...literal, ...engines];
  assert.deepEqual([...new Set(used)].sort(), wanted);
});
