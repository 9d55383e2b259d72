import assert from "node:assert/strict";
import { closeSync, fstatSync, openSync, renameSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createContext } from "../../lib/core/context.ts";
import { sha256 } from "../../lib/core/hash.ts";
import type { MoveChange } from "../../lib/vault/change.ts";
import { sweepVault } from "../../lib/vault/sweep.ts";
import { openVault } from "../../lib/vault/vault.ts";
import { writeTree } from "../support/home.ts";
import type { Hook } from "./child.ts";
import { namesIn, objectText, openStage, pausedChild, put, runChild, TARGET, textOf } from "./stage.ts";

const QUARANTINED = "universal/quarantine/retry-flaky-test.md";

/** Opens the home as somebody who comes a while later. */
function openLater(home: string, seconds: number): string[] {
  const warnings: string[] = [];
  const log = { warn: (line: string) => void warnings.push(line), note() {} };
  const clock = () => Date.now() + seconds * 1_000;
  openVault({ home, context: createContext({ clock, log }) });
  return warnings;
}

function isOurTemp(name: string): boolean {
  return name.includes(".tmp-");
}

function move(to: "quarantine" | "canon", base: string, version: number): MoveChange {
  const [target, there] = to === "quarantine" ? [TARGET, QUARANTINED] : [QUARANTINED, TARGET];
  return {
    kind: "move",
    fingerprint: "*",
    name: "retry-flaky-test",
    target,
    to: there,
    base: sha256(base),
    by: "librarian",
    runId: "run-1",
    version,
    verdict: "verdict-1",
  };
}

test("T-R1 a process killed after its token, before or after its temporary file, leaves nothing after the next open", async () => {
  const points = [
    { call: "openSync", path: "canon/\\.retry-flaky-test\\.md\\.tmp-", when: "before" },
    { call: "openSync", path: "canon/\\.retry-flaky-test\\.md\\.tmp-", when: "after" },
    { call: "linkSync", path: "retry-flaky-test\\.2$", when: "before" },
    { call: "renameSync", path: "versions/objects/", when: "before" },
  ] as const;
  for (const point of points) {
    const { home, vault } = openStage();
    vault.commit(put("one\n", null, 1));
    const hook: Hook = { ...point, act: "die" };
    assert.deepEqual(await runChild({ home, change: put("two\n", "one\n", 2), hook }), {});
    openLater(home, 61);
    const left = ["universal/canon", "local/commit/universal", "local/temp"].flatMap((folder) =>
      namesIn(home, folder).filter(isOurTemp),
    );
    assert.deepEqual(left, [], `${point.call} ${point.path} ${point.when}`);
    assert.equal(textOf(home), "one\n");
    assert.equal(openVault({ home }).commit(put("three\n", "one\n", 2)).seq, 2);
  }
});

test("T-R1 a process killed while it tidied up after its change leaves no marks after the next open", () => {
  const { home, vault } = openStage();
  vault.commit(put("one\n", null, 1));
  const folder = "local/commit/universal";
  for (const mark of ["journal", "event2"]) writeTree(home, { [`${folder}/retry-flaky-test.1.${mark}`]: "" });
  openVault({ home });
  assert.deepEqual(namesIn(home, folder), ["retry-flaky-test.1", "retry-flaky-test.1.done"]);
});

test("P2 a process that slept while its token and its temporary file were swept begins again and wins", async () => {
  const { home, vault } = openStage();
  vault.commit(put("one\n", null, 1));
  const hook: Hook = { call: "linkSync", path: "retry-flaky-test\\.2$", when: "before", act: "wait" };
  const sleeper = await pausedChild({ home, change: put("two\n", "one\n", 2), hook });
  openLater(home, 61);
  assert.deepEqual(namesIn(home, "universal/canon"), ["retry-flaky-test.md"]);
  const outcome = await sleeper.go();
  assert.equal(outcome.result?.changed, true);
  assert.equal(textOf(home), "two\n");
  assert.deepEqual(namesIn(home, "universal/canon"), ["retry-flaky-test.md"]);
});

