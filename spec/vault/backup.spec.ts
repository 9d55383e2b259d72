import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { sha256 } from "../../lib/core/hash.ts";
import { backupHome } from "../../lib/vault/backup/backup.ts";
import { temporaryFolder, writeTree } from "../support/home.ts";
import { readEntries, sourceOf } from "./archives.ts";
import { namesIn, openStage, put } from "./stage.ts";

const paths = (report: { leftOut: readonly { path: string }[] }) => report.leftOut.map((one) => one.path);

/** A home with something of every kind, and a folder for backups. */
function stage() {
  const { home, vault, warnings } = openStage();
  writeTree(home, {
    "universal/canon/hand-made.md": "# by hand\n",
    "universal/canon/hand-made/references/a.md": "a\n",
    "universal/canon/hand-made/run.sh": "#!/bin/sh\n",
    "0123456789ab/archive/old.md": "# old\n",
    "0123456789ab/candidates/c.md": "note\n",
    "tenants/acme/universal/canon/theirs.md": "# theirs\n",
    "tenants/acme/local/vault.json": "{}",
    "tenants/acme/index.sqlite": "x",
    "index.sqlite": "x",
    "index.sqlite.bak": "x",
    ".git/config": "x",
    "universal/canon/.x.md.tmp-12-0123456789ab": "x",
    "gate/m.ndjson": `{"id":"g1"}\n`,
  });
  chmodSync(join(home, "universal/canon/hand-made/run.sh"), 0o755);
  vault.commit(put("# one\n", null, 1, { journal: "promoted retry-flaky-test — it works" }));
  vault.commit(put("# two\n", "# one\n", 2));
  vault.append({ event: "hydrated", skill: "retry-flaky-test", fingerprint: "*" });
  return { home, vault, warnings, file: join(temporaryFolder(), "b.tar.gz") };
}

test("cli: a backup holds every file of the home but what is of this machine, and says so in its first entry", async () => {
  const { home, vault, file } = stage();
  const report = await backupHome(sourceOf(vault), file);
  const { manifest, files } = await readEntries(file);
  assert.deepEqual([...files.keys()].filter((path) => !path.startsWith("versions/")).sort(), [
    ".gitattributes",
    ".gitignore",
    "0123456789ab/archive/old.md",
    "0123456789ab/candidates/c.md",
    "LIBRARIAN.md",
    "gate/m.ndjson",
    `ledger/${namesIn(home, "ledger")[0]}`,
    "tenants/acme/universal/canon/theirs.md",
    "universal/canon/hand-made.md",
    "universal/canon/hand-made/references/a.md",
    "universal/canon/hand-made/run.sh",
    "universal/canon/retry-flaky-test.md",
  ]);
  assert.equal([...files.keys()].filter((path) => /^versions\/universal\/.*\.json$/.test(path)).length, 2);
  assert.equal([...files.keys()].filter((path) => path.startsWith("versions/objects/")).length, 2);
  for (const [path, bytes] of files) assert.deepEqual(bytes, readFileSync(join(home, path)), path);
  assert.deepEqual(
    manifest.files,
    [...files].map(([path, bytes]) => ({
      path,
      bytes: bytes.length,
      sha256: sha256(bytes),
      executable: path.endsWith("run.sh"),
    })),
  );
  const bytes = [...files.values()].reduce((sum, one) => sum + one.length, 0);
  const { files: count, bytes: total, archiveBytes, leftOut } = report;
  assert.deepEqual([count, total, archiveBytes, leftOut], [files.size, bytes, statSync(file).size, []]);
  assert.equal(statSync(file).mode & 0o777, 0o600);
});

test("cli: the archive is what tar and sha256sum take, and unpacked it is a home", {
  skip: hasTar(),
}, async () => {
  const { home, vault, file } = stage();
  await backupHome(sourceOf(vault), file);
  const folder = temporaryFolder();
  execFileSync("tar", ["-xzf", file, "-C", folder]);
  assert.deepEqual(namesIn(folder), ["canonry-backup", "canonry-backup.json"]);
  const diff = ["-r", home, join(folder, "canonry-backup")];
  for (const own of ["local", "index*", ".git", ".x.md*"]) diff.push("-x", own);
  assert.equal(spawnSync("diff", diff, { encoding: "utf8" }).stdout, "");
});

