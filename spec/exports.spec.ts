import assert from "node:assert/strict";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ROOT } from "./support/root.ts";

interface Target {
  readonly types: string;
  readonly default: string;
}

interface Manifest {
  readonly name: string;
  readonly type: string;
  readonly engines: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, Target | string>>;
  readonly bin: Readonly<Record<string, string>>;
  readonly files: readonly string[];
}

const manifest: Manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
const targets = Object.entries(manifest.exports).filter(
  (entry): entry is [string, Target] => typeof entry[1] !== "string",
);

/** Everything that `import … from "canonry"` offers at run time. A change here is a change for every caller: CHANGELOG. */
const PUBLIC_KEYS: readonly string[] = [
  "CanonryError",
  "DIAGNOSTIC_CODES",
  "ERROR_CODES",
  "LIMITS",
  "createRegistry",
  "isCanonryError",
  "openLibrary",
];

/** Imports by the package's own name, as a stranger would; the name is not known to the compiler. */
async function importAs(specifier: string): Promise<Readonly<Record<string, unknown>>> {
  return import(specifier);
}

test("design 3: the package offers exactly these doors", () => {
  assert.deepEqual(Object.keys(manifest.exports), [
    ".",
    "./drivers/memory",
    "./drivers/sqljs",
    "./conformance/driver",
    "./conformance/format",
    "./package.json",
  ]);
  assert.equal(manifest.name, "canonry");
  assert.equal(manifest.type, "module");
  assert.deepEqual(manifest.engines, { node: ">=20.19" });
});

test("design 3: behind every door stand built files, types first, and no pattern opens the rest", () => {
  for (const [door, target] of targets) {
    assert.ok(!door.includes("*"), `${door} is a pattern`);
    assert.deepEqual(Object.keys(target), ["types", "default"], door);
    for (const file of Object.values(target))
      assert.ok(existsSync(join(ROOT, file)), `${door}: ${file} is not built`);
  }
});

test("design 3: every door opens by the package's name", async () => {
  for (const [door] of targets) {
    const keys = Object.keys(await importAs(`canonry${door.slice(1)}`));
    assert.ok(keys.length > 0, `${door} offers nothing`);
  }
});

test("design 3: what stands behind no door cannot be imported", async () => {
  for (const path of [
    "canonry/dist/lib/core/text.js",
    "canonry/lib/core/text.ts",
    "canonry/drivers",
    "canonry/core/text",
  ]) {
    await assert.rejects(importAs(path), { code: "ERR_PACKAGE_PATH_NOT_EXPORTED" }, path);
  }
});

test("design 3: the import offers exactly the public names, none of them by default", async () => {
  assert.deepEqual(Object.keys(await importAs("canonry")).sort(), PUBLIC_KEYS);
});

test("design 3: every value that the import offers is a function, a class or frozen", async () => {
  for (const [name, value] of Object.entries(await importAs("canonry"))) {
    const safe = typeof value === "function" || Object.isFrozen(value);
    assert.ok(safe, `${name} could be changed by any caller`);
  }
});

test("cli.md: both bins are there, can be run and need no build step to be read", () => {
  assert.deepEqual(manifest.bin, { canonry: "bin/canonry.mjs", "canonry-reindex": "bin/reindex.mjs" });
  for (const file of Object.values(manifest.bin)) {
    const path = join(ROOT, file);
    assert.match(
      readFileSync(path, "utf8"),
      /^#!\/usr\/bin\/env node\n/,
      `${file} has no first line for the shell`,
    );
    if (process.platform !== "win32")
      assert.equal(statSync(path).mode & 0o111, 0o111, `${file} cannot be run`);
  }
});

test("design 3: what is published exists", () => {
  for (const path of manifest.files)
    assert.ok(existsSync(join(ROOT, path)), `${path} is in "files" and not there`);
});
