import assert from "node:assert/strict";
import { linkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { sha256 } from "../../lib/core/hash.ts";
import type { MoveChange } from "../../lib/vault/change.ts";
import { openVault } from "../../lib/vault/vault.ts";
import { writeTree } from "../support/home.ts";
import { namesIn, objectText, openStage, pausedChild, put, runChild, TARGET, textOf } from "./stage.ts";

const HIDDEN = "universal/quarantine/retry-flaky-test.md";

function move(target: string, to: string, base: string): MoveChange {
  const { fingerprint, name, by, runId, version, verdict } = put("", null, 1);
  return { kind: "move", fingerprint, name, by, runId, version, verdict, target, to, base: sha256(base) };
}

test("P5 quarantine moves a skill with its files and one move brings all of it back", () => {
  const { home, vault } = openStage();
  vault.commit(put("one\n", null, 1));
  writeTree(home, { "universal/canon/retry-flaky-test/references/why.md": "why\n" });
  assert.deepEqual(vault.commit(move(TARGET, HIDDEN, "one\n")), {
    changed: true,
    bytesHash: null,
    seq: 2,
    finished: true,
  });
  assert.deepEqual(namesIn(home, "universal/canon"), []);
  assert.equal(textOf(home, HIDDEN), "one\n");
  assert.equal(textOf(home, "universal/quarantine/retry-flaky-test/references/why.md"), "why\n");
  vault.commit(move(HIDDEN, TARGET, "one\n"));
  assert.equal(textOf(home), "one\n");
  assert.equal(textOf(home, "universal/canon/retry-flaky-test/references/why.md"), "why\n");
  assert.deepEqual(namesIn(home, "universal/quarantine"), []);
  assert.deepEqual(namesIn(home, "local/kept"), []);
});

test("P5 a skill that a killed mover left under both names can be moved, and stands under one", () => {
  const { home, vault } = openStage();
  vault.commit(put("one\n", null, 1));
  writeTree(home, { [`${HIDDEN}.keep`]: "" });
  linkSync(join(home, TARGET), join(home, HIDDEN));
  vault.commit(move(TARGET, HIDDEN, "one\n"));
  assert.equal(textOf(home), undefined);
  assert.equal(textOf(home, HIDDEN), "one\n");
});

test("P3 the second name that a mover gives a text in its sleep is no text to make a change from", () => {
  const { home, vault } = openStage();
  vault.commit(put("one\n", null, 1));
  vault.commit(move(TARGET, HIDDEN, "one\n"));
  linkSync(join(home, HIDDEN), join(home, TARGET));
  const conflict = { code: "CANONRY_CONFLICT" };
  assert.throws(() => vault.commit(put("two\n", "one\n", 2)), conflict, "it is in quarantine");
  vault.commit(move(HIDDEN, TARGET, "one\n"));
  linkSync(join(home, TARGET), join(home, HIDDEN));
  assert.throws(() => vault.commit(move(HIDDEN, TARGET, "one\n")), conflict, "it was restored");
  assert.equal(vault.commit(put("two\n", "one\n", 2)).changed, true);
  assert.equal(textOf(home), "two\n");
});

test("P5 a move never lands on what is there: nothing moves and the conflict names it", () => {
  const { home, vault } = openStage();
  vault.commit(put("one\n", null, 1));
  writeTree(home, { [HIDDEN]: "an older one\n" });
  assert.throws(
    () => vault.commit(move(TARGET, HIDDEN, "one\n")),
    (error: Error & { code?: string; data?: { found?: string } }) => {
      assert.equal(error.code, "CANONRY_CONFLICT");
      assert.equal(error.data?.found, sha256("an older one\n"));
      return true;
    },
  );
  assert.equal(textOf(home), "one\n");
  assert.equal(textOf(home, HIDDEN), "an older one\n");
});

test("P3 a move of a text that was changed meanwhile is a conflict", () => {
  const { home, vault } = openStage();
  vault.commit(put("two\n", null, 1));
  assert.throws(() => vault.commit(move(TARGET, HIDDEN, "one\n")), { code: "CANONRY_CONFLICT" });
  assert.equal(textOf(home), "two\n");
});

test("P2 a move that was killed half way is finished by the next process", async () => {
  for (const [call, path, when] of [
    ["linkSync", "commit/universal/retry-flaky-test\\.2$", "after"],
    ["linkSync", "quarantine/retry-flaky-test\\.md$", "after"],
    ["renameSync", "local/kept/", "after"],
    ["renameSync", "quarantine/retry-flaky-test$", "before"],
    ["renameSync", "quarantine/retry-flaky-test$", "after"],
  ] as const) {
    const { home, vault } = openStage();
    vault.commit(put("one\n", null, 1));
    writeTree(home, { "universal/canon/retry-flaky-test/run.sh": "run\n" });
    assert.deepEqual(
      await runChild({ home, change: move(TARGET, HIDDEN, "one\n"), hook: { call, path, when, act: "die" } }),
      {},
      path,
    );
    openVault({ home });
    assert.equal(textOf(home, HIDDEN), "one\n", path);
    assert.equal(textOf(home, "universal/quarantine/retry-flaky-test/run.sh"), "run\n", path);
    assert.deepEqual(namesIn(home, "universal/canon"), [], path);
  }
});

test("P5 a process that slept in a quarantine does not undo the restore that came after it", async () => {
  for (const [call, path] of [
    ["linkSync", "quarantine/retry-flaky-test\\.md$"],
    ["renameSync", "local/kept/"],
  ] as const) {
    const { home, vault } = openStage();
    vault.commit(put("one\n", null, 1));
    const sleeper = await pausedChild({
      home,
      change: move(TARGET, HIDDEN, "one\n"),
      hook: { call, path, when: "before", act: "wait" },
    });
    vault.commit(move(HIDDEN, TARGET, "one\n"));
    await sleeper.go();
    assert.equal(textOf(home), "one\n", path);
    assert.equal(textOf(home, HIDDEN), undefined, path);
  }
});

test("P3 a text saved under the old name while it moves is kept", async () => {
  const { home, vault } = openStage();
  vault.commit(put("one\n", null, 1));
  const hook = { call: "renameSync", path: "local/kept/", when: "before", act: "wait" } as const;
  const mover = await pausedChild({ home, change: move(TARGET, HIDDEN, "one\n"), hook });
  const { unlinkSync, writeFileSync } = await import("node:fs");
  unlinkSync(`${home}/${TARGET}`);
  writeFileSync(`${home}/${TARGET}`, "the editor's\n");
  assert.equal((await mover.go()).result?.keptEdit, sha256("the editor's\n"));
  assert.equal(objectText(home, sha256("the editor's\n")), "the editor's\n");
  assert.equal(textOf(home, HIDDEN), "one\n");
});
