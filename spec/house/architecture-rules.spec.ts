import assert from "node:assert/strict";
import { test } from "node:test";
import {
  checkCycles,
  checkLayers,
  checkOpaque,
  checkPackages,
  checkShape,
  checkSizes,
  checkState,
  type Problem,
  type Source,
} from "../support/architecture.ts";

const file = (path: string, text: string): Source => ({ path, text });
const rules = (problems: readonly Problem[]): string[] =>
  problems.map((one) => `${one.rule} ${one.path}:${one.line}`);

test("design 3: an import against the table is found, static or lazy, of a value or by re-export", () => {
  const sources = [
    file("core/text.ts", `import { a } from "../schema/skill.ts";`),
    file(
      "retrieval/search.ts",
      `const load = () => import("../drivers/sqljs.ts");\nexport { x } from "../markdown/portable.ts";`,
    ),
    file("vault/space.ts", `import "../drivers/driver.ts";`),
    file("odd/thing.ts", `import { a } from "../core/text.ts";`),
    file("core/out.ts", `import { a } from "../../scripts/x.ts";`),
  ];
  assert.deepEqual(rules(checkLayers(sources)), [
    "layer core/text.ts:1",
    "layer retrieval/search.ts:1",
    "layer retrieval/search.ts:2",
    "layer vault/space.ts:1",
    "layer odd/thing.ts:1",
    "layer core/out.ts:1",
  ]);
});

test("design 3: what the table allows passes, and one allowed file opens no folder", () => {
  const sources = [
    file(
      "indexing/sync.ts",
      `import { open } from "../drivers/driver.ts";\nimport { a } from "../vault/x.ts";\nimport { b } from "./other.ts";`,
    ),
    file("drivers/driver.ts", "export const open = 1;"),
  ];
  assert.deepEqual(checkLayers(sources), []);
  assert.deepEqual(
    rules(checkLayers([file("indexing/sync.ts", `import { r } from "../drivers/registry.ts";`)])),
    ["layer indexing/sync.ts:1"],
  );
});

test("design 3: type-only imports are free from a contract, and from nothing else", () => {
  const contract = file(
    "vault/place.ts",
    `import type { A } from "./a.ts";\nexport interface Place { id: string }\nexport type B = A;`,
  );
  const code = file(
    "vault/walk.ts",
    "export interface Found { id: string }\nexport function walk(): void {}",
  );
  const types = `import type { Place } from "../vault/place.ts";\nimport { type Found } from "../vault/walk.ts";`;
  assert.deepEqual(rules(checkLayers([contract, code, file("drivers/memory.ts", types)])), [
    "layer drivers/memory.ts:2",
  ]);
  assert.deepEqual(
    rules(checkLayers([contract, file("drivers/memory.ts", `import { Place } from "../vault/place.ts";`)])),
    ["layer drivers/memory.ts:1"],
  );
});

test("design 3: a foreign package outside its folder, without a row, and a bare name of Node are found", () => {
  const sources = [
    file("schema/skill.ts", `import * as v from "valibot";`),
    file("vault/a.ts", `import * as v from "valibot";`),
    file("vault/b.ts", `import { unified } from "unified";\nimport type { Root } from "mdast";`),
    file("indexing/c.ts", `const sql = () => import("@sqlite.org/sqlite-wasm/node");`),
    file("cli/d.ts", `import fs from "fs";\nimport { join } from "node:path";\nimport chalk from "chalk";`),
  ];
  assert.deepEqual(rules(checkPackages(sources)), [
    "package vault/a.ts:1",
    "package vault/b.ts:1",
    "package vault/b.ts:2",
    "package indexing/c.ts:1",
    "package cli/d.ts:1",
    "package cli/d.ts:3",
  ]);
});

test("design 3: a lazy import of a name made at run time is found, but for the engines of drivers", () => {
  const text = "const load = (name: string) => import(name);\nconst one = () => import('node:fs');";
  assert.deepEqual(rules(checkOpaque(file("cli/a.ts", text))), ["opaque-import cli/a.ts:1"]);
  assert.deepEqual(checkOpaque(file("drivers/sqljs/a.ts", text)), []);
});

test("design 3: a ring of imports is found and named, lazy across folders too; a ring of types is none", () => {
  const ring = [
    file("core/a.ts", `import "./b.ts";`),
    file("core/b.ts", `export { x } from "../vault/c.ts";`),
    file("vault/c.ts", `const f = () => import("../core/a.ts");`),
  ];
  assert.deepEqual(
    checkCycles(ring).map((one) => one.says),
    ["core/a.ts → core/b.ts → vault/c.ts → core/a.ts"],
  );
  const table = file("cli/table.ts", `const f = () => import("./help.ts");`);
  assert.deepEqual(checkCycles([table, file("cli/help.ts", `import { a } from "./table.ts";`)]), []);
  const types = file("core/a.ts", `import type { X } from "./b.ts";`);
  assert.deepEqual(checkCycles([types, file("core/b.ts", `import "./a.ts";`)]), []);
});

