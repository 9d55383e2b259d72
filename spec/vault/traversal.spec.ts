import assert from "node:assert/strict";
import { test } from "node:test";
import { tryTraversal } from "../faults/hostile/traversal.ts";
import { temporaryFolder } from "../support/home.ts";
import { traversalStrings } from "./traversal-strings.ts";

test("T-S8 there are at least 22,918 distinct strings that try to leave a folder", () => {
  const strings = traversalStrings();
  assert.ok(strings.length >= 22_918, String(strings.length));
  assert.equal(new Set(strings).size, strings.length);
});

test("T-S8 none of every hundredth of them leads out, wherever a name or a path is taken", async () => {
  const rows = await tryTraversal(temporaryFolder(), { rules: 37, disk: 101, library: 499 });
  assert.deepEqual(
    rows.flatMap((row) => row.findings),
    [],
  );
  assert.ok(rows.length === 11 && rows.every((row) => row.trials > 0));
});
