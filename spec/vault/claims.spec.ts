import assert from "node:assert/strict";
import { readFileSync, renameSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { isCanonryError } from "../../lib/core/errors.ts";
import { sha256 } from "../../lib/core/hash.ts";
import { openVault, type Vault } from "../../lib/vault/vault.ts";
import { temporaryFolder, writeTree } from "../support/home.ts";
import type { Hook } from "./child.ts";
import { namesIn, openStage, pausedChild, put, runChild, TARGET, textOf } from "./stage.ts";

const CLAIM = "local/commit/universal/retry-flaky-test.1";

/** A claim as a process leaves it that was killed right after publishing it. */
async function leaveClaim(home: string): Promise<Record<string, unknown>> {
  const hook = { call: "linkSync", path: "retry-flaky-test\\.1$", when: "after", act: "die" } as const;
  await runChild({ home, change: put("new\n", null, 1), hook });
  return JSON.parse(readFileSync(join(home, CLAIM), "utf8"));
}

test("P9 a claim that would touch anything outside its own space and name is never carried out", async () => {
  const { home } = openStage();
  const claim = await leaveClaim(home);
  const outside = temporaryFolder();
  writeTree(outside, { "victim.md": "untouched\n" });
  writeTree(home, { "settings.json": "{}", "0123456789ab/canon/other.md": "untouched\n" });
  const temp = (claim.steps as { temp?: string }[])[0]?.temp ?? "";
  const evil: unknown[] = [
    { do: "replace", temp, target: "settings.json", keep: true },
    { do: "replace", temp, target: `../${outside.split("/").at(-1)}/victim.md`, keep: true },
    { do: "replace", temp: "universal/canon/plain.md", target: TARGET, keep: true },
    { do: "replace", temp: "/etc/.x.tmp-1-0123456789ab", target: "/etc/passwd", keep: true },
    { do: "move", from: "0123456789ab/canon/other.md", to: "universal/canon/other.md" },
    { do: "move", from: TARGET, to: "../stolen.md" },
    { do: "move", from: "local/vault.json", to: "universal/canon/vault.md" },
    { do: "version", manifest: "versions/universal/another-skill/1-01234567.json", json: "{}" },
    { do: "version", manifest: "versions/universal/retry-flaky-test/../../x/1-01234567.json", json: "{}" },
    { do: "journal", line: "one\n### forged section" },
    { do: "event", json: "{}" },
    { do: "delete", target: TARGET },
  ];
  for (const step of evil) {
    writeTree(home, { [CLAIM]: JSON.stringify({ ...claim, steps: [step] }) });
    const warnings: string[] = [];
    const log = { warn: (line: string) => void warnings.push(line), note() {} };
    openVault({
      home,
      context: { clock: Date.now, newId: () => "0123456789", log, emit() {}, translate: () => [] },
    });
    assert.match(warnings.join("\n"), /retry-flaky-test\.1 was passed over/, JSON.stringify(step));
  }
  assert.equal(textOf(outside, "victim.md"), "untouched\n");
  assert.equal(textOf(home, "0123456789ab/canon/other.md"), "untouched\n");
  assert.equal(textOf(home, "settings.json"), "{}");
  assert.equal(textOf(home), undefined);
  assert.equal(textOf(home, "LIBRARIAN.md"), undefined);
});

test("P9 a claim under another name, with a forged token or of another shape is passed over", async () => {
  const { home } = openStage();
  const claim = await leaveClaim(home);
  for (const changes of [
    { name: "other" },
    { seq: 2 },
    { fingerprint: "0123456789ab" },
    { token: "../../vault.json" },
    { token: "x" },
    { id: "?" },
    { extra: 1 },
  ]) {
    writeTree(home, { [CLAIM]: JSON.stringify({ ...claim, ...changes }) });
    openVault({ home });
    assert.equal(textOf(home), undefined, JSON.stringify(changes));
  }
  writeTree(home, { [CLAIM]: JSON.stringify(claim) });
  openVault({ home });
  assert.equal(textOf(home), "new\n");
});

test("B90 a claim that is empty, torn, of a dead process or three days old stops nobody", async () => {
  const begun = Date.now();
  for (const text of ["", "{", "1", `{"pid":${process.pid}}`, "\0\0\0\0"]) {
    const { home, vault } = openStage();
    writeTree(home, { [CLAIM]: text });
    utimesSync(join(home, CLAIM), 0, Date.now() / 1_000 - 3 * 86_400);
    const result = vault.commit(put("new\n", null, 1));
    assert.equal(result.seq, 2, "a number that is taken is never used again");
    assert.equal(textOf(home), "new\n");
    assert.deepEqual(namesIn(home, "local/commit/universal"), [
      "retry-flaky-test.1.bak",
      "retry-flaky-test.2",
      "retry-flaky-test.2.done",
    ]);
  }
  assert.ok(Date.now() - begun < 60_000, "nobody waited for a lock");
});

test("B90 two vaults open at once both read and both change", () => {
  const { home, vault } = openStage();
  const second = openVault({ home });
  assert.equal(second.vaultId, vault.vaultId);
  assert.equal(second.machine, vault.machine);
  let text: string | null = null;
  const take = (one: Vault, next: string, version: number) => {
    assert.equal(one.commit(put(next, text, version)).finished, true);
    text = next;
  };
  for (let version = 1; version <= 6; version++)
    take(version % 2 === 0 ? vault : second, `text ${version}\n`, version);
  assert.equal(textOf(home), "text 6\n");
  assert.deepEqual(namesIn(home, "local/commit/universal"), [
    "retry-flaky-test.6",
    "retry-flaky-test.6.done",
  ]);
});

test("design 5: a claim whose folder of temporary files was removed is over, not an error for ever", async () => {
  const { home } = openStage();
  await leaveClaim(home);
  rmSync(join(home, "universal"), { recursive: true });
  const vault = openVault({ home });
  assert.equal(vault.commit(put("again\n", null, 2)).finished, true);
  assert.equal(
    textOf(home, `versions/objects/${sha256("new\n").slice(0, 2)}/${sha256("new\n")}`),
    "new\n",
    "the text that was won is kept",
  );
});

test("P3 who stands right before its claim when a rival wins and is killed right after it gets the conflict", async () => {
  const { home, vault } = openStage();
  vault.commit(put("one\n", null, 1));
  const at = { call: "linkSync", path: "local/commit/universal/retry-flaky-test\\.2$" } as const;
  const mine = await pausedChild({
    home,
    change: put("mine\n", "one\n", 2),
    hook: { ...at, when: "before", act: "wait" },
  });
  const rival = {
    home,
    change: put("rival\n", "one\n", 2),
    hook: { ...at, when: "after", act: "die" },
  } as const;
  assert.deepEqual(await runChild(rival), {}, "killed once its claim was made");
  assert.equal((await mine.go()).code, "CANONRY_CONFLICT");
  assert.equal(textOf(home), "rival\n");
});

test("P3 a number that was used while a text came and went again is not used twice", async () => {
  const { home, vault } = openStage();
  vault.commit(put("one\n", null, 1));
  const hook = {
    call: "openSync",
    path: "local/commit/universal/\\.retry",
    when: "before",
    act: "wait",
  } as const;
  const sleeper = await pausedChild({ home, change: put("mine\n", "one\n", 2), hook });
  vault.commit(put("two\n", "one\n", 2));
  vault.commit(put("one\n", "two\n", 3));
  assert.equal((await sleeper.go()).result?.changed, true, "its base stands there again");
  assert.deepEqual(namesIn(home, "local/commit/universal"), [
    "retry-flaky-test.4",
    "retry-flaky-test.4.done",
  ]);
  assert.equal(textOf(home), "mine\n");
});

test("P3 a text that a stopped mover holds in its hands is there for who comes next", () => {
  const { home, vault } = openStage();
  vault.commit(put("one\n", null, 1));
  writeTree(home, { "local/kept/.keep": "" });
  renameSync(
    join(home, TARGET),
    join(home, "local/kept/0123456789abcdef-moved-universal.retry-flaky-test-0123456789ab"),
  );
  assert.throws(
    () => vault.commit(put("from nothing\n", null, 2)),
    (error: unknown) => isCanonryError(error, "CANONRY_CONFLICT"),
  );
  assert.equal(textOf(home), "one\n");
});

test("P3 where a link is a copy, one who slept over it has not won once others have gone on without it", async () => {
  for (const rest of [[], ["three\n"]]) {
    const { home, vault } = openStage();
    vault.commit(put("one\n", null, 1));
    const hook: Hook = { call: "openSync", path: "retry-flaky-test\\.2$", when: "after", act: "wait" };
    const sleeper = await pausedChild({ home, change: put("sleeper\n", "one\n", 2), hook, noLinks: true });
    const rival = await runChild({ home, change: put("two\n", "one\n", 2), noLinks: true });
    assert.equal(rival.result?.changed, true);
    for (const text of rest) await runChild({ home, change: put(text, "two\n", 3), noLinks: true });
    const { code, data } = await sleeper.go();
    const text = rest[0] ?? "two\n";
    assert.equal(code, "CANONRY_CONFLICT");
    assert.equal(data?.found, sha256(text));
    assert.equal(textOf(home), text);
  }
});
