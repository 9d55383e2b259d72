import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs, {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { appendOnce } from "../../lib/core/append.ts";
import {
  createExclusive,
  exists,
  linkExclusive,
  listNames,
  publish,
  replaceFile,
  sweepTemps,
  writeNew,
  writeTemp,
} from "../../lib/core/atomic.ts";
import { keepAside } from "../../lib/core/keep-aside.ts";
import { makeFolder } from "../../lib/core/make-folder.ts";
import { isTempName, tempPath } from "../../lib/core/temp-names.ts";
import { temporaryFolder, writeTree } from "../support/home.ts";

const bytes = (text: string) => Buffer.from(text);

test("P2 a file is replaced whole, and nothing is left beside it", () => {
  const folder = temporaryFolder();
  const file = join(folder, "a.md");
  replaceFile(file, bytes("one"));
  replaceFile(file, bytes("two"), { mode: 0o600 });
  assert.equal(readFileSync(file, "utf8"), "two");
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.deepEqual(listNames(folder), ["a.md"]);
});

test("P2 a disk that is full keeps the old file whole, and no part of the new one", (t) => {
  const folder = temporaryFolder();
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", folder], { stdio: "ignore" });
  } catch {
    return t.skip("a small file system cannot be mounted here");
  }
  try {
    const file = join(folder, "a.md");
    replaceFile(file, bytes("old"));
    assert.throws(() => replaceFile(file, Buffer.alloc(200_000, 120)), { code: "CANONRY_DISK" });
    assert.throws(() => createExclusive(join(folder, "b.md"), Buffer.alloc(200_000, 120)), {
      code: "CANONRY_DISK",
    });
    assert.throws(() => appendOnce(join(folder, "log"), Buffer.alloc(200_000, 120)), {
      code: "CANONRY_DISK",
    });
    rmSync(join(folder, "log"));
    assert.equal(readFileSync(file, "utf8"), "old");
    assert.deepEqual(listNames(folder), ["a.md"]);
  } finally {
    execFileSync("umount", [folder]);
  }
});

test("P2 a temporary file that somebody removed is an error of replace, not a silent success", () => {
  const folder = temporaryFolder();
  const temp = writeTemp(join(folder, "a.md"), bytes("text"));
  rmSync(temp);
  assert.equal(publish(temp, join(folder, "a.md")), false);
  assert.equal(exists(join(folder, "a.md")), false);
  const rename = fs.renameSync;
  const sweepFirst = (from: fs.PathLike, to: fs.PathLike) => {
    fs.rmSync(from);
    rename(from, to);
  };
  Object.assign(fs, { renameSync: sweepFirst });
  syncBuiltinESMExports();
  try {
    assert.throws(() => replaceFile(join(folder, "a.md"), bytes("text")), { code: "CANONRY_DISK" });
  } finally {
    Object.assign(fs, { renameSync: rename });
    syncBuiltinESMExports();
  }
});

test("P3 of many callers one makes the file, and its bytes are whole", () => {
  const folder = temporaryFolder();
  const file = join(folder, "slot");
  assert.deepEqual(
    [createExclusive(file, bytes("first")), createExclusive(file, bytes("second"))],
    [true, false],
  );
  assert.equal(readFileSync(file, "utf8"), "first");
  assert.deepEqual(listNames(folder), ["slot"]);
});

test("design 5: where two places cannot be linked, exclusive creation stands in, with bytes and permissions", (t) => {
  if (!existsSync("/dev/shm")) return t.skip("there is no second file system here");
  const folder = temporaryFolder();
  const other = mkdtempSync("/dev/shm/canonry-spec-");
  try {
    if (statSync(other).dev === statSync(folder).dev) return t.skip("there is no second file system here");
    writeFileSync(join(other, "from"), "text");
    chmodSync(join(other, "from"), 0o750);
    assert.equal(linkExclusive(join(other, "from"), join(folder, "to")), true);
    assert.equal(readFileSync(join(folder, "to"), "utf8"), "text");
    assert.equal(statSync(join(folder, "to")).mode & 0o777, 0o750);
    writeFileSync(join(other, "from"), "later");
    assert.equal(linkExclusive(join(other, "from"), join(folder, "to")), false);
    assert.equal(readFileSync(join(folder, "to"), "utf8"), "text");
    assert.throws(() => linkExclusive(join(other, "none"), join(folder, "x")), { code: "CANONRY_DISK" });
  } finally {
    rmSync(other, { recursive: true });
  }
});

