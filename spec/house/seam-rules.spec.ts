import assert from "node:assert/strict";
import { test } from "node:test";
import type { Source } from "../support/architecture.ts";
import { checkSeam, type Seam } from "../support/seams.ts";

const seam: Seam = {
  folder: "drivers",
  registry: "drivers/registry.ts",
  conformance: "drivers/conformance.ts",
  docs: "docs/d.md",
};
const driver: Source = { path: "drivers/memory.ts", text: "export default 1;" };
const registry: Source = {
  path: "drivers/registry.ts",
  text: `export const all = { memory: () => import("./memory.ts") };`,
};
const spec: Source = {
  path: "drivers/memory.spec.ts",
  text: `import { run } from "../../lib/drivers/conformance.ts";\nimport open from "../../lib/drivers/memory.ts";`,
};
const row = "| `memory` | in memory |\n";

test("design 3: a seam that is whole has nothing to say", () => {
  assert.deepEqual(checkSeam(seam, [driver, registry], [spec], row), []);
});

test("design 3: an implementation without line, spec or row is named, and so is a double one", () => {
  const empty: Source = { path: "drivers/registry.ts", text: "export const all = {};" };
  assert.deepEqual(checkSeam(seam, [driver, empty], [], ""), [
    "lib/drivers/memory.ts has 0 lines in the registry",
    "lib/drivers/memory.ts has no spec that runs the conformance suite on it",
    "lib/drivers/memory.ts has 0 rows in docs/d.md",
  ]);
  const twice: Source = {
    path: "drivers/registry.ts",
    text: `import a from "./memory.ts";\nconst b = () => import("./memory.ts");`,
  };
  assert.deepEqual(checkSeam(seam, [driver, twice], [spec], row), [
    "lib/drivers/memory.ts has 2 lines in the registry",
  ]);
});

test("design 3: a spec that does not run the suite, or runs it on another driver, proves nothing", () => {
  const plain: Source = {
    path: "drivers/memory.spec.ts",
    text: `import open from "../../lib/drivers/memory.ts";`,
  };
  const other: Source = {
    path: "drivers/sqljs.spec.ts",
    text: `import { run } from "../../lib/drivers/conformance.ts";`,
  };
  assert.deepEqual(checkSeam(seam, [driver, registry], [plain, other], row), [
    "lib/drivers/memory.ts has no spec that runs the conformance suite on it",
  ]);
});

test("design 3: a registry line to a file that is no implementation is named", () => {
  const stray: Source = {
    path: "drivers/registry.ts",
    text: `import a from "./memory.ts";\nimport b from "./odd.ts";`,
  };
  assert.deepEqual(checkSeam(seam, [driver, stray], [spec], row), [
    "drivers/registry.ts lists lib/drivers/odd.ts, which has no default export",
  ]);
});

test("design 3: a seam without a registry is named", () => {
  assert.deepEqual(checkSeam(seam, [driver], [spec], row), ["lib/drivers/registry.ts is missing"]);
});
