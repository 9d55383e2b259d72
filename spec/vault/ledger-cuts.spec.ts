import assert from "node:assert/strict";
import { test } from "node:test";
import { temporaryFolder } from "../support/home.ts";
import { readCutLedger } from "./ledger-cuts.ts";

test("T-R6 a ledger of two hundred lines, cut at any place, delivers every whole line", () => {
  const { cuts, findings } = readCutLedger(temporaryFolder(), 200, 101);
  assert.deepEqual(findings, []);
  assert.ok(cuts > 400, String(cuts));
});
