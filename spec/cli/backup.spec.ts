import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { checkedJson, runBin } from "../support/cli.ts";
import { temporaryFolder, writeTree } from "../support/home.ts";
import { skill } from "../support/library.ts";
import { noPlainUser, plainUser } from "../support/nobody.ts";
import { ROOT } from "../support/root.ts";
import { manifestEntry, writeArchive } from "../vault/archives.ts";

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
  assert.equal(existsSync(fresh), false);
});

const canonry = join(ROOT, "bin/canonry.mjs");
const errorOf = (text: string) =>
  (checkedJson("error", text) as { error: { code: string; message: string } }).error;

test("cli: a backup whose reader leaves before the end exits 1 and says that it was not taken whole", async () => {
  const { home } = prepared();
  writeTree(home, { "0123456789ab/proposals/p.md": randomBytes(400_000).toString("base64") });
  const child = spawn(process.execPath, [canonry, "backup", "-"], {
    env: { ...process.env, CANONRY_HOME: home },
  });
  let said = "";
  child.stderr.on("data", (chunk) => {
    said += chunk;
  });
  child.stdout.once("data", () => child.stdout.destroy());
  assert.deepEqual(await once(child, "close"), [1, null]);
  assert.match(said, /^canonry: The archive was not taken whole: [^\n]+\n$/);
});

test("cli: a stdout that takes nothing ends a backup with one message", {
  skip: !existsSync("/dev/full"),
}, () => {
  const { home } = prepared();
  const ran = spawnSync(process.execPath, [canonry, "backup", "-"], {
    env: { ...process.env, CANONRY_HOME: home },
    stdio: ["ignore", openSync("/dev/full", "w"), "pipe"],
    encoding: "utf8",
  });
  assert.equal(ran.status, 1);
  assert.match(
    ran.stderr,
    /^canonry: The archive was not taken whole: stdout took no more \(ENOSPC\)[^\n]+\n$/,
  );
});

test("cli: an archive that cannot be read is one error that speaks of it, and makes no home", {
  skip: noPlainUser(),
}, () => {
  const { root, home, file } = prepared();
  writeFileSync(file, "x");
  chmodSync(file, 0o000);
  for (const folder of [root, home]) chmodSync(folder, 0o755);
  const fresh = join(root, "fresh");
  const ran = runBin("canonry", ["restore-backup", file, "--home", fresh, "--json"], {
    home,
    ...plainUser,
  });
  assert.equal(ran.code, 1);
  const { code, message } = errorOf(ran.err);
  assert.equal(code, "CANONRY_DISK");
  assert.match(message, /^The archive \S+b\.tar\.gz cannot be read: EACCES\./);
  assert.doesNotMatch(message, /--home/);
  assert.equal(existsSync(fresh), false);
});

test("cli: a link that leads nowhere and an empty name are refused as usage, by both commands", () => {
  const { root, home } = prepared();
  const link = join(root, "link");
  symlinkSync(join(root, "nowhere"), link);
  const cases: [string[], RegExp][] = [
    [["backup", link, "--force"], /link that leads nowhere/],
    [["backup", ""], /received an empty text/],
    [["restore-backup", ""], /received an empty text/],
    [["restore-backup", home], /is a folder; a backup is one file/],
  ];
  for (const [args, expected] of cases) {
    const ran = runBin("canonry", [...args, "--json"], { home });
    assert.equal(ran.code, 2, ran.err);
    assert.match(errorOf(ran.err).message, expected);
  }
});

test("cli: SIGINT and SIGTERM end a restore with 130 and 143, and leave neither files nor a home", async () => {
  const { root, home } = prepared();
  for (const [signal, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const) {
    const scratch = join(root, signal);
    mkdirSync(scratch);
    const fresh = join(root, "fresh");
    const child = spawn(process.execPath, [canonry, "restore-backup", "-", "--home", fresh], {
      env: { ...process.env, CANONRY_HOME: home, TMPDIR: scratch },
      stdio: ["pipe", "ignore", "ignore"],
    });
    while (!readdirSync(scratch).some((name) => name.startsWith("canonry-restore-")))
      await new Promise((resolve) => setTimeout(resolve, 10));
    child.kill(signal);
    assert.deepEqual(await once(child, "close"), [code, null]);
    assert.deepEqual(
      readdirSync(scratch).filter((name) => name.startsWith("canonry-")),
      [],
    );
    assert.equal(existsSync(fresh), false);
  }
});

test("cli: SIGTERM ends a backup with 143, and nothing stands beside what was there", async () => {
  const { root, home, file } = prepared();
  for (let i = 0; i < 40; i++)
    writeTree(home, { [`0123456789ab/proposals/${i}.md`]: randomBytes(700_000).toString("base64") });
  const child = spawn(process.execPath, [canonry, "backup", file], {
    env: { ...process.env, CANONRY_HOME: home },
    stdio: "ignore",
  });
  while (!readdirSync(root).some((name) => name.startsWith(".b.tar.gz.body.tmp-")))
    await new Promise((resolve) => setTimeout(resolve, 2));
  child.kill("SIGTERM");
  assert.deepEqual(await once(child, "close"), [143, null]);
  assert.deepEqual(readdirSync(root), ["home"]);
});

test("cli: what a killed backup left beside its file is taken away once it is a minute old", () => {
  const { root, home, file } = prepared();
  const left = (name: string, seconds: number) => {
    writeFileSync(join(root, name), "x");
    const then = Date.now() / 1_000 - seconds;
    utimesSync(join(root, name), then, then);
  };
  left(".b.tar.gz.body.tmp-1-0123456789ab", 90);
  left(".b.tar.gz.tmp-1-0123456789ab", 90);
  left(".b.tar.gz.tmp-2-0123456789ab", 5);
  left(".b.tar.gz2.tmp-1-0123456789ab", 90);
  assert.equal(runBin("canonry", ["backup", file], { home }).code, 0);
  assert.deepEqual(
    readdirSync(root).sort(),
    [".b.tar.gz.tmp-2-0123456789ab", ".b.tar.gz2.tmp-1-0123456789ab", "b.tar.gz", "home"].sort(),
  );
});

test("cli: what is no archive is said to be no backup, without advice to unpack it", () => {
  const { root, home, file } = prepared();
  for (const text of ["", "just some words\n", "\u001f\u008b"]) {
    writeFileSync(file, text, "latin1");
    const ran = runBin("canonry", ["restore-backup", file, "--home", join(root, "fresh")], { home });
    assert.equal(ran.code, 1);
    assert.match(ran.err, /no backup of Canonry's/);
    assert.doesNotMatch(ran.err, /tar -x/);
  }
});

test("cli: mounted folders are not in a backup, and one line on stderr says so", () => {
  const { root, home, file } = prepared();
  writeTree(root, { "theirs/one.md": skill("one", "Another") });
  assert.equal(runBin("canonry", ["mount", join(root, "theirs")], { home }).code, 0);
  const ran = runBin("canonry", ["backup", file], { home });
  assert.deepEqual([ran.code, ran.err], [0, "canonry: 1 mounted folder is not in the backup.\n"]);
});

test("cli: a backup of a later format asks for a later Canonry", async () => {
  const { root, home, file } = prepared();
  await writeArchive(file, [manifestEntry({}, { version: 2 })]);
  const ran = runBin("canonry", ["restore-backup", file, "--home", join(root, "fresh")], { home });
  assert.equal(ran.code, 1);
  assert.match(
    ran.err,
    /made by a later Canonry; this one reads format 1\. .* Restore it with a later Canonry\.\n$/,
  );
  assert.doesNotMatch(ran.err, /tar -x/);
});
