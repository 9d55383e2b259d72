import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createContext } from "../../lib/core/context.ts";
import { sha256 } from "../../lib/core/hash.ts";
import { createLayout } from "../../lib/vault/layout.ts";
import { openVault, type Vault } from "../../lib/vault/vault.ts";
import { viewVault } from "../../lib/vault/view-vault.ts";
import { temporaryFolder, writeTree } from "../support/home.ts";
import { namesIn, openStage, runChild } from "./stage.ts";

test("design 2: a mount is kept with its absolute path, for the user or a project, and again changes nothing", () => {
  const { home, vault } = openStage();
  const dir = temporaryFolder();
  assert.deepEqual(vault.mount([`${dir}/./`], "*"), [{ dir, for: "*" }]);
  vault.mount([dir], "0123456789ab");
  vault.mount([dir, dir], "*");
  assert.deepEqual(vault.mounts(), [
    { dir, for: "*" },
    { dir, for: "0123456789ab" },
  ]);
  assert.deepEqual(openVault({ home }).mounts(), vault.mounts());
  assert.deepEqual(vault.unmount([dir, "/nowhere"]), {
    removed: [
      { dir, for: "*" },
      { dir, for: "0123456789ab" },
    ],
    unknown: ["/nowhere"],
  });
  assert.deepEqual(vault.mounts(), []);
});

test("design 2: what is no folder, or overlaps the home, is not mounted, and then none of the call is", () => {
  const { home, vault } = openStage();
  const dir = temporaryFolder();
  writeTree(dir, { file: "", "link-to/x": "" });
  symlinkSync(home, join(dir, "to-home"));
  writeTree(home, { "universal/canon/a.md": "" });
  for (const bad of [
    join(dir, "none"),
    join(dir, "file"),
    home,
    join(home, "universal"),
    join(home, ".."),
    join(dir, "to-home"),
    "/",
  ])
    assert.throws(() => vault.mount([dir, bad], "*"), { code: "CANONRY_USAGE" }, bad);
  assert.throws(() => vault.mount([dir], "everyone"), { code: "CANONRY_USAGE" });
  assert.deepEqual(vault.mounts(), []);
});

test("design 2: the id of a mounted place follows from its real path, so that links to it are one place", () => {
  const { vault } = openStage();
  const root = temporaryFolder();
  const real = join(root, ".claude", "skills");
  mkdirSync(real, { recursive: true });
  symlinkSync(real, join(root, "link"));
  vault.mount([join(root, "link"), real], "*");
  const places = vault.places();
  assert.equal(vault.mounts().length, 2);
  assert.deepEqual(places, [
    {
      id: `claude-skills-${sha256(real).slice(0, 6)}`,
      kind: "mount",
      fingerprint: "*",
      dir: join(root, "link"),
    },
  ]);
  assert.deepEqual(vault.unmount([real]).removed.length, 2);
});

test("B110 a mount that is out of reach keeps its place and id", () => {
  const { vault } = openStage();
  const root = temporaryFolder();
  mkdirSync(join(root, "real"));
  symlinkSync(join(root, "real"), join(root, "link"));
  vault.mount([join(root, "link")], "*");
  const before = vault.places();
  renameSync(join(root, "real"), join(root, "elsewhere"));
  assert.deepEqual(vault.places(), before);
});

test("B53 a damaged mounts.json is kept aside with a warning, and mounting goes on beside it", () => {
  for (const [i, text] of [
    "",
    '{"mounts":[{"dir":"/a"',
    '{"mounts":"all"}',
    '{"mounts":[{"dir":"/a","for":"everyone"}]}',
  ].entries()) {
    const { home, vault, warnings } = openStage();
    const dir = temporaryFolder();
    writeFileSync(join(home, "local/mounts.json"), text);
    if (i % 2 === 0) assert.deepEqual(vault.mounts(), []);
    vault.mount([dir], "*");
    assert.equal(readFileSync(join(home, "local/mounts.json.bak"), "utf8"), text);
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? "", /mounts\.json.*kept as .*mounts\.json\.bak/);
    assert.deepEqual(vault.mounts(), [{ dir, for: "*" }]);
  }
});