test("P3 a token is swept with its number: a killed loser's temporary file goes with it", async () => {
  const { home, vault } = openStage();
  vault.commit(put("one\n", null, 1));
  const hook: Hook = { call: "linkSync", path: "retry-flaky-test\\.2$", when: "before", act: "die" };
  await runChild({ home, change: put("loser\n", "one\n", 2), hook });
  const folder = "local/commit/universal";
  const [token = ""] = namesIn(home, folder).filter(isOurTemp);
  const held = openSync(join(home, folder, token), "r");
  vault.commit(put("two\n", "one\n", 2));
  assert.equal(
    fstatSync(held).nlink,
    0,
    "a file without a name: not even a link that has found it goes through",
  );
  closeSync(held);
  assert.deepEqual(namesIn(home, "local/commit/universal").filter(isOurTemp), [], "it can be linked no more");
  openLater(home, 61);
  assert.deepEqual(namesIn(home, "universal/canon"), ["retry-flaky-test.md"]);
  assert.deepEqual(namesIn(home, "local/temp"), []);
  assert.equal(textOf(home), "two\n");
});

test("P2 the token and temporary file of a claim that is still open are never swept, whatever their age", async () => {
  const { home, vault } = openStage();
  vault.commit(put("one\n", null, 1));
  const hook: Hook = { call: "linkSync", path: "retry-flaky-test\\.2$", when: "after", act: "die" };
  await runChild({ home, change: put("two\n", "one\n", 2), hook });
  const clock = () => Date.now() + 100_000_000;
  // by itself: whoever opens finishes the claim before it sweeps
  sweepVault({ layout: vault.layout, machine: vault.machine, context: createContext({ clock }) });
  assert.equal(namesIn(home, "universal/canon").filter(isOurTemp).length, 1);
  openVault({ home });
  assert.equal(textOf(home), "two\n");
});

test("P2 what a mover took away in its sleep and was killed over is put back by the next open", async () => {
  const { home, vault } = openStage();
  vault.commit(put("one\n", null, 1));
  // the sleeper has linked the text to its new place and is about to take the old name away
  const hook: Hook = { call: "renameSync", path: "local/kept/", when: "before", act: "wait" };
  const sleeper = await pausedChild({ home, change: move("quarantine", "one\n", 1), hook });
  openVault({ home });
  vault.commit(move("canon", "one\n", 1));
  assert.equal(textOf(home), "one\n", "the move was finished by others, and undone by a restore");
  const [claim] = namesIn(home, "local/commit/universal").filter((name) => name.endsWith(".done"));
  assert.equal(claim, "retry-flaky-test.3.done");
  writeTree(home, { "local/kept/.keep": "" });
  renameSync(
    join(home, TARGET),
    join(home, "local/kept/0123456789abcdef-moved-universal.retry-flaky-test-0123456789ab"),
  );
  const warnings = openLater(home, 61);
  assert.equal(textOf(home), "one\n", "the last claim says that it stands there");
  assert.equal(warnings.length, 1);
  assert.match(
    warnings[0] ?? "",
    /canon\/retry-flaky-test\.md was missing while a process was stopped or killed/,
  );
  await sleeper.go();
  assert.equal(textOf(home), "one\n");
  assert.equal(textOf(home, QUARANTINED), undefined);
});

test("P5 a folder that a killed mover left apart from its skill is put beside it by the next open", () => {
  const { home, vault } = openStage();
  writeTree(home, { "universal/canon/retry-flaky-test/references/more.md": "more\n" });
  vault.commit(put("one\n", null, 1));
  vault.commit(move("quarantine", "one\n", 1));
  vault.commit(move("canon", "one\n", 1));
  const folders = ["universal/canon/retry-flaky-test", "universal/quarantine/retry-flaky-test"] as const;
  // as a process leaves it that slept before its rename, woke when all was over, and was killed right after
  renameSync(join(home, folders[0]), join(home, folders[1]));
  const note = JSON.stringify({ fingerprint: "*", name: "retry-flaky-test", at: folders[1] });
  writeTree(home, { "local/kept/0123456789abcdef-folder-0123456789ab": `${note}\n` });
  openLater(home, 30);
  assert.deepEqual(namesIn(home, folders[1]), ["references"], "half a minute is no minute");
  openLater(home, 61);
  assert.equal(textOf(home, `${folders[0]}/references/more.md`), "more\n");
  assert.deepEqual(namesIn(home, "local/kept"), []);
  vault.commit(move("quarantine", "one\n", 1));
  writeTree(home, { "local/kept/0123456789abcdef-folder-0123456789ab": `${note}\n` });
  openLater(home, 61);
  assert.equal(textOf(home, `${folders[1]}/references/more.md`), "more\n", "there it belongs");
  vault.commit(move("canon", "one\n", 1));
  vault.commit(put("two\n", "one\n", 2));
  renameSync(join(home, folders[0]), join(home, folders[1]));
  writeTree(home, { "local/kept/0123456789abcdef-folder-0123456789ab": `${note}\n` });
  openLater(home, 61);
  assert.equal(textOf(home, `${folders[0]}/references/more.md`), "more\n", "after an update too");
  const hostile = JSON.stringify({ fingerprint: "*", name: "retry-flaky-test", at: "../../outside" });
  writeTree(home, { "local/kept/0123456789abcdef-folder-0123456789ab": hostile });
  openLater(home, 61);
  assert.deepEqual(namesIn(home, "local/kept"), []);
});

