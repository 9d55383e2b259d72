import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { existsSync, linkSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { assertRelativePath, problemOfPath } from "../../lib/vault/path-rules.ts";
import { openInside, readInside } from "../../lib/vault/paths.ts";
import { temporaryFolder, writeTree } from "../support/home.ts";

const small = { maxBytes: 1_000, links: "refuse" } as const;

test("S5.5 a path beside a skill is relative, with forward slashes, and never leaves its folder", () => {
  const bad = [
    "",
    "/",
    "/etc/passwd",
    "..",
    "../x",
    "a/../b",
    "a/..",
    "./a",
    "a/./b",
    "a//b",
    "a/",
    "//server/share",
    "\\\\server\\share",
    "a\\b",
    "C:x",
    "C:/x",
    "file:///etc/passwd",
    "a.md:stream",
    "a\0b",
    "a\nb",
    "a\u0007",
    "a\u007f",
    "\ud800",
    "x".repeat(256),
    `${"a/".repeat(256)}b`,
    "CON",
    "con.md",
    "a/NUL",
    "aux.tar.gz",
    "com1",
    "LPT9.txt",
    "COM¹",
    "conin$",
    "a.",
    "a ",
    "a./b",
    "a /b",
    "...",
  ];
  for (const path of bad) {
    assert.notEqual(problemOfPath(path), undefined, JSON.stringify(path));
    assert.throws(() => assertRelativePath(path), { code: "CANONRY_INVALID_PATH" }, JSON.stringify(path));
  }
  for (const path of [
    "a",
    "references/notes.md",
    ".hidden",
    "a b/c d.md",
    "ünï/名.md",
    "console.md",
    "-rf",
    "%2e%2e/x",
    `${"x".repeat(255)}/${"y".repeat(255)}`,
  ])
    assert.equal(assertRelativePath(path), path);
});

test("S5.5 a path may have 512 bytes and no more, counted in UTF-8", () => {
  const path = `${"é".repeat(127)}/${"é".repeat(127)}/xx`;
  assert.equal(Buffer.byteLength(path), 512);
  assert.equal(problemOfPath(path), undefined);
  assert.match(problemOfPath(`${path}x`) ?? "", /513 bytes, at most 512/);
});

test("S5.5 SKILL.md is no file beside a skill where that is asked", () => {
  assert.equal(problemOfPath("SKILL.md"), undefined);
  for (const path of ["SKILL.md", "skill.md"])
    assert.match(problemOfPath(path, { skillMd: false }) ?? "", /SKILL\.md itself/);
  assert.equal(problemOfPath("references/SKILL.md", { skillMd: false }), undefined);
});

test("S1.25 a file below the root is read whole, up to the limit and not one byte more", () => {
  const root = temporaryFolder();
  writeTree(root, {
    "references/a.md": "text",
    "big.md": "x".repeat(1_001),
    "limit.md": "x".repeat(1_000),
    "empty.md": "",
  });
  assert.equal(readInside(root, "references/a.md", small).toString(), "text");
  assert.equal(readInside(root, "limit.md", small).length, 1_000);
  assert.equal(readInside(root, "empty.md", small).length, 0);
  assert.throws(() => readInside(root, "big.md", small), { code: "CANONRY_FILE_TOO_LARGE" });
  for (const path of ["none.md", "references/none.md", "big.md/x", "none/none.md"])
    assert.throws(() => readInside(root, path, small), { code: "CANONRY_FILE_NOT_FOUND" }, path);
  assert.throws(() => readInside(join(root, "none"), "a.md", small), { code: "CANONRY_FILE_NOT_FOUND" });
});

test("P9 a folder, a pipe, a socket and a device are refused, and none of them keeps the reader waiting", {
  timeout: 20_000,
}, async () => {
  const root = temporaryFolder();
  mkdirSync(join(root, "folder"));
  execFileSync("mkfifo", [join(root, "pipe")]);
  for (const path of ["folder", "pipe"])
    assert.throws(() => readInside(root, path, small), { code: "CANONRY_INVALID_PATH" }, path);
  for (const [folder, path] of [
    ["/dev", "null"],
    ["/dev", "zero"],
    ["/dev", "tty"],
  ] as const)
    if (existsSync(folder))
      assert.throws(() => readInside(folder, path, small), { code: "CANONRY_INVALID_PATH" }, path);
});

test("P9 no link leads out of the root, whether it is the file, a folder on the way, or a chain of them", () => {
  const [root, outside] = [temporaryFolder(), temporaryFolder()];
  writeTree(outside, { "secret.md": "secret" });
  writeTree(root, { "real/a.md": "text" });
  symlinkSync(join(outside, "secret.md"), join(root, "file.md"));
  symlinkSync(outside, join(root, "folder"));
  symlinkSync("file.md", join(root, "chain.md"));
  symlinkSync("/proc/self/environ", join(root, "environ.md"));
  symlinkSync("/dev/zero", join(root, "zero.md"));
  symlinkSync("loop.md", join(root, "loop.md"));
  for (const links of ["refuse", "follow"] as const)
    for (const path of ["file.md", "folder/secret.md", "chain.md", "environ.md", "zero.md"])
      assert.throws(
        () => readInside(root, path, { maxBytes: 1_000, links }),
        { code: "CANONRY_INVALID_PATH" },
        `${links} ${path}`,
      );
  assert.throws(() => readInside(root, "loop.md", small), { code: "CANONRY_INVALID_PATH" });
  assert.throws(() => readInside(root, "loop.md", { maxBytes: 1, links: "follow" }), {
    code: "CANONRY_DISK",
  });
});

test("B19 in a mounted folder links that stay inside are followed, and the real path is told", () => {
  const root = temporaryFolder();
  writeTree(root, { "real/a.md": "text" });
  symlinkSync("real", join(root, "linked"));
  symlinkSync("../real/a.md", join(root, "real", "b.md"));
  symlinkSync(root, `${root}-link`);
  for (const path of ["linked/a.md", "real/b.md"]) {
    assert.throws(() => readInside(root, path, small), { code: "CANONRY_INVALID_PATH" }, path);
    assert.equal(openInside(root, path, { maxBytes: 10, links: "follow" }).realPath, join(root, "real/a.md"));
  }
  assert.equal(
    readInside(`${root}-link`, "real/a.md", small).toString(),
    "text",
    "the root itself is trusted as given",
  );
});

test("trust 4b a folder that is exchanged for a link in a loop never gives a byte from outside", {
  timeout: 60_000,
}, async () => {
  const [root, outside] = [temporaryFolder(), temporaryFolder()];
  writeTree(outside, { "a.md": "secret" });
  writeTree(root, { "refs/a.md": "inside" });
  symlinkSync(outside, join(root, "link"));
  writeFileSync(
    join(root, "flip.cjs"),
    `
    const fs = require("node:fs");
    for (const end = Date.now() + 2500; Date.now() < end; ) for (let i = 0; i < 200; i++) {
      fs.renameSync("refs", "kept"); fs.renameSync("link", "refs"); fs.renameSync("refs", "link"); fs.renameSync("kept", "refs");
    }`,
  );
  const flipper = spawn(process.execPath, ["flip.cjs"], { cwd: root, stdio: "inherit" });
  let running = true;
  const ended = new Promise<void>((resolve) =>
    flipper.on("close", () => {
      running = false;
      resolve();
    }),
  );
  const seen = { inside: 0, refused: 0 };
  while (running) {
    for (let i = 0; i < 500; i++) {
      for (const links of ["refuse", "follow"] as const)
        try {
          assert.equal(readInside(root, "refs/a.md", { maxBytes: 100, links }).toString(), "inside");
          seen.inside++;
        } catch (error) {
          if (error instanceof assert.AssertionError) throw error;
          seen.refused++;
        }
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
  await ended;
  assert.ok(seen.inside > 0 && seen.refused > 0, JSON.stringify(seen));
});

test("design 4: a hard link is a file like any other below the root", () => {
  const root = temporaryFolder();
  writeTree(root, { "a.md": "text" });
  linkSync(join(root, "a.md"), join(root, "b.md"));
  assert.equal(readInside(root, "b.md", small).toString(), "text");
});

test("P2 a file that another process replaces all the time is always read, and always whole", {
  timeout: 60_000,
}, async () => {
  const root = temporaryFolder();
  const texts = ["a".repeat(900), "b".repeat(300)];
  writeTree(root, { "refs/a.md": texts[0] ?? "" });
  const script = `
    const fs = require("node:fs");
    const texts = ${JSON.stringify(texts)};
    for (const end = Date.now() + 1500, n = { i: 0 }; Date.now() < end; n.i++) {
      fs.writeFileSync("new", texts[n.i % 2]); fs.renameSync("new", "refs/a.md");
    }`;
  const writer = spawn(process.execPath, ["-e", script], { cwd: root, stdio: "inherit" });
  let running = true;
  const ended = new Promise<void>((resolve) =>
    writer.on("close", () => {
      running = false;
      resolve();
    }),
  );
  while (running) {
    for (let i = 0; i < 500; i++) assert.ok(texts.includes(readInside(root, "refs/a.md", small).toString()));
    await new Promise((resolve) => setImmediate(resolve));
  }
  await ended;
});