test("B53 a folder, pipe or link in the place of mounts.json is kept aside with a warning as damaged", {
  skip: process.platform === "win32" && "Windows has no named pipes",
}, () => {
  for (const make of [
    (path: string) => mkdirSync(path),
    (path: string) => execFileSync("mkfifo", [path]),
    (path: string) => symlinkSync("/nowhere", path),
    (path: string) => symlinkSync(`${path}.bak`, path),
  ]) {
    for (const reads of [true, false]) {
      const { home, vault, warnings } = openStage();
      const dir = temporaryFolder();
      make(join(home, "local/mounts.json"));
      const before = lstatSync(join(home, "local/mounts.json")).ino;
      if (reads) assert.deepEqual(vault.mounts(), []);
      vault.mount([dir], "*");
      assert.equal(lstatSync(join(home, "local/mounts.json.bak")).ino, before);
      assert.deepEqual(vault.mounts(), [{ dir, for: "*" }]);
      assert.equal(warnings.length, 1);
      assert.match(warnings[0] ?? "", /is damaged; it is kept as .*mounts\.json\.bak\./);
    }
  }
});

test("P3 of processes that mount at once none loses its folder", async () => {
  const { home, vault } = openStage();
  const dirs = Array.from({ length: 6 }, () => temporaryFolder());
  const outcomes = await Promise.all(dirs.map((mount) => runChild({ home, mount })));
  assert.deepEqual(
    outcomes.map((one) => one.code),
    dirs.map(() => undefined),
  );
  assert.deepEqual(
    vault
      .mounts()
      .map((mount) => mount.dir)
      .sort(),
    dirs.sort(),
  );
  assert.deepEqual(
    namesIn(home, "local").filter((name) => name.includes("tmp")),
    [],
  );
  assert.deepEqual(namesIn(home, "versions"), [], "files of this machine have no versions");
});

test("P2 a mount whose process was killed after its claim is there for the next one", async () => {
  const { home } = openStage();
  const mount = temporaryFolder();
  await runChild({
    home,
    mount,
    hook: { call: "linkSync", path: "commit/local/mounts\\.1$", when: "after", act: "die" },
  });
  assert.deepEqual(openVault({ home }).mounts(), [{ dir: mount, for: "*" }]);
});

/** A vault that may not set a damaged file aside: it warns each time that it reads one. */
function viewStage(home: string, clock: () => number): { vault: Vault; warnings: string[] } {
  const warnings: string[] = [];
  const log = { warn: (line: string) => void warnings.push(line), note() {} };
  return { vault: viewVault(home, createContext({ log, clock })), warnings };
}

/** What `mounts.json` says where one folder is mounted for the user. */
function mountsText(dir: string): string {
  return `${JSON.stringify({ mounts: [{ dir, for: "*", real: dir }] })}\n`;
}

test("B20 mounts.json is read for every question while it is young: an equal clock tick may hide a change", () => {
  const { home } = openStage();
  const reads = (ageMs: number): number => {
    const { vault, warnings } = viewStage(home, () => Date.now() + ageMs);
    for (let count = 0; count < 3; count++) assert.deepEqual(vault.mounts(), []);
    return warnings.length;
  };
  writeFileSync(createLayout(home).mounts, "damaged");
  assert.equal(reads(0), 3);
  assert.equal(reads(60_000), 1);
});

test("B20 mounts.json that has been standing for long is read again when only the time of its change is another", () => {
  const { vault } = openStage({ clock: () => Date.now() + 60_000 });
  const root = temporaryFolder();
  const past = new Date(Date.now() - 3_600_000);
  for (const name of ["one", "two"]) {
    writeFileSync(vault.layout.mounts, mountsText(join(root, name)));
    utimesSync(vault.layout.mounts, past, past);
    assert.deepEqual(vault.mounts(), [{ dir: join(root, name), for: "*" }]);
    assert.deepEqual(vault.mounts(), [{ dir: join(root, name), for: "*" }]);
    // A tick of the file system's clock is at most ten milliseconds.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 30);
  }
});