test("P3 a text that an editor goes on saving after it was replaced is filed whole once it is at rest", async () => {
  const { home, vault } = openStage();
  vault.commit(put("one\n", null, 1));
  const hook: Hook = { call: "linkSync", path: "retry-flaky-test\\.2$", when: "after", act: "wait" };
  const writer = await pausedChild({ home, change: put("two\n", "one\n", 2), hook });
  writeFileSync(join(home, TARGET), "half of the edi");
  const outcome = await writer.go();
  assert.equal(outcome.result?.keptEdit, sha256("half of the edi"));
  const [kept] = namesIn(home, "local/kept");
  writeFileSync(join(home, "local/kept", kept ?? ""), "half of the editor's text, and the rest\n");
  openLater(home, 61);
  assert.equal(
    objectText(home, sha256("half of the editor's text, and the rest\n")),
    "half of the editor's text, and the rest\n",
  );
  assert.equal(objectText(home, sha256("half of the edi")), "half of the edi");
  assert.deepEqual(namesIn(home, "local/kept"), []);
});

test("design 5: a stale turn stops nobody, and goes at the next open", () => {
  const { home, vault } = openStage();
  writeTree(home, { "local/turns/universal.retry-flaky-test.00000000000000-00000000": "" });
  utimesSync(join(home, "local/turns/universal.retry-flaky-test.00000000000000-00000000"), 0, 0);
  const target = { fingerprint: "*", name: "retry-flaky-test", target: TARGET };
  const parts = { by: "a", runId: "", version: 1, verdict: null };
  const result = vault.update(target, (found) => ({ ...parts, content: `${found ?? "none"}, then one\n` }));
  assert.equal(result.changed, true);
  assert.equal(textOf(home), "none, then one\n");
  assert.deepEqual(namesIn(home, "local/turns"), []);
  writeTree(home, { "local/turns/universal.other.00000000000000-00000000": "" });
  openLater(home, 61);
  assert.deepEqual(namesIn(home, "local/turns"), []);
});

test("design 5: what a killed restore had unpacked goes at an open an hour later, and not before", () => {
  const { home } = openStage();
  writeTree(home, { "local/.restore.tmp-1-0123456789ab/0": "a file of the archive" });
  openLater(home, 3_000);
  assert.deepEqual(namesIn(home, "local/.restore.tmp-1-0123456789ab"), ["0"]);
  openLater(home, 3_700);
  assert.deepEqual(namesIn(home, "local/.restore.tmp-1-0123456789ab"), []);
});

test("P3 an event is in the ledger once, however much others wrote while the one that had begun to write it was stopped", async () => {
  const { home, vault } = openStage();
  vault.commit(put("one\n", null, 1));
  const event = { event: "patched", name: "retry-flaky-test", run_id: "run-slept" } as const;
  const change = { ...put("two\n", "one\n", 2), event };
  const hook: Hook = { call: "openSync", path: "ledger/m-.*ndjson$", when: "before", act: "wait" };
  const sleeper = await pausedChild({ home, change, hook });
  const later = openVault({ home });
  const filler = { event: "applied", agent: "x".repeat(100), run_id: "filler" } as const;
  for (let n = 0; n < 2_000; n++) later.append(filler);
  assert.equal((await sleeper.go()).result?.finished, true);
  const lines = namesIn(home, "ledger").flatMap((file) => textOf(home, `ledger/${file}`)?.split("\n") ?? []);
  assert.ok(lines.join("\n").length > 400_000, "more than is looked at in haste");
  assert.equal(lines.filter((line) => line.includes("run-slept")).length, 1);
  assert.equal(lines.filter((line) => line.includes("filler")).length, 2_000);
});