test("design 9: a file of 251 lines and a function of 61 are found, 250 and 60 are not", () => {
  const lines = (n: number): string => `${"//\n".repeat(n - 1)}//\n`;
  assert.deepEqual(checkSizes(file("core/a.ts", lines(250)), 250, 60), []);
  assert.deepEqual(rules(checkSizes(file("core/a.ts", lines(251)), 250, 60)), ["file-size core/a.ts:1"]);
  const body = (n: number): string =>
    `/** why\n * and how */\nexport const f = (): void => {\n${"  f();\n".repeat(n - 2)}};\n`;
  assert.deepEqual(checkSizes(file("core/a.ts", body(60)), 250, 60), []);
  assert.deepEqual(rules(checkSizes(file("core/a.ts", body(61)), 250, 60)), ["function-size core/a.ts:3"]);
});

test("design 9: folders without a subject, barrels, export * and stray default exports are found", () => {
  assert.deepEqual(rules(checkShape(file("core/utils/a.ts", "export const a = 1;"))), [
    "folder core/utils/a.ts:1",
  ]);
  assert.deepEqual(rules(checkShape(file("core/helpers.ts", "export const a = 1;"))), [
    "folder core/helpers.ts:1",
  ]);
  assert.deepEqual(
    rules(checkShape(file("core/all.ts", `export { a } from "./a.ts";\nexport { b } from "./b.ts";`))),
    ["barrel core/all.ts:1"],
  );
  assert.deepEqual(rules(checkShape(file("core/index.ts", "export const a = 1;"))), [
    "barrel core/index.ts:1",
  ]);
  assert.deepEqual(
    rules(
      checkShape(
        file(
          "index.ts",
          `export { a } from "./core/a.ts";\nexport * from "./core/b.ts";\nexport * as c from "./core/c.ts";`,
        ),
      ),
    ),
    ["export-star index.ts:2", "export-star index.ts:3"],
  );
  const four = [
    "export default 1;",
    "export default function f() {}",
    "const a = 1;\nexport { a as default };",
    "export default class {}",
  ];
  for (const text of four) {
    assert.deepEqual(
      checkShape(file("vault/a.ts", text)).map((one) => one.rule),
      ["default-export"],
      text,
    );
    assert.deepEqual(checkShape(file("drivers/a.ts", text)), []);
  }
  assert.deepEqual(rules(checkShape(file("drivers/registry.ts", "export default 1;"))), [
    "default-export drivers/registry.ts:1",
  ]);
});

test("design 3: state of a module that can change is found", () => {
  const changing = [
    "let open = 0;",
    "var open = 0;",
    "export let open = 0;",
    "const seen = new Map<string, number>();\nexport function f(): void {\n  seen.set('a', 1);\n}",
    "const seen: string[] = [];\nexport const f = (): number => seen.push('a');",
    "const cache: { text?: string } = {};\nexport function f(): void {\n  cache.text = 'a';\n}",
    "const count = { n: 0 };\nexport const f = (): number => count.n++;",
    "export const NAMES = ['a'];",
    "export const TABLE = { a: 1 };",
    "export const SEEN = new Set(['a']);",
  ];
  for (const text of changing)
    assert.deepEqual(
      checkState(file("core/a.ts", text)).map((one) => one.rule),
      ["module-state"],
      text,
    );
  const constant = [
    "const STOP = new Set(['a']);\nexport const f = (word: string): boolean => STOP.has(word);",
    "export const NAMES = ['a'] as const;",
    "export const TABLE = Object.freeze({ a: 1 });",
    "export const TABLE: Readonly<Record<string, number>> = { a: 1 };",
    "export const LIST: readonly string[] = ['a'];",
    "const found = 1;\nexport function f(): string[] {\n  const found: string[] = [];\n  found.push('a');\n  return found;\n}",
  ];
  for (const text of constant) assert.deepEqual(checkState(file("core/a.ts", text)), [], text);
});

test("design 3: a statement that runs at import is found, but for the program of a worker", () => {
  const running = [
    "console.log(1);",
    "if (a) b();",
    "await f();",
    "for (const a of b) c(a);",
    "try {\n} catch {}",
    `process.on("exit", f);`,
  ];
  for (const text of running) {
    assert.deepEqual(
      checkState(file("vault/a.ts", text)).map((one) => one.rule),
      ["side-effect"],
      text,
    );
    assert.deepEqual(checkState(file("retrieval/regex-worker.ts", text)), []);
  }
});
