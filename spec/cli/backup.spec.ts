import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { checkedJson, runBin } from "../support/cli.ts";
import { temporaryFolder, writeTree } from "../support/home.ts";
import { skill } from "../support/library.ts";
import { ROOT } from "../support/root.ts";

/** A home with two skills of its own, one of them read once. */
function prepared(): { root: string; home: string; file: string } {
  const root = temporaryFolder();
  const home = join(root, "home");
  writeTree(home, {
    "universal/canon/pdf-merge.md": skill("pdf-merge", "Join PDF files"),
    "universal/canon/flaky.md": skill("flaky", "Run a failing test again"),
  });
  assert.equal(runBin("canonry", ["init"], { home }).code, 0);
  assert.equal(runBin("canonry", ["read", "flaky"], { home }).code, 0);
  return { root, home, file: join(root, "b.tar.gz") };
}

test("cli: backup and restore-backup answer with their counts, in words and as JSON with its schema", () => {
  const { root, home, file } = prepared();
  const backup = runBin("canonry", ["backup", "b.tar.gz", "--json"], { home, cwd: root });
  assert.equal(backup.code, 0, backup.err);
  const made = checkedJson("backup", backup.out) as { file: string; files: number; bytes: number };
  assert.deepEqual([made.file, made.files], [file, 5]);
  const said = runBin("canonry", ["backup", "b.tar.gz", "--force"], { home, cwd: root });
  assert.match(said.out, /^5 files, [\d,]+ bytes in \/.*b\.tar\.gz \([\d,]+ bytes\)\n$/);
  const fresh = join(root, "fresh");
  const restored = runBin("canonry", ["restore-backup", file, "--home", fresh, "--json"], { home });
  assert.equal(restored.code, 0, restored.err);
  const report = checkedJson("restore-backup", restored.out) as { files: number; events: number };
  assert.deepEqual([report.files, report.events], [3, 1]);
  const listed = JSON.parse(runBin("canonry", ["list", "--json"], { home: fresh }).out) as { uses: number }[];
  assert.deepEqual(
    listed.map((one) => one.uses),
    [1, 0],
  );
  const again = runBin("canonry", ["restore-backup", file, "--home", fresh], { home });
  assert.equal(
    again.out,
    "restored: 0 files, 0 events, 0 lines of records; 5 there already, 0 kept as they are\n",
  );
});

test("cli: what the home has and the backup has otherwise is listed, with the way to the backup's text", () => {
  const { home, file } = prepared();
  runBin("canonry", ["backup", file], { home });
  writeTree(home, { "universal/canon/flaky.md": skill("flaky", "Changed since"), "settings.json": "{}" });
  const ran = runBin("canonry", ["restore-backup", file], { home });
  assert.equal(ran.code, 0, ran.err);
  const [, object = ""] =
    /canon\/flaky\.md: the backup has another text; the backup's text is (\S+)/.exec(ran.out) ?? [];
  assert.equal(readFileSync(join(home, object), "utf8"), skill("flaky", "Run a failing test again"));
  assert.match(ran.out, /1 kept as they are\n$/);
});

test("cli: --dry-run tells what would be restored and makes nothing, not even the home", () => {
  const { root, home, file } = prepared();
  runBin("canonry", ["backup", file], { home });
  const fresh = join(root, "fresh");
  const ran = runBin("canonry", ["restore-backup", file, "--home", fresh, "--dry-run"], { home });
  assert.equal(ran.code, 0, ran.err);
  assert.match(ran.out, /^would restore {2}universal\/canon\/flaky\.md$/m);
  assert.match(ran.out, /would be restored: 3 files, 1 event,/);
  assert.equal(existsSync(fresh), false);
});

test("cli: an existing file is refused with 1, a backup inside the home with 2, and --force replaces", () => {
  const { home, file } = prepared();
  writeFileSync(file, "mine");
  const ran = runBin("canonry", ["backup", file, "--json"], { home });
  assert.deepEqual([ran.code, ran.out], [1, ""]);
  assert.equal(
    (checkedJson("error", ran.err) as { error: { code: string } }).error.code,
    "CANONRY_FILE_EXISTS",
  );
  assert.equal(readFileSync(file, "utf8"), "mine");
  assert.equal(runBin("canonry", ["backup", join(home, "b")], { home }).code, 2);
  assert.equal(runBin("canonry", ["backup", file, "--force"], { home }).code, 0);
});

test("cli: a backup that leaves something out is made, names it, and exits 1", () => {
  const { home, file } = prepared();
  symlinkSync("/etc/passwd", join(home, "universal/canon/link.md"));
  const ran = runBin("canonry", ["backup", file], { home });
  assert.equal(ran.code, 1);
  assert.match(ran.err, /^left out: universal\/canon\/link\.md: \S/);
  assert.ok(existsSync(file));
});

test("cli: - is stdout and stdin, the words go to stderr, and JSON beside the archive is refused", () => {
  const { root, home } = prepared();
  const env = { ...process.env, CANONRY_HOME: home };
  const canonry = join(ROOT, "bin/canonry.mjs");
  const out = spawnSync(process.execPath, [canonry, "backup", "-"], { env });
  assert.equal(out.status, 0, out.stderr.toString());
  assert.match(out.stderr.toString(), /^5 files, /);
  assert.equal(out.stdout.readUInt16BE(0), 0x1f8b);
  const fresh = join(root, "fresh");
  const args = [canonry, "restore-backup", "-", "--home", fresh];
  const back = spawnSync(process.execPath, args, { env, input: out.stdout });
  assert.match(back.stdout.toString(), /^restored: 3 files, 1 event,/);
  const both = runBin("canonry", ["backup", "-", "--json"], { home });
  assert.deepEqual([both.code, both.out], [2, ""]);
});

test("cli: a cut backup is refused with 1 and nothing of it is restored", () => {
  const { root, home, file } = prepared();
  runBin("canonry", ["backup", file], { home });
  writeFileSync(file, readFileSync(file).subarray(0, -40));
  const fresh = join(root, "fresh");
  const ran = runBin("canonry", ["restore-backup", file, "--home", fresh, "--json"], { home });
  assert.deepEqual([ran.code, ran.out], [1, ""]);
  assert.equal((checkedJson("error", ran.err) as { error: { code: string } }).error.code, "CANONRY_BACKUP");
  assert.deepEqual(readdirSync(fresh).sort(), [".gitattributes", ".gitignore", "local"]);
});
