import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { sha256 } from "../../lib/core/hash.ts";
import { backupHome } from "../../lib/vault/backup/backup.ts";
import { temporaryFolder, writeTree } from "../support/home.ts";
import { archiveOf, sourceOf } from "./archives.ts";
import { backedUp, kept, restore, snapshot } from "./backup-stage.ts";
import { namesIn, objectText, openStage, put, TARGET, textOf } from "./stage.ts";

test("P3 a text that the home has is never overwritten: the backup's is kept, and which is older is told", async () => {
  const { home, vault, file } = await backedUp();
  vault.commit(put("# three\n", "# two\n", 3));
  writeTree(home, {
    "universal/canon/hand-made.md": "# changed by hand\n",
    "universal/canon/hand-made/references/a.md": "changed\n",
    "settings.json": "{}",
    "0123456789ab/proposals/p.md": "changed\n",
  });
  const before = snapshot(home);
  const report = await restore(vault, file);
  assert.deepEqual(kept(report).sort(), [
    ["0123456789ab/proposals/p.md", "differs", "0123456789ab/proposals/p.md"],
    ["settings.json", "differs", "settings.json"],
    ["universal/canon/hand-made.md", "differs", "universal/canon/hand-made.md"],
    ["universal/canon/hand-made/references/a.md", "differs", "universal/canon/hand-made/references/a.md"],
    [TARGET, "older", TARGET],
  ]);
  for (const { path, text } of report.kept)
    if (path.includes("/canon/"))
      assert.equal(sha256(textOf(home, text ?? "") ?? ""), text?.slice(-64), path);
    else assert.equal(text, null, "what derives from transcripts goes into no object");
  const objects = (line: string) => !line.includes("versions/objects/");
  assert.deepEqual(snapshot(home).filter(objects), before.filter(objects));
});

test("P3 a backup from a home that is ahead says so, and brings the versions and texts between", async () => {
  const { vault, home, file } = await backedUp();
  const behind = openStage();
  await restore(behind.vault, file);
  vault.commit(put("# three\n", "# two\n", 3));
  await backupHome(sourceOf(vault), `${file}.2`);
  const report = await restore(behind.vault, `${file}.2`);
  assert.deepEqual(kept(report), [[TARGET, "newer", TARGET]]);
  assert.equal(textOf(behind.home), "# two\n");
  assert.equal(objectText(behind.home, sha256("# three\n")), "# three\n");
  assert.deepEqual(
    namesIn(behind.home, "versions/universal/retry-flaky-test"),
    namesIn(home, "versions/universal/retry-flaky-test"),
  );
});

test("P5 a skill that was quarantined or archived since is not brought back into canon, nor its files", async () => {
  const { home, vault, file } = await backedUp();
  const change = { fingerprint: "*", by: "p", runId: "", version: 3, verdict: null, kind: "move" } as const;
  vault.commit({
    ...change,
    name: "hand-made",
    target: "universal/canon/hand-made.md",
    to: "universal/archive/hand-made.md",
    base: sha256("# by hand\n"),
  });
  rmSync(join(home, "universal/archive/hand-made/references/a.md"));
  vault.commit({
    ...change,
    name: "retry-flaky-test",
    target: TARGET,
    to: "universal/quarantine/retry-flaky-test.md",
    base: sha256("# two\n"),
  });
  const report = await restore(vault, file);
  assert.deepEqual(kept(report).sort(), [
    ["universal/canon/hand-made.md", "moved", "universal/archive/hand-made.md"],
    ["universal/canon/hand-made/references/a.md", "moved", "universal/canon/hand-made.md"],
    [TARGET, "moved", "universal/quarantine/retry-flaky-test.md"],
  ]);
  assert.deepEqual(namesIn(home, "universal/canon"), []);
});

test("P5 a skill that is gone comes back as it was backed up, with its files, though later versions are known", async () => {
  const { home, vault, file } = await backedUp();
  vault.commit(put("# three\n", "# two\n", 3));
  for (const gone of [TARGET, "universal/canon/hand-made.md", "universal/canon/hand-made/references"])
    rmSync(join(home, gone), { recursive: true });
  const report = await restore(vault, file);
  assert.deepEqual(report.restored, [
    "universal/canon/hand-made.md",
    "universal/canon/hand-made/references/a.md",
    TARGET,
  ]);
  assert.equal(textOf(home), "# two\n");
  assert.equal(objectText(home, sha256("# three\n")), "# three\n");
});

test("C16 a note that was consumed since is not put back into the queue", async () => {
  const { home, vault, file } = await backedUp();
  writeTree(home, { "0123456789ab/processed/2026-01-02/d.md": "other\n" });
  renameSync(
    join(home, "0123456789ab/candidates/c.md"),
    join(home, "0123456789ab/processed/2026-01-02/c.md"),
  );
  const report = await restore(vault, file);
  assert.deepEqual([report.restored, report.kept], [[], []]);
  assert.deepEqual(namesIn(home, "0123456789ab/candidates"), []);
});

test("design 5: settings that this version would refuse are not put in place, since they would close the home", async () => {
  for (const text of [`{"nonsense":1}`, "[]", `{}${" ".repeat(1_048_577)}`]) {
    const file = await archiveOf(join(temporaryFolder(), "b.tar.gz"), { "settings.json": text });
    const fresh = openStage();
    const report = await restore(fresh.vault, file);
    assert.deepEqual(
      report.refused.map((one) => one.path),
      ["settings.json"],
    );
    assert.equal(textOf(fresh.home, "settings.json"), undefined);
  }
});

test("design 2: a text or record under a name that is not its own is not put in place", async () => {
  const hash = sha256("x");
  const files = {
    [`versions/objects/${hash.slice(0, 2)}/${hash}`]: "y",
    "versions/universal/a/1-01234567.json": "{}",
    "universal/canon/a.md": "# a\n",
  };
  const file = await archiveOf(join(temporaryFolder(), "b.tar.gz"), files);
  const fresh = openStage();
  const report = await restore(fresh.vault, file);
  assert.equal(report.refused.length, 2);
  assert.deepEqual(report.restored, ["universal/canon/a.md"]);
  assert.equal(objectText(fresh.home, hash), undefined);
});

test("cli: executable files stay executable, and no file is more than that", async () => {
  const { home, vault } = openStage();
  writeTree(home, { "universal/canon/a.md": "# a\n", "universal/canon/a/run.sh": "x" });
  spawnSync("chmod", ["4777", join(home, "universal/canon/a/run.sh")]);
  const file = join(temporaryFolder(), "b.tar.gz");
  await backupHome(sourceOf(vault), file);
  const fresh = openStage();
  await restore(fresh.vault, file);
  assert.equal(statSync(join(fresh.home, "universal/canon/a/run.sh")).mode & 0o7777, 0o755);
});
