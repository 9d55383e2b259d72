import assert from "node:assert/strict";
import { chmodSync, mkdirSync, renameSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { sha256 } from "../../lib/core/hash.ts";
import { openVault } from "../../lib/vault/vault.ts";
import { temporaryFolder, writeTree } from "../support/home.ts";
import { namesIn, objectText, openStage, pausedChild, put, runChild, TARGET, textOf } from "./stage.ts";

const isConflict = (error: unknown) =>
  error instanceof Error && "code" in error && error.code === "CANONRY_CONFLICT";

test("design 5: a commit leaves the text, its version, one journal line, one event and one finished claim", () => {
  const { home, vault } = openStage();
  const change = put("one\n", null, 1, {
    journal: "promote   retry-flaky-test — seen twice",
    event: { event: "promoted", fingerprint: "*", skill: "retry-flaky-test", version: 1 },
  });
  const result = vault.commit(change);
  assert.deepEqual(result, { changed: true, bytesHash: sha256("one\n"), seq: 1, finished: true });
  assert.equal(textOf(home), "one\n");
  assert.equal(objectText(home, sha256("one\n")), "one\n");
  const [manifest] = namesIn(home, "versions/universal/retry-flaky-test");
  assert.equal(manifest, `1-${sha256("one\n").slice(0, 8)}.json`);
  const version = JSON.parse(textOf(home, `versions/universal/retry-flaky-test/${manifest}`) ?? "");
  assert.deepEqual(
    [version.parent, version.by, version.runId, version.verdict],
    [null, "librarian", "run-1", "verdict-1"],
  );
  assert.match(
    textOf(home, "LIBRARIAN.md") ?? "",
    /^promote {3}retry-flaky-test — seen twice \^[0-9a-f]{16}\n$/,
  );
  assert.deepEqual(
    vault.readLedger({}).events.map((event) => event.event),
    ["promoted"],
  );
  assert.deepEqual(namesIn(home, "local/commit/universal"), [
    "retry-flaky-test.1",
    "retry-flaky-test.1.done",
  ]);
  assert.deepEqual(namesIn(home, "universal/canon"), ["retry-flaky-test.md"]);
});

test("C15 the bytes that stand there already change nothing, bump nothing and count nothing", () => {
  const { home, vault } = openStage();
  vault.commit(put("one\n", null, 1));
  const again = vault.commit(put("one\n", "one\n", 2, { event: { event: "patched" }, journal: "patch" }));
  assert.deepEqual(again, { changed: false, bytesHash: sha256("one\n"), seq: null, finished: true });
  assert.equal(namesIn(home, "versions/universal/retry-flaky-test").length, 1);
  assert.deepEqual(vault.readLedger({}).events, []);
  assert.equal(textOf(home, "LIBRARIAN.md"), undefined);
});

test("P3 a change made from another text is a conflict that names both and keeps the loser's", () => {
  const { home, vault } = openStage();
  writeTree(home, { [TARGET]: "by hand\n" });
  assert.throws(
    () => vault.commit(put("mine\n", "what I read\n", 2)),
    (error: unknown) => {
      assert.ok(isConflict(error) && error instanceof Error && "data" in error);
      assert.deepEqual(error.data, {
        target: TARGET,
        expected: sha256("what I read\n"),
        found: sha256("by hand\n"),
        keptAt: join(home, "versions/objects", sha256("mine\n").slice(0, 2), sha256("mine\n")),
      });
      return true;
    },
  );
  assert.equal(textOf(home), "by hand\n");
  assert.equal(objectText(home, sha256("mine\n")), "mine\n");
});

test("P3 of two processes that hold one base exactly one wins, and both texts are kept", async () => {
  const { home, vault } = openStage();
  vault.commit(put("base\n", null, 1));
  const hook = {
    call: "linkSync",
    path: "local/commit/universal/retry-flaky-test\\.2$",
    when: "before",
    act: "wait",
  } as const;
  const a = await pausedChild({ home, change: put("text of a\n", "base\n", 2), hook });
  const b = await pausedChild({ home, change: put("text of b\n", "base\n", 2), hook });
  const outcomes = await Promise.all([a.go(), b.go()]);
  assert.deepEqual(outcomes.map((one) => one.code ?? "won").sort(), ["CANONRY_CONFLICT", "won"]);
  const winner = outcomes[0]?.code === undefined ? "text of a\n" : "text of b\n";
  assert.equal(textOf(home), winner);
  for (const text of ["base\n", "text of a\n", "text of b\n"])
    assert.equal(objectText(home, sha256(text)), text);
  const loser = outcomes.find((one) => one.code !== undefined);
  assert.equal(loser?.data?.found, sha256(winner));
  assert.deepEqual(namesIn(home, "universal/canon"), ["retry-flaky-test.md"]);
});

test("P3 a process that slept while its number was used and swept is told of the conflict and changes nothing", async () => {
  const { home, vault } = openStage();
  vault.commit(put("one\n", null, 1));
  const hook = {
    call: "linkSync",
    path: "local/commit/universal/retry-flaky-test\\.2$",
    when: "before",
    act: "wait",
  } as const;
  const sleeper = await pausedChild({ home, change: put("late\n", "one\n", 2), hook });
  vault.commit(put("two\n", "one\n", 2));
  vault.commit(put("three\n", "two\n", 3));
  assert.ok(
    !namesIn(home, "local/commit/universal").includes("retry-flaky-test.2"),
    "the sleeper's number is free again",
  );
  const outcome = await sleeper.go();
  assert.equal(outcome.code, "CANONRY_CONFLICT");
  assert.equal(textOf(home), "three\n");
  assert.equal(objectText(home, sha256("late\n")), "late\n");
  assert.equal(vault.commit(put("four\n", "three\n", 4)).seq, 4);
  assert.deepEqual(namesIn(home, "local/commit/universal"), [
    "retry-flaky-test.4",
    "retry-flaky-test.4.done",
  ]);
});

test("P3 a late claim that is not withdrawn yet is never carried out by another process", async () => {
  const { home, vault } = openStage();
  vault.commit(put("one\n", null, 1));
  const call = "local/commit/universal/retry-flaky-test\\.2$";
  const sleeper = await pausedChild({
    home,
    change: put("late\n", "one\n", 2),
    hook: { call: "linkSync", path: call, when: "before", act: "wait" },
  });
  vault.commit(put("two\n", "one\n", 2));
  vault.commit(put("three\n", "two\n", 3));
  writeTree(home, { "local/commit/universal/retry-flaky-test.2": "a late claim stands here" });
  assert.deepEqual(openVault({ home }).finishClaims(), []);
  assert.equal((await sleeper.go()).code, "CANONRY_CONFLICT");
  assert.equal(textOf(home), "three\n");
});

test("design 5: a claim that another process finished and overtook counts as won when its maker wakes", async () => {
  const { home, vault } = openStage();
  vault.commit(put("one\n", null, 1));
  const hook = {
    call: "linkSync",
    path: "local/commit/universal/retry-flaky-test\\.2$",
    when: "after",
    act: "wait",
  } as const;
  const sleeper = await pausedChild({ home, change: put("two\n", "one\n", 2), hook });
  assert.throws(() => vault.commit(put("mine\n", "one\n", 2)), isConflict);
  assert.equal(textOf(home), "two\n", "who comes next finishes the last claim first");
  vault.commit(put("three\n", "two\n", 3));
  const outcome = await sleeper.go();
  assert.equal(outcome.result?.changed, true);
  assert.equal(textOf(home), "three\n");
  assert.equal(namesIn(home, "versions/universal/retry-flaky-test").length, 3);
});

test("P2 what was acknowledged survives a kill at any step, and is finished once by the next process", async () => {
  const points = [
    { call: "linkSync", path: "local/commit/universal/retry-flaky-test\\.1$", when: "after" },
    { call: "renameSync", path: "canon/retry-flaky-test\\.md$", when: "before" },
    { call: "renameSync", path: "canon/retry-flaky-test\\.md$", when: "after" },
    { call: "linkSync", path: "versions/universal/retry-flaky-test/2-", when: "before" },
    { call: "linkSync", path: "versions/universal/retry-flaky-test/2-", when: "after" },
    { call: "openSync", path: "\\.1\\.journal$", when: "before" },
    { call: "openSync", path: "\\.1\\.journal$", when: "after" },
    { call: "openSync", path: "\\.1\\.event$", when: "after" },
    { call: "openSync", path: "LIBRARIAN\\.md$", when: "after" },
    { call: "openSync", path: "ledger/.*ndjson$", when: "before" },
    { call: "unlinkSync", path: "local/commit/universal/\\.retry", when: "before" },
    { call: "openSync", path: "\\.1\\.done$", when: "before" },
    { call: "openSync", path: "\\.1\\.done$", when: "after" },
  ] as const;
  for (const point of points) {
    const { home } = openStage();
    writeTree(home, { [TARGET]: "by hand\n" });
    const change = put("new\n", "by hand\n", 2, {
      journal: "patch retry-flaky-test — clearer",
      event: { event: "patched", fingerprint: "*", skill: "retry-flaky-test", version: 2 },
    });
    const said = `killed ${point.when} ${point.call} ${point.path}`;
    assert.deepEqual(await runChild({ home, change, hook: { ...point, act: "die" } }), {}, said);
    const next = openVault({ home });
    openVault({ home }).finishClaims();
    assert.equal(textOf(home), "new\n", said);
    assert.deepEqual(namesIn(home, "universal/canon"), ["retry-flaky-test.md"], said);
    assert.equal(
      textOf(home, "LIBRARIAN.md")?.match(/^patch retry-flaky-test — clearer \^[0-9a-f]{16}$/gm)?.length,
      1,
      said,
    );
    assert.equal(next.readLedger({}).events.filter((event) => event.event === "patched").length, 1, said);
    const versions = namesIn(home, "versions/universal/retry-flaky-test").filter(
      (name) => !name.startsWith("."),
    );
    assert.deepEqual(
      versions,
      [`1-${sha256("by hand\n").slice(0, 8)}.json`, `2-${sha256("new\n").slice(0, 8)}.json`],
      said,
    );
    assert.equal(objectText(home, sha256("by hand\n")), "by hand\n", said);
    assert.deepEqual(namesIn(home, "local/kept"), [], said);
    assert.ok(namesIn(home, "local/commit/universal").includes("retry-flaky-test.1.done"), said);
  }
});

test("P2 a process killed before its claim has changed nothing, and what it left goes at the next open after a minute", async () => {
  const { home, vault } = openStage();
  vault.commit(put("one\n", null, 1));
  const hook = { call: "linkSync", path: "retry-flaky-test\\.2$", when: "before", act: "die" } as const;
  assert.deepEqual(await runChild({ home, change: put("two\n", "one\n", 2), hook }), {});
  assert.equal(textOf(home), "one\n");
  assert.equal(namesIn(home, "universal/canon").length, 2);
  const later = (seconds: number) => ({
    clock: () => Date.now() + seconds * 1_000,
    newId: () => "x",
    log: { warn() {}, note() {} },
    emit() {},
    translate: () => [],
  });
  openVault({ home, context: later(30) });
  assert.equal(namesIn(home, "universal/canon").length, 2, "half a minute is no minute");
  openVault({ home, context: later(61) });
  assert.deepEqual(namesIn(home, "universal/canon"), ["retry-flaky-test.md"]);
  assert.deepEqual(namesIn(home, "local/commit/universal"), [
    "retry-flaky-test.1",
    "retry-flaky-test.1.done",
  ]);
});

test("P3 what an editor saves between claim and rename is kept and reported, saved in place or by rename", async () => {
  for (const inPlace of [true, false]) {
    const { home, vault } = openStage();
    vault.commit(put("one\n", null, 1));
    const hook = {
      call: "linkSync",
      path: "local/commit/universal/retry-flaky-test\\.2$",
      when: "after",
      act: "wait",
    } as const;
    const writer = await pausedChild({ home, change: put("two\n", "one\n", 2), hook });
    if (inPlace) writeFileSync(join(home, TARGET), "the editor's\n");
    else {
      writeFileSync(join(home, "saved.md"), "the editor's\n");
      renameSync(join(home, "saved.md"), join(home, TARGET));
    }
    const outcome = await writer.go();
    assert.equal(outcome.result?.keptEdit, sha256("the editor's\n"));
    assert.equal(textOf(home), "two\n");
    for (const text of ["one\n", "two\n", "the editor's\n"])
      assert.equal(objectText(home, sha256(text)), text);
  }
});

test("P3 what an editor saved before the claim stays in place, and the change is a conflict", async () => {
  for (const path of ["versions/objects/", "local/commit/universal/\\.retry", "canon/\\.retry-flaky-test"]) {
    const { home, vault } = openStage();
    vault.commit(put("one\n", null, 1));
    const hook = { call: "openSync", path, when: "before", act: "wait" } as const;
    const writer = await pausedChild({ home, change: put("two\n", "one\n", 2), hook });
    writeFileSync(join(home, TARGET), "the editor's\n");
    const outcome = await writer.go();
    assert.equal(outcome.code, "CANONRY_CONFLICT", path);
    assert.equal(textOf(home), "the editor's\n", path);
    assert.equal(objectText(home, sha256("two\n")), "two\n", path);
    assert.deepEqual(namesIn(home, "universal/canon"), ["retry-flaky-test.md"], path);
  }
});

test("P2 an object of a version is no second name of the file that a person edits in place", () => {
  const { home, vault } = openStage();
  vault.commit(put("one\n", null, 1));
  writeFileSync(join(home, TARGET), "edited in place\n");
  assert.equal(objectText(home, sha256("one\n")), "one\n");
  vault.commit(put("two\n", "edited in place\n", 2));
  assert.equal(objectText(home, sha256("edited in place\n")), "edited in place\n");
});

test("C59 a version keeps the files beside the skill, and which of them can be run", () => {
  const { home, vault } = openStage();
  writeTree(home, {
    "universal/canon/retry-flaky-test/references/why.md": "why\n",
    "universal/canon/retry-flaky-test/run.sh": "#!/bin/sh\n",
  });
  chmodSync(join(home, "universal/canon/retry-flaky-test/run.sh"), 0o755);
  vault.commit(put("one\n", null, 1));
  const version = JSON.parse(
    textOf(home, `versions/universal/retry-flaky-test/1-${sha256("one\n").slice(0, 8)}.json`) ?? "",
  );
  assert.deepEqual(version.files, [
    { path: "references/why.md", bytesHash: sha256("why\n"), executable: false },
    { path: "run.sh", bytesHash: sha256("#!/bin/sh\n"), executable: true },
  ]);
  assert.equal(objectText(home, sha256("why\n")), "why\n");
});

test("C16 consumed candidates move with the change that consumed them", () => {
  const { home, vault } = openStage();
  writeTree(home, { "universal/candidates/a.md": "note\n" });
  vault.commit(
    put("one\n", null, 1, {
      moves: [{ from: "universal/candidates/a.md", to: "universal/processed/2026-01-02/a.md" }],
    }),
  );
  assert.deepEqual(namesIn(home, "universal/candidates"), []);
  assert.equal(textOf(home, "universal/processed/2026-01-02/a.md"), "note\n");
});

test("S4.13 permissions are kept, and nothing is written through a linked folder or over a link", () => {
  const { home, vault } = openStage();
  vault.commit(put("one\n", null, 1));
  chmodSync(join(home, TARGET), 0o660);
  vault.commit(put("two\n", "one\n", 2));
  assert.equal(statSync(join(home, TARGET)).mode & 0o777, 0o660);
  const outside = temporaryFolder();
  mkdirSync(join(home, "0123456789ab"));
  symlinkSync(outside, join(home, "0123456789ab", "canon"));
  const change = {
    ...put("x\n", null, 1),
    fingerprint: "0123456789ab",
    target: "0123456789ab/canon/retry-flaky-test.md",
  };
  assert.throws(() => vault.commit(change), { code: "CANONRY_INVALID_PATH" });
  assert.deepEqual(namesIn(outside), []);
  symlinkSync(join(outside, "secret"), join(home, "universal/canon/linked.md"));
  assert.throws(
    () => vault.commit(put("x\n", null, 1, { name: "linked", target: "universal/canon/linked.md" })),
    { code: "CANONRY_INVALID_PATH" },
  );
});

test("B108 a change with an awkward name or a path outside its space is refused before anything is written", () => {
  const { home, vault } = openStage();
  assert.throws(() => vault.commit(put("x", null, 1, { name: "nul", target: "universal/canon/nul.md" })), {
    code: "CANONRY_INVALID_NAME",
  });
  for (const target of [
    "../x.md",
    "/etc/x.md",
    "LIBRARIAN.md",
    "local/vault.json",
    "0123456789ab/canon/x.md",
    "universal/../x.md",
    "universal",
  ])
    assert.throws(
      () => vault.commit(put("x", null, 1, { target })),
      { code: "CANONRY_INVALID_PATH" },
      target,
    );
  assert.throws(() => vault.commit(put("x", null, 1, { fingerprint: "local" })), {
    code: "CANONRY_INVALID_RECORD",
  });
  assert.throws(() => vault.commit(put("x", null, 1, { fingerprint: "../../x" })), { code: "CANONRY_USAGE" });
  assert.throws(() => vault.commit(put("x", null, 1, { journal: "one\ntwo" })), {
    code: "CANONRY_INVALID_RECORD",
  });
  assert.deepEqual(namesIn(home, "universal"), []);
  assert.deepEqual(namesIn(home, "local/commit"), []);
});

test("P3 a skill that goes away with its files while a change reads them is a conflict, and the text is kept", async () => {
  const { home, vault } = openStage();
  writeTree(home, { "universal/canon/retry-flaky-test/references/why.md": "why\n" });
  vault.commit(put("one\n", null, 1));
  const hook = { call: "openSync", path: "references/why\\.md$", when: "before", act: "wait" } as const;
  const writer = await pausedChild({ home, change: put("two\n", "one\n", 2), hook });
  const { fingerprint, name, target, by, runId, version, verdict } = put("", null, 1);
  const away = { fingerprint, name, target, by, runId, version, verdict, base: sha256("one\n") };
  vault.commit({ ...away, kind: "move", to: "universal/quarantine/retry-flaky-test.md" });
  assert.equal((await writer.go()).code, "CANONRY_CONFLICT");
  assert.equal(objectText(home, sha256("two\n")), "two\n");
});
