import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { appendOnce } from "../../lib/core/append.ts";
import { inFolder } from "../../lib/core/held-folder.ts";
import { takeSlot } from "../../lib/vault/slots.ts";
import { openVault } from "../../lib/vault/vault.ts";
import { temporaryFolder, writeTree } from "../support/home.ts";
import { openHeard } from "../support/library.ts";
import { CANARY, layOut, treeHash } from "./outside.ts";

const linux = {
  skip: process.platform === "linux" ? false : "needs /proc to know where an open file stands",
};

/** Puts a link to a folder outside in the place of a folder of the home. */
function exchange(root: string, place: string): string {
  const outside = join(root, "outside", place.replaceAll("/", "-"));
  mkdirSync(outside, { recursive: true });
  const path = join(root, "home", place);
  if (existsSync(path)) renameSync(path, `${path}.kept`);
  symlinkSync(outside, path);
  return path;
}

test("P9 a canon folder that is a link is named, and nothing behind it is listed, read or found", async () => {
  const { root, home, outside } = layOut(temporaryFolder());
  rmSync(join(home, "universal/canon"), { recursive: true });
  symlinkSync(outside, join(home, "universal/canon"));
  const { library } = await openHeard({ home, fingerprint: "*" });
  const { problems } = await library.doctor().then((health) => ({ problems: JSON.stringify(health) }));
  assert.match(problems, /canon.*symbolic link; a space of the home holds files only/);
  assert.deepEqual(await library.list(), []);
  assert.equal((await library.search(CANARY)).hits.length, 0);
  await assert.rejects(library.read("inner"), { code: "CANONRY_SKILL_NOT_FOUND" });
  assert.ok(existsSync(join(root, "outside/inner.md")));
});

test("P9 the files beside a canon skill are not those behind a link, whether its folder or one in it is one", async () => {
  for (const place of ["universal/canon/inner", "universal/canon/inner/references"]) {
    const { home, outside } = layOut(temporaryFolder());
    rmSync(join(home, place), { recursive: true });
    symlinkSync(join(outside, place.endsWith("inner") ? "inner" : "references"), join(home, place));
    const { library } = await openHeard({ home, fingerprint: "*" });
    assert.deepEqual((await library.read("inner")).files, [], place);
    await assert.rejects(library.read("inner", { file: "references/a.md" }), { name: "CanonryError" }, place);
  }
});

test("P9 a home in which a folder of Canonry's own is a link is read, said to be so, and never written through", async () => {
  const folders = [
    "ledger",
    "local/commit",
    "local/slots",
    "local/index",
    "versions",
    "versions/objects",
    "versions/objects/ab",
  ];
  for (const place of folders) {
    const root = temporaryFolder();
    const { home } = layOut(root);
    openVault({ home, create: true }).close();
    mkdirSync(join(home, place), { recursive: true });
    const linked = exchange(root, place);
    const before = treeHash(root, [home]);
    const { library, heard } = await openHeard({ home, fingerprint: "*" });
    assert.match((await library.read("inner", { runId: "r", wave: 0, agent: "a" })).body, /Inside/, place);
    await library.reindex();
    await library.close();
    assert.equal(treeHash(root, [home]), before, `${place}: something was written outside`);
    assert.ok(
      heard.warnings.some((line) => line.includes(`${linked} is a symbolic link`)),
      `${place}: ${heard.warnings.join("; ")}`,
    );
  }
});

test("P9 nothing is appended to, or made, behind a link in the place of the folder", linux, () => {
  const root = temporaryFolder();
  writeTree(root, { "outside/a.ndjson": "kept\n", "inside/b.ndjson": "" });
  symlinkSync(join(root, "outside"), join(root, "link"));
  const before = treeHash(join(root, "outside"));
  for (const name of ["a.ndjson", "new.ndjson"])
    assert.throws(
      () => appendOnce(join(root, "link", name), Buffer.from("x")),
      { code: "CANONRY_DISK" },
      name,
    );
  assert.equal(treeHash(join(root, "outside")), before);
  appendOnce(join(root, "inside/new.ndjson"), Buffer.from("x"));
  assert.deepEqual(readdirSync(join(root, "inside")), ["b.ndjson", "new.ndjson"]);
});

test("P9 a held folder stays the one it was, whatever is put in its place", linux, () => {
  const root = temporaryFolder();
  writeTree(root, { "folder/a": "inside", "outside/b": "outside" });
  const names = inFolder(join(root, "folder"), (held) => {
    renameSync(join(root, "folder"), join(root, "kept"));
    symlinkSync(join(root, "outside"), join(root, "folder"));
    return readdirSync(held);
  });
  assert.deepEqual(names, ["a"]);
  assert.throws(() => inFolder(join(root, "folder"), () => "in"));
});

test("P9 a pipe, a folder or a link in the place of a slot is a slot that is taken, and nobody waits for it", {
  timeout: 20_000,
}, () => {
  const reader = { runId: "r", wave: 0, agent: "a" };
  for (const make of [
    (path: string) => void execFileSync("mkfifo", [path]),
    (path: string) => void mkdirSync(path),
    (path: string) => symlinkSync("/dev/zero", path),
  ]) {
    const slots = join(temporaryFolder(), "slots");
    assert.equal(takeSlot(slots, reader, "one"), "taken");
    const [folder = ""] = readdirSync(slots);
    make(join(slots, folder, "slot-2"));
    assert.deepEqual(
      ["two", "three", "four", "five"].map((skill) => takeSlot(slots, reader, skill)),
      ["taken", "taken", "taken", "full"],
    );
  }
});

test("P9 a home whose local folder is a link is refused where what stands there is needed, and never written through", async () => {
  const root = temporaryFolder();
  const { home } = layOut(root);
  openVault({ home, create: true }).close();
  exchange(root, "local");
  const before = treeHash(root, [home]);
  const { library } = await openHeard({ home, fingerprint: "*" });
  await assert.rejects(library.read("inner"), { code: "CANONRY_INVALID_PATH" });
  await library.close();
  assert.equal(treeHash(root, [home]), before);
});
