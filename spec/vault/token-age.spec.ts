import assert from "node:assert/strict";
import { readFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createContext } from "../../lib/core/context.ts";
import { sweepVault } from "../../lib/vault/sweep.ts";
import { openVault } from "../../lib/vault/vault.ts";
import { writeTree } from "../support/home.ts";
import { namesIn, openStage, pausedChild, put, textOf } from "./stage.ts";

const SPACE = "local/commit/universal";
const isTemp = (name: string) => name.includes(".tmp-");

test("T-R1 a token, a token taken away, a temporary file and a turn go when they are 60 s old, not a millisecond before", () => {
  const { home, vault } = openStage();
  vault.commit(put("one\n", null, 1));
  const left = {
    [`${SPACE}/.retry-flaky-test.2.tmp-1-0123456789ab`]: "{",
    [`${SPACE}/.other.7.tmp-1-0123456789ab`]: "",
    "local/temp/.retry-flaky-test.9.tmp-1-0123456789ab": "{",
    "local/temp/.object.tmp-1-0123456789ab": "half",
    "local/turns/universal.other.00000000000000-00000000": "",
    "local/.vault.json.tmp-1-0123456789ab": "",
    ".index.sqlite.tmp-1-0123456789ab": "",
  };
  const bornMs = 1_700_000_000_000;
  writeTree(home, left);
  for (const path of Object.keys(left)) utimesSync(join(home, path), bornMs / 1_000, bornMs / 1_000);
  const sweepAt = (nowMs: number) =>
    sweepVault({
      layout: vault.layout,
      machine: vault.machine,
      context: createContext({ clock: () => nowMs }),
    });
  const standing = () => Object.keys(left).filter((path) => textOf(home, path) !== undefined);
  for (const age of [-1, 0, 1_000, 59_999]) {
    sweepAt(bornMs + age);
    assert.deepEqual(standing(), Object.keys(left), `${age} ms old`);
  }
  sweepAt(bornMs + 60_000);
  // a token that was taken away leaves a copy, which says what its temporary file was and goes in its turn
  assert.deepEqual(standing(), []);
});

test("P2 somebody who opens the home meanwhile takes neither token nor temporary file from a change that is under way", async () => {
  const { home, vault } = openStage();
  vault.commit(put("one\n", null, 1));
  const hook = { call: "linkSync", path: "retry-flaky-test\\.2$", when: "before", act: "wait" } as const;
  const writer = await pausedChild({ home, change: put("two\n", "one\n", 2), hook });
  const before = [namesIn(home, SPACE), namesIn(home, "universal/canon")];
  assert.deepEqual(
    before.map((names) => names.filter(isTemp).length),
    [1, 1],
  );
  const [token = ""] = namesIn(home, SPACE).filter(isTemp);
  const { id } = JSON.parse(readFileSync(join(home, SPACE, token), "utf8")) as { id: string };
  const clock = () => Date.now() + 30_000;
  openVault({ home, context: createContext({ clock }) }).close();
  assert.deepEqual([namesIn(home, SPACE), namesIn(home, "universal/canon")], before);
  assert.equal((await writer.go()).result?.changed, true);
  const claim = JSON.parse(readFileSync(join(home, SPACE, "retry-flaky-test.2"), "utf8")) as { id: string };
  assert.equal(claim.id, id, "the very token was linked: nobody had to begin again");
  assert.equal(textOf(home), "two\n");
});
