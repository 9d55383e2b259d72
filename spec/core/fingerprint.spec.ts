import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { computeFingerprint, isFingerprint } from "../../lib/core/fingerprint.ts";
import { temporaryFolder, writeTree } from "../support/home.ts";

const git = (folder: string, ...args: string[]) =>
  execFileSync("git", ["-C", folder, "-c", "user.name=n", "-c", "user.email=e@example.org", ...args], {
    stdio: ["ignore", "pipe", "ignore"],
  });
const twelve = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 12);

test("S1.28 a fingerprint is twelve hex digits of the remote's address as it is written", () => {
  const repo = temporaryFolder();
  git(repo, "init", "-q");
  for (const url of ["git@example.org:team/repo.git", "https://user:secret@example.org/team/repo"]) {
    git(repo, "config", "remote.origin.url", url);
    assert.equal(computeFingerprint(repo), twelve(url));
  }
  git(repo, "config", "remote.origin.url", "  https://example.org/padded  ");
  assert.equal(computeFingerprint(repo), twelve("https://example.org/padded"));
  mkdirSync(join(repo, "deep", "down"), { recursive: true });
  assert.equal(computeFingerprint(join(repo, "deep", "down")), twelve("https://example.org/padded"));
});

test("S1.28 outside a repository it is made from the real path of the folder", () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "real"));
  symlinkSync(join(folder, "real"), join(folder, "link"));
  assert.equal(computeFingerprint(join(folder, "real")), twelve(join(folder, "real")));
  assert.equal(computeFingerprint(join(folder, "link")), twelve(join(folder, "real")));
});

test("C45 worktrees of a repository without a remote share one fingerprint", () => {
  const root = temporaryFolder();
  const repo = join(root, "repo");
  mkdirSync(repo);
  git(repo, "init", "-q");
  writeTree(repo, { "a.txt": "a" });
  git(repo, "add", ".");
  git(repo, "commit", "-q", "-m", "first");
  git(repo, "worktree", "add", "-q", join(root, "tree"));
  assert.equal(computeFingerprint(repo), twelve(repo));
  assert.equal(computeFingerprint(join(root, "tree")), twelve(repo));
});

test("S1.28 a git hook's variables do not make it another repository's", () => {
  const [one, other] = [temporaryFolder(), temporaryFolder()];
  for (const [repo, url] of [
    [one, "https://example.org/one"],
    [other, "https://example.org/other"],
  ] as const) {
    git(repo, "init", "-q");
    git(repo, "config", "remote.origin.url", url);
  }
  process.env["GIT_DIR"] = join(other, ".git");
  try {
    assert.equal(computeFingerprint(one), twelve("https://example.org/one"));
  } finally {
    delete process.env["GIT_DIR"];
  }
});

test("S1.28 without git on the path the folder stands in", () => {
  const folder = temporaryFolder();
  const path = process.env["PATH"];
  process.env["PATH"] = "";
  try {
    assert.equal(computeFingerprint(folder), twelve(folder));
  } finally {
    process.env["PATH"] = path;
  }
});

test("design 4: a folder that is not there is an error that names it", () => {
  const folder = temporaryFolder();
  writeTree(folder, { file: "" });
  for (const bad of [join(folder, "none"), join(folder, "file")])
    assert.throws(() => computeFingerprint(bad), { code: "CANONRY_USAGE" });
});

test("S1.28 only twelve lower-case hex digits are a fingerprint", () => {
  assert.equal(isFingerprint("0123456789ab"), true);
  for (const bad of [
    "",
    "0123456789a",
    "0123456789abc",
    "0123456789AB",
    "0123456789ag",
    "*",
    "0123456789ab\n",
  ])
    assert.equal(isFingerprint(bad), false);
});
