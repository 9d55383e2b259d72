import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { sourcesBelow } from "./support/lib-sources.ts";
import { ROOT } from "./support/root.ts";
import { checkSeam, implementationsOf, SEAMS } from "./support/seams.ts";

const lib = sourcesBelow("lib");
const specs = sourcesBelow("spec");

/** What each seam holds today; a new implementation adds its name here and nowhere else in this file. */
const TODAY: Readonly<Record<string, readonly string[]>> = {
  drivers: ["memory", "sqljs"],
  markdown: ["candidate", "canon", "portable", "reference"],
};

for (const seam of SEAMS) {
  test(`design 3: each file of the seam ${seam.folder} has one registry line, a conformance spec and one docs row`, () => {
    const file = join(ROOT, seam.docs);
    assert.deepEqual(checkSeam(seam, lib, specs, existsSync(file) ? readFileSync(file, "utf8") : ""), []);
  });

  test(`design 3: the seam ${seam.folder} holds the implementations that this version promises`, () => {
    const names = implementationsOf(seam, lib).map((path) => path.replace(/^.*\/|\.ts$/g, ""));
    assert.deepEqual(names.sort(), TODAY[seam.folder]);
  });
}
