import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { lstatSync, mkdirSync, rmSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createContext } from "../../lib/core/context.ts";
import { sha256 } from "../../lib/core/hash.ts";
import { adoptObject, readWhole } from "../../lib/vault/objects.ts";
import { sweepVault } from "../../lib/vault/sweep.ts";
import { openVault } from "../../lib/vault/vault.ts";
import { temporaryFolder, writeTree } from "../support/home.ts";
import { sourceOf } from "./archives.ts";
import { CANARY, treeHash } from "./outside.ts";
import { namesIn, objectText, openStage, put, textOf } from "./stage.ts";

const KEPT = [
  "local/kept/0123456789abcdef-0123456789ab",
  "local/kept/0123456789abcdef-moved-universal.retry-flaky-test-0123456789ab",
  "local/kept/0123456789abcdef-folder-0123456789ab",
  "local/kept/notes",
];
const TEMPS = ["local/temp/.retry-flaky-test.1.tmp-1-0123456789ab", "local/temp/.object.tmp-1-0123456789ab"];
const TOKEN = "local/commit/universal/.retry-flaky-test.1.tmp-1-0123456789ab";

/** A file outside, with a canary in it. */
function outside(): { folder: string; file: string } {
  const folder = temporaryFolder();
  writeTree(folder, { "secret.md": CANARY });
  return { folder, file: join(folder, "secret.md") };
}

function everything(home: string): string[] {
  return namesIn(home, "versions/objects").flatMap((start) => namesIn(home, "versions/objects", start));
}

test("T-S8 links to files outside, in the place of what was kept or given up, are neither read nor filed, and lead to no harm", () => {
  const { home, vault } = openStage();
  vault.commit(put("one\n", null, 1));
  const { folder, file } = outside();
  const before = treeHash(folder);
  const objects = everything(home);
  for (const path of [...KEPT, ...TEMPS]) {
    writeTree(home, { [`${path}-`]: "" });
    rmSync(join(home, `${path}-`));
    symlinkSync(file, join(home, path));
  }
  for (const ahead of [0, 61_000, 100_000_000]) {
    const clock = () => Date.now() + ahead;
    sweepVault({ layout: vault.layout, machine: vault.machine, context: createContext({ clock }) });
  }
  vault.commit(put("two\n", "one\n", 2));
  assert.equal(treeHash(folder), before, "something changed outside");
  assert.equal(objectText(home, sha256(CANARY)), undefined, "what a link leads to was filed");
  assert.deepEqual(
    everything(home).filter((hash) => !objects.includes(hash)),
    [sha256("two\n")],
  );
  assert.ok(
    everything(home).every((hash) =>
      lstatSync(join(home, "versions/objects", hash.slice(0, 2), hash)).isFile(),
    ),
    "a link was filed",
  );
  assert.equal(textOf(home), "two\n");
});

test("T-S8 a token that is a link to a file outside goes, and nothing of that file is copied into the home", () => {
  const { home, vault } = openStage();
  vault.commit(put("one\n", null, 1));
  const { folder, file } = outside();
  const before = treeHash(folder);
  symlinkSync(file, join(home, TOKEN));
  // the next number is used up: tokens up to it go, and say beforehand what their temporary files were
  vault.commit(put("two\n", "one\n", 2));
  assert.deepEqual(
    namesIn(home, "local/commit/universal").filter((name) => name.includes(".tmp-")),
    [],
  );
  assert.deepEqual(namesIn(home, "local/temp"), []);
  assert.equal(treeHash(folder), before);
});

test("T-S8 what is no regular file is read as nobody's text: a link, a link to one, a folder, a pipe", () => {
  const { home, vault } = openStage();
  const { room } = sourceOf(vault);
  const { folder, file } = outside();
  mkdirSync(join(home, "local/kept"), { recursive: true });
  const [link, link2, there] = ["a", "b", "c"].map((name) => join(home, "local/kept", name));
  symlinkSync(file, link ?? "");
  symlinkSync(link ?? "", link2 ?? "");
  symlinkSync(folder, there ?? "");
  const pipe = join(home, "local/kept", "d");
  if (process.platform !== "win32") execFileSync("mkfifo", [pipe]);
  for (const path of [link, link2, there, folder, pipe]) {
    assert.throws(() => readWhole(path ?? ""), { code: "CANONRY_DISK" }, path);
    assert.throws(() => adoptObject(room, path ?? ""), { code: "CANONRY_DISK" }, path);
  }
  assert.equal(readWhole(file).toString(), CANARY, "the file itself is one");
  assert.deepEqual(everything(home), []);
});

test("T-S8 a kept or temp folder that is a link to a folder outside is not swept: nothing there is read, filed or removed", () => {
  for (const place of ["local/kept", "local/temp"]) {
    const { home, vault } = openStage();
    vault.commit(put("one\n", null, 1));
    const folder = temporaryFolder();
    const names = [".object.tmp-1-0123456789ab", "0123456789abcdef-0123456789ab", "secret.md"];
    writeTree(folder, Object.fromEntries(names.map((name) => [name, CANARY])));
    for (const name of names) utimesSync(join(folder, name), 0, 0);
    rmSync(join(home, place), { recursive: true, force: true });
    symlinkSync(folder, join(home, place));
    const before = treeHash(folder);
    const log = { warn() {}, note() {} };
    openVault({ home, context: createContext({ clock: () => Date.now() + 100_000_000, log }) }).close();
    assert.equal(treeHash(folder), before, `${place}: something changed outside`);
    assert.equal(objectText(home, sha256(CANARY)), undefined, place);
  }
});