function hasTar(): string | false {
  return spawnSync("tar", ["--version"]).status === 0 ? false : "there is no tar on this machine";
}

test("P10 two backups of one home at one time are the same bytes", async () => {
  const { vault, file } = stage();
  const source = sourceOf(vault);
  const room = { ...source.room, context: { ...source.room.context, clock: () => 1_767_323_045_000 } };
  await backupHome({ ...source, room }, file);
  await backupHome({ ...source, room }, `${file}.2`);
  assert.deepEqual(readFileSync(`${file}.2`), readFileSync(file));
});

test("cli: a file that is there is never replaced unasked; with force it is, whole", async () => {
  const { vault, file } = stage();
  writeFileSync(file, "mine");
  await assert.rejects(backupHome(sourceOf(vault), file), { code: "CANONRY_FILE_EXISTS" });
  assert.equal(readFileSync(file, "utf8"), "mine");
  await backupHome(sourceOf(vault), file, { force: true });
  assert.ok((await readEntries(file)).files.size > 10);
  assert.deepEqual(namesIn(join(file, "..")), ["b.tar.gz"]);
});

test("cli: a backup inside the home, over a device or a folder, or into no folder is refused", async () => {
  const { home, vault, file } = stage();
  const folder = join(file, "..");
  mkdirSync(join(folder, "folder"));
  symlinkSync(home, join(folder, "way-in"));
  symlinkSync("/dev/null", join(folder, "null"));
  const refused = [
    join(home, "b.tar.gz"),
    join(home, "local", "b.tar.gz"),
    join(folder, "way-in", "b.tar.gz"),
    join(folder, "folder"),
    join(folder, "null"),
    join(folder, "no", "b.tar.gz"),
  ];
  for (const one of refused)
    await assert.rejects(backupHome(sourceOf(vault), one, { force: true }), { code: "CANONRY_USAGE" }, one);
  assert.deepEqual(namesIn(folder), ["folder", "null", "way-in"]);
});

test("P2 what is won and not finished when the backup begins is in it", async () => {
  const { home, vault, file } = stage();
  const book = join(home, "local", "commit", "universal");
  vault.commit(put("# three\n", "# two\n", 3));
  // as a process leaves it that was killed right after the link: the text in its temp, no mark
  const claim = JSON.parse(readFileSync(join(book, "retry-flaky-test.3"), "utf8"));
  const temp = "universal/canon/.retry-flaky-test.md.tmp-12-00000000000a";
  const next = {
    ...claim,
    seq: 4,
    base: sha256("# three\n"),
    next: sha256("# four\n"),
    id: "00000000000000aa",
  };
  next.steps = [{ do: "replace", temp, target: "universal/canon/retry-flaky-test.md", keep: true }];
  writeTree(home, { [temp]: "# four\n", "local/commit/universal/retry-flaky-test.4": JSON.stringify(next) });
  await backupHome(sourceOf(vault), file);
  const { files } = await readEntries(file);
  assert.equal(files.get("universal/canon/retry-flaky-test.md")?.toString(), "# four\n");
  assert.equal(
    [...files.keys()].some((path) => path.includes(".tmp-")),
    false,
  );
});

test("C10 lines that are being written stay out, whole ones go in, with a newline at their end", async () => {
  const { home, vault, file } = stage();
  const [name = ""] = namesIn(home, "ledger");
  const ledger = readFileSync(join(home, "ledger", name), "utf8");
  appendFileSync(join(home, "ledger", name), `\n{"id":"torn","ts":"20`);
  writeTree(home, {
    "ledger/other-2026-01.ndjson": `{"id":"whole","ts":"2026-01-02T03:04:05.000Z","event":"win"}`,
    "LIBRARIAN.md": "### a heading\npromoted by hand, no newline",
  });
  await backupHome(sourceOf(vault), file);
  const { files } = await readEntries(file);
  assert.equal(files.get(`ledger/${name}`)?.toString(), `${ledger}\n`);
  assert.ok(files.get("ledger/other-2026-01.ndjson")?.toString().endsWith(`"win"}\n`));
  assert.equal(files.get("LIBRARIAN.md")?.toString(), "### a heading\npromoted by hand, no newline\n");
});

