import assert from "node:assert/strict";
import { test } from "node:test";
import { isCanonryError } from "../../lib/core/errors.ts";
import { namesIn, openStage, put, runChild, TARGET, textOf } from "./stage.ts";

const SKILL = { fingerprint: "*", name: "retry-flaky-test", target: TARGET };
const PARTS = { by: "librarian", runId: "", version: 2, verdict: null };

test("P3 of many processes that update one skill none loses a line", async () => {
  const { home } = openStage();
  const writers = ["a", "b", "c", "d", "e", "f"];
  await Promise.all(writers.map((line) => runChild({ home, update: { line, times: 10 } })));
  const lines = (textOf(home, "universal/canon/counted.md") ?? "").trimEnd().split("\n");
  const wanted = writers.flatMap((line) => Array.from({ length: 10 }, (_, n) => `${line} ${n + 1}`));
  assert.deepEqual(lines.toSorted(), wanted.toSorted());
  assert.equal(namesIn(home, "versions/universal/counted").length, 60);
  assert.deepEqual(namesIn(home, "local/turns"), []);
});

test("P3 an update whose text was replaced meanwhile is made again from what stands there", () => {
  const { home, vault } = openStage();
  vault.commit(put("one\n", null, 1));
  let calls = 0;
  const result = vault.update(SKILL, (found) => {
    if (++calls === 1) vault.commit(put("two\n", "one\n", 2));
    return { ...PARTS, version: 3, content: `${found}three\n` };
  });
  assert.equal(calls, 2);
  assert.equal(result.changed, true);
  assert.equal(textOf(home), "two\nthree\n");
});

test("P3 an update that finds nothing to do changes nothing, and what its maker throws comes out", () => {
  const { home, vault } = openStage();
  vault.commit(put("one\n", null, 1));
  const result = vault.update(SKILL, () => undefined);
  assert.equal(result.changed, false);
  assert.throws(
    () => vault.update(SKILL, () => ({ ...PARTS, version: -1, content: "x\n" })),
    (error: unknown) => isCanonryError(error, "CANONRY_INVALID_RECORD"),
  );
  assert.throws(
    () =>
      vault.update(SKILL, () => {
        throw new RangeError("mine");
      }),
    RangeError,
  );
  assert.equal(textOf(home), "one\n");
  assert.deepEqual(namesIn(home, "local/turns"), [], "a turn ends however it ends");
});
