import assert from "node:assert/strict";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { findHostFolders } from "../../lib/hosts/find.ts";
import { temporaryFolder, writeTree } from "../support/home.ts";

test("B19 the folders of hosts are found once each, with who reads them and whose they are", () => {
  const user = temporaryFolder();
  const repo = join(temporaryFolder(), "repo");
  for (const dir of [".agents/skills", ".hermes/skills", ".claude"])
    mkdirSync(join(user, dir), { recursive: true });
  symlinkSync("../.agents/skills", join(user, ".claude/skills"));
  for (const dir of [".git", ".github/skills", "src/deep"]) mkdirSync(join(repo, dir), { recursive: true });
  writeTree(repo, { ".gemini/skills": "a file\n" });
  const found = findHostFolders(user, join(repo, "src/deep"));
  assert.deepEqual(
    found.map(({ dir, scope, readers, owners }) => [dir, scope, readers.join(" "), owners.join(" ")]),
    [
      [join(user, ".claude/skills"), "user", "claude-code codex copilot opencode", "claude-code codex"],
      [join(user, ".hermes/skills"), "user", "hermes", "hermes"],
      [join(repo, ".github/skills"), "project", "copilot", "copilot"],
    ],
  );
  assert.equal(found[0]?.real, join(user, ".agents/skills"));
});

test("B19 a folder that one host alone reads is its own, wherever it stands in that host's list", () => {
  const user = temporaryFolder();
  mkdirSync(join(user, ".codex/skills"), { recursive: true });
  const found = findHostFolders(user, user);
  assert.deepEqual(
    found.map(({ readers, owners }) => [readers, owners]),
    [[["codex"], ["codex"]]],
  );
});

test("B19 a home that is the repository too has each folder once; an empty home has none", () => {
  const user = temporaryFolder();
  assert.deepEqual(findHostFolders(user, user), []);
  mkdirSync(join(user, ".agents/skills"), { recursive: true });
  const [one, ...others] = findHostFolders(user, user);
  assert.deepEqual([one?.scope, one?.owners, others], ["user", ["codex"], []]);
  assert.ok(one?.readers.includes("gemini-cli"), "which reads it as the repository's");
});
