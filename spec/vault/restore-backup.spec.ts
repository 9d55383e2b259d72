import assert from "node:assert/strict";
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { sha256 } from "../../lib/core/hash.ts";
import { foldCounters } from "../../lib/schema/counters.ts";
import { backupHome } from "../../lib/vault/backup/backup.ts";
import { temporaryFolder, writeTree } from "../support/home.ts";
import { sourceOf } from "./archives.ts";
import { backedUp, counters, difference, hydrate, restore, snapshot } from "./backup-stage.ts";
import { namesIn, objectText, openStage, textOf } from "./stage.ts";

test("P5 a backup restored into a new home gives every file and the same counters, and again nothing", async () => {
  const { home, vault, file } = await backedUp();
  const fresh = openStage();
  const report = await restore(fresh.vault, file);
  assert.deepEqual(difference(home, fresh.home), []);
  assert.deepEqual([report.kept, report.refused, report.vault], [[], [], vault.vaultId]);
  assert.equal(report.events, 4);
  assert.deepEqual(counters(fresh.vault), counters(vault));
  assert.equal(counters(fresh.vault).uses, 3);
  for (const text of ["# one\n", "# two\n"]) assert.equal(objectText(fresh.home, sha256(text)), text);
  const before = snapshot(fresh.home);
  const again = await restore(fresh.vault, file);
  assert.deepEqual([again.files, again.bytes, again.events, again.lines], [0, 0, 0, 0]);
  assert.deepEqual([again.restored, again.kept], [[], []]);
  assert.deepEqual(snapshot(fresh.home), before);
  assert.deepEqual(
    namesIn(fresh.home, "local").filter((name) => name.startsWith(".restore")),
    [],
  );
});

test("C10 ledgers of two homes become one: each event once, in the file it had, whatever was torn or doubled", async () => {
  const { vault, file, home } = await backedUp();
  const other = openStage();
  hydrate(other.vault, 2);
  await restore(other.vault, file);
  assert.deepEqual(namesIn(other.home, "ledger").length, 2);
  const both = [...vault.readLedger({}).events, ...other.vault.readLedger({}).events];
  const whole = foldCounters(both);
  assert.equal(whole.uses, 5);
  assert.deepEqual(counters(other.vault), whole);
  // the same file, grown on both sides, with a torn end on this one
  const [name = ""] = namesIn(home, "ledger");
  appendFileSync(join(other.home, "ledger", name), `\n{"id":"torn","ts":"20`);
  hydrate(vault, 4);
  await backupHome(sourceOf(vault), `${file}.2`);
  const report = await restore(other.vault, `${file}.2`);
  assert.equal(report.events, 5);
  assert.equal(counters(other.vault).uses, 9);
  const ids = other.vault.readLedger({}).events.map((event) => event.id);
  assert.equal(new Set(ids).size, ids.length);
  assert.equal((await restore(other.vault, `${file}.2`)).events, 0);
});

test("C10 an event that is longer than a ledger's reader takes comes to no ledger that stands, however often it is restored", async () => {
  const { home, vault } = openStage();
  hydrate(vault, 1);
  const [name = ""] = namesIn(home, "ledger");
  const whole = readFileSync(join(home, "ledger", name), "utf8").trim();
  const long = whole
    .replace(/"id":"[^"]*"/, '"id":"long"')
    .replace('"notes":""', `"notes":"${"x".repeat(1_048_576)}"`);
  appendFileSync(join(home, "ledger", name), `\n${long}\n`);
  const file = join(temporaryFolder(), "backup.tar.gz");
  await backupHome(sourceOf(vault), file);
  const other = openStage();
  writeTree(other.home, { [`ledger/${name}`]: `\n${whole}\n` });
  for (const time of [1, 2]) {
    assert.equal((await restore(other.vault, file)).events, 0, `restored ${time} times`);
    assert.equal(textOf(other.home, `ledger/${name}`), `\n${whole}\n`);
  }
});

test("C10 journal and records merge by line: none lost, none twice, what stands here stays in its order", async () => {
  const { home, vault, file } = await backedUp();
  const journal = readFileSync(join(home, "LIBRARIAN.md"), "utf8");
  writeTree(home, {
    "LIBRARIAN.md": `### mine\n${journal.split("\n")[1]}\nmine too`,
    "gate/m.ndjson": `{"id":"g2"}\n{"id":"g3"}\n`,
  });
  const report = await restore(vault, file);
  assert.equal(report.lines, 2);
  const lines = readFileSync(join(home, "LIBRARIAN.md"), "utf8").split("\n").filter(Boolean);
  assert.deepEqual(lines, ["### mine", journal.split("\n")[1], "mine too", journal.split("\n")[0]]);
  assert.deepEqual(readFileSync(join(home, "gate/m.ndjson"), "utf8").split("\n").filter(Boolean), [
    `{"id":"g2"}`,
    `{"id":"g3"}`,
    `{"id":"g1"}`,
  ]);
  assert.equal((await restore(vault, file)).lines, 0);
});

test("P2 damaged texts and records of versions are healed by a restore, the damaged ones set aside", async () => {
  const { home, vault, file } = await backedUp();
  const hash = sha256("# one\n");
  const object = join("versions/objects", hash.slice(0, 2), hash);
  const record = join("versions/universal/retry-flaky-test", `1-${hash.slice(0, 8)}.json`);
  const whole = readFileSync(join(home, record), "utf8");
  writeTree(home, { [object]: "# dam", [record]: whole.slice(0, 40) });
  const report = await restore(vault, file);
  assert.deepEqual([report.files, report.kept], [2, []]);
  assert.equal(textOf(home, object), "# one\n");
  assert.equal(textOf(home, record), whole);
  assert.equal(textOf(home, `${object}.damaged`), "# dam");
});

test("P5 a dry run tells the same and writes nothing", async () => {
  const { file } = await backedUp();
  const fresh = openStage();
  hydrate(fresh.vault, 1);
  const before = snapshot(fresh.home);
  const dry = await restore(fresh.vault, file, { dryRun: true });
  assert.deepEqual(snapshot(fresh.home), before);
  assert.deepEqual(namesIn(fresh.home, "local", "commit"), []);
  const real = await restore(fresh.vault, file);
  assert.deepEqual({ ...dry, dryRun: false }, real);
  assert.equal(dry.dryRun, true);
});

test("P2 a restore that is ended in the middle is simply done again, with the same result", async () => {
  const { home, file, vault } = await backedUp();
  for (const after of [1, 4, 9, 12]) {
    const fresh = openStage();
    const controller = new AbortController();
    let seen = 0;
    const progress = (name: string) => {
      if (name === "restore" && ++seen === after) throw new Error("stopped here");
    };
    await assert.rejects(restore(fresh.vault, file, { progress, signal: controller.signal }), /stopped here/);
    await restore(fresh.vault, file);
    assert.deepEqual(difference(home, fresh.home), [], `after ${after}`);
    assert.deepEqual(counters(fresh.vault), counters(vault));
  }
});

test("C60 the ledger comes before the skills, so that no telemetry is counted beside it", async () => {
  const { file } = await backedUp();
  const fresh = openStage();
  const order: string[] = [];
  const progress = (name: string) => {
    if (name !== "restore") return;
    const [skill, ledger] = [textOf(fresh.home) !== undefined, fresh.vault.hasLedger()];
    order.push(`${skill ? "skill" : ""}${ledger ? "+ledger" : ""}`);
  };
  await restore(fresh.vault, file, { progress });
  assert.ok(order.includes("+ledger"));
  assert.equal(order.includes("skill"), false);
});