test("design 4a W5: what cannot go into a backup is named, each with a reason, and everything else is in it", async () => {
  const { home, vault, file } = stage();
  symlinkSync("/etc/passwd", join(home, "universal/canon/link.md"));
  mkdirSync(join(home, "universal/canon/folder.md"));
  const hash = sha256("# one\n");
  const object = `versions/objects/${hash.slice(0, 2)}/${hash}`;
  writeTree(home, {
    [object]: "# damaged\n",
    "0123456789ab/candidates/a:b.md": "x",
    "universal/canon/notes.txt": "not a skill, and yet of the home\n",
  });
  const report = await backupHome(sourceOf(vault), file);
  assert.deepEqual(paths(report).sort(), [
    "0123456789ab/candidates/a:b.md",
    "universal/canon/folder.md",
    "universal/canon/link.md",
    object,
  ]);
  for (const { message } of report.leftOut) assert.match(message, /\w/);
  const { files } = await readEntries(file);
  assert.equal(files.get("universal/canon/notes.txt")?.toString(), "not a skill, and yet of the home\n");
  assert.equal(files.has(object), false);
});

test("design 4: a signal ends a backup, and nothing of it is left", async () => {
  const { vault, file } = stage();
  writeFileSync(file, "mine");
  for (const after of [0, 1, 5]) {
    const controller = new AbortController();
    let seen = 0;
    if (after === 0) controller.abort();
    const progress = () => {
      if (++seen === after) controller.abort();
    };
    const options = { force: true, signal: controller.signal, progress };
    await assert.rejects(backupHome(sourceOf(vault), file, options), { code: "CANONRY_ABORTED" });
    assert.equal(readFileSync(file, "utf8"), "mine");
    assert.deepEqual(namesIn(join(file, "..")), ["b.tar.gz"]);
  }
});

test("P2 a disk that is full leaves no half backup and the old one as it was", {
  skip: noFullDisk(),
}, async () => {
  const { home, vault } = stage();
  writeTree(home, { "universal/canon/big/noise.bin": randomBytes(300_000) });
  const disk = temporaryFolder();
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=128k", "tmpfs", disk]);
  try {
    const file = join(disk, "b.tar.gz");
    writeFileSync(file, "old");
    await assert.rejects(backupHome(sourceOf(vault), file, { force: true }), { code: "CANONRY_DISK" });
    assert.equal(readFileSync(file, "utf8"), "old");
    assert.deepEqual(namesIn(disk), ["b.tar.gz"]);
  } finally {
    execFileSync("umount", [disk]);
  }
  assert.ok(existsSync(home));
});

function noFullDisk(): string | false {
  if (process.platform !== "linux" || process.getuid?.() !== 0)
    return "only root can mount a small file system";
  const probe = temporaryFolder();
  if (spawnSync("mount", ["-t", "tmpfs", "-o", "size=4k", "tmpfs", probe]).status !== 0)
    return "no tmpfs can be mounted here";
  return spawnSync("umount", [probe]).status === 0 ? false : "a tmpfs cannot be unmounted here";
}

test("cli: a text, a record and a line that are lost are named, with what names them", async () => {
  const { home, vault, file } = stage();
  vault.commit(put("# three\n", "# two\n", 3));
  const one = sha256("# one\n");
  const object = `versions/objects/${one.slice(0, 2)}/${one}`;
  rmSync(join(home, object));
  const folder = "versions/universal/retry-flaky-test";
  const [, two = "", three = ""] = namesIn(home, folder);
  rmSync(join(home, folder, two));
  const ledger = `ledger/${namesIn(home, "ledger")[0]}`;
  appendFileSync(join(home, ledger), `{"id":"torn`);
  const then = Date.now() / 1_000 - 3;
  utimesSync(join(home, ledger), then, then);
  const lost = paths(await backupHome(sourceOf(vault), file));
  assert.deepEqual(lost.sort(), [ledger, object, `${folder}/*${two.slice(1)}`].sort());
  writeFileSync(join(home, folder, three), "no JSON");
  const named = paths(await backupHome(sourceOf(vault), `${file}.2`));
  assert.ok(named.includes(`${folder}/${three}`));
});