test("P3 writing a new file never touches one that is there, a link included", () => {
  const folder = temporaryFolder();
  writeTree(folder, { "a.md": "old", victim: "old" });
  symlinkSync(join(folder, "victim"), join(folder, "link"));
  for (const name of ["a.md", "link"])
    assert.throws(() => writeNew(join(folder, name), bytes("new")), { code: "CANONRY_DISK" });
  assert.equal(readFileSync(join(folder, "a.md"), "utf8"), "old");
  assert.equal(readFileSync(join(folder, "victim"), "utf8"), "old");
});

test("B53 what is set aside never lands on what was set aside before, and keeps its bytes", () => {
  const folder = temporaryFolder();
  const file = join(folder, "index.sqlite");
  for (const [text, kept] of [
    ["one", ".bak"],
    ["two", ".bak-2"],
    ["three", ".bak-3"],
  ] as const) {
    writeFileSync(file, text);
    assert.equal(keepAside(file), file + kept);
    assert.equal(readFileSync(file + kept, "utf8"), text);
  }
  assert.equal(keepAside(file), undefined, "somebody else was first");
  mkdirSync(file);
  assert.equal(keepAside(file, ".seed"), `${file}.seed`);
  mkdirSync(file);
  assert.equal(keepAside(file, ".seed"), `${file}.seed-2`, "an empty folder is not replaced either");
  assert.deepEqual(listNames(folder), [
    "index.sqlite.bak",
    "index.sqlite.bak-2",
    "index.sqlite.bak-3",
    "index.sqlite.seed",
    "index.sqlite.seed-2",
  ]);
});

test("design 5: leftover temporary files go after a day, and only those", () => {
  const folder = temporaryFolder();
  const temp = tempPath(join(folder, "a.md"));
  const long = tempPath(join(folder, "é".repeat(120)));
  writeTree(folder, { "a.md": "", ".a.md.tmp-notes": "", "b.tmp-1-0123456789ab": "" });
  for (const path of [temp, long]) writeFileSync(path, "");
  const now = Date.now();
  assert.equal(sweepTemps(folder, now + 86_399_000, 86_400_000), 0);
  utimesSync(temp, 0, now / 1_000 - 86_401);
  assert.equal(sweepTemps(folder, now, 86_400_000), 1);
  assert.equal(sweepTemps(folder, now + 86_401_000, 86_400_000), 1);
  assert.deepEqual(listNames(folder), [".a.md.tmp-notes", "a.md", "b.tmp-1-0123456789ab"]);
});

test("design 5: a temporary file is hidden, beside its target, and no two have one name", () => {
  const names = Array.from({ length: 50 }, () => tempPath("/folder/a.md"));
  assert.equal(new Set(names).size, 50);
  for (const name of names)
    assert.ok(name.startsWith("/folder/.a.md.tmp-") && isTempName(name.slice("/folder/".length)));
  assert.equal(isTempName("a.md"), false);
});

test("B110 a folder that is gone has no names, one that cannot be listed is an error", () => {
  const folder = temporaryFolder();
  writeTree(folder, { file: "", "made/deep/down/x": "" });
  assert.deepEqual(listNames(join(folder, "none")), []);
  assert.deepEqual(listNames(join(folder, "file")), []);
  assert.equal(exists(join(folder, "file", "x")), false);
  symlinkSync("loop", join(folder, "loop"));
  assert.throws(() => listNames(join(folder, "loop")), { code: "CANONRY_DISK" });
  makeFolder(join(folder, "one/two/three"));
  makeFolder(join(folder, "one/two/three"));
  assert.throws(() => makeFolder(join(folder, "file", "x")), { code: "CANONRY_DISK" });
});

test("S1.18 lines of several writers are appended whole, and a link or a pipe is no file to append to", () => {
  const folder = temporaryFolder();
  appendOnce(join(folder, "log"), bytes("one\n"));
  appendOnce(join(folder, "log"), bytes("two\n"), { sync: true });
  assert.equal(readFileSync(join(folder, "log"), "utf8"), "one\ntwo\n");
  linkSync(join(folder, "log"), join(folder, "victim"));
  symlinkSync(join(folder, "victim"), join(folder, "link"));
  execFileSync("mkfifo", [join(folder, "pipe")]);
  for (const name of ["link", "pipe"])
    assert.throws(() => appendOnce(join(folder, name), bytes("x")), /Could not append/);
  assert.equal(readFileSync(join(folder, "victim"), "utf8"), "one\ntwo\n");
});

test("P9 a folder in a tree that takes none is a typed error, not a loop", {
  skip: !existsSync("/proc/self") && "there is no /proc here",
}, () => {
  assert.throws(() => makeFolder("/proc/no-such-folder/deeper"), {
    name: "CanonryError",
    code: /^CANONRY_(DISK|READ_ONLY)$/,
  });
});
