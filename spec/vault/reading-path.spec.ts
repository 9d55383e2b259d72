import assert from "node:assert/strict";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder, writeTree } from "../support/home.ts";
import { openStage } from "./stage.ts";

const PROJECT = "0123456789ab";

test("design 2: the reading path is project, universal, mounts of the project, mounts of the user", () => {
  const { home, vault } = openStage();
  const [mine, yours, other] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
  vault.mount([mine], "*");
  vault.mount([yours], PROJECT);
  vault.mount([other], "ba9876543210");
  const path = vault.readingPath(PROJECT);
  assert.deepEqual(
    path.map(({ kind, fingerprint, dir }) => ({ kind, fingerprint, dir })),
    [
      { kind: "space", fingerprint: PROJECT, dir: join(home, PROJECT) },
      { kind: "space", fingerprint: "*", dir: join(home, "universal") },
      { kind: "mount", fingerprint: PROJECT, dir: yours },
      { kind: "mount", fingerprint: "*", dir: mine },
    ],
  );
  assert.deepEqual(
    path.slice(0, 2).map((place) => place.id),
    [PROJECT, "universal"],
  );
});

test("design 2: spaces of the reading path need not be on disk, and nothing is made for them", () => {
  const { vault } = openStage();
  assert.equal(vault.readingPath(PROJECT).length, 2);
  assert.deepEqual(vault.places(), []);
});

test("C8 outside a project only universal and the user's mounts are read", () => {
  const { vault } = openStage();
  const [mine, yours] = [temporaryFolder(), temporaryFolder()];
  vault.mount([mine], "*");
  vault.mount([yours], PROJECT);
  assert.deepEqual(
    vault
      .readingPath("*")
      .map((place) => place.dir)
      .slice(1),
    [mine],
  );
  assert.equal(vault.readingPath("*")[0]?.id, "universal");
});

test("design 2: a folder mounted for the project and the user stands once, where the project's mounts stand", () => {
  const { vault } = openStage();
  const [both, mine] = [temporaryFolder(), temporaryFolder()];
  vault.mount([mine, both], "*");
  vault.mount([both], PROJECT);
  assert.deepEqual(
    vault
      .readingPath(PROJECT)
      .slice(2)
      .map((place) => place.dir),
    [both, mine],
  );
  assert.deepEqual(
    vault
      .readingPath("ba9876543210")
      .slice(2)
      .map((place) => place.dir),
    [mine, both],
  );
});

test("S1.28 what is no fingerprint has no reading path", () => {
  const { vault } = openStage();
  for (const bad of ["", "..", "0123456789AB", "0123456789abc", "universal", "local"])
    assert.throws(() => vault.readingPath(bad), { code: "CANONRY_USAGE" }, bad);
});

test("design 2: places are the spaces on disk, universal first, then by fingerprint, then the mounts in order", () => {
  const { home, vault } = openStage();
  const mount = temporaryFolder();
  writeTree(home, {
    "ffffffffffff/canon/a.md": "",
    "000000000000/candidates/a.md": "",
    "universal/canon/a.md": "",
    "not-a-space/canon/a.md": "",
    abcdefabcdef: "a file",
  });
  mkdirSync(join(mount, "linked"));
  symlinkSync(join(mount, "linked"), join(home, "111111111111"));
  symlinkSync(join(mount, "nowhere"), join(home, "222222222222"));
  vault.mount([mount], "*");
  assert.deepEqual(
    vault
      .places()
      .slice(0, -1)
      .map((place) => place.id),
    ["universal", "000000000000", "111111111111", "ffffffffffff"],
  );
  assert.equal(vault.places().at(-1)?.dir, mount);
});
