import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createContext } from "../../lib/core/context.ts";
import { initHome } from "../../lib/vault/init.ts";
import { openVault } from "../../lib/vault/vault.ts";
import { temporaryFolder, writeTree } from "../support/home.ts";
import { namesIn } from "./stage.ts";

const git = (home: string, ...args: string[]) =>
  execFileSync("git", ["-C", home, ...args], { encoding: "utf8" });
const ignored = (home: string, path: string) =>
  spawnSync("git", ["-C", home, "check-ignore", "-q", path]).status === 0;

function makeHome(files: Record<string, string> = {}): string {
  const home = temporaryFolder();
  git(home, "init", "-q");
  writeTree(home, files);
  initHome(home, createContext());
  return home;
}

test("C65 git ignores what derives from transcripts or belongs to the machine, in the home and in every tenant", () => {
  const home = makeHome();
  for (const root of ["", "tenants/acme/"])
    for (const path of [
      "local/vault.json",
      "local/commit/universal/a.1",
      "index.sqlite",
      "index.sqlite.bak-2",
      "index.memory",
      "gate/m.ndjson",
      "labels/a.json",
      "reports/a.md",
      "0123456789ab/candidates/a.md",
      "universal/processed/2026-01-02/a.md",
      "0123456789ab/dropped/2026-01-02/a.md",
      "0123456789ab/proposals/p1.md",
      "universal/canon/.a.md.tmp-123-0123456789ab",
    ])
      assert.ok(ignored(home, root + path), root + path);
});

test("C65 git keeps skills, their files of any name, versions, ledger, journal and settings", () => {
  const home = makeHome();
  for (const root of ["", "tenants/acme/"])
    for (const path of [
      "LIBRARIAN.md",
      "settings.json",
      "0123456789ab/canon/a.md",
      "universal/canon/a/reports/x.md",
      "universal/canon/a/local/x.md",
      "universal/canon/a/index.html",
      "universal/canon/a/proposals/x.md",
      "universal/quarantine/a.md",
      "universal/archive/a.md",
      "universal/canon/gate/x.md",
      "universal/members/u/canon/a.md",
      "versions/universal/a/1-01234567.json",
      "versions/objects/ab/abcd",
      "ledger/m-2026-01.ndjson",
      "universal/canon/index-pages.md",
    ])
      assert.ok(!ignored(home, root + path), root + path);
});

test("C65 append-only files merge by union", () => {
  const home = makeHome();
  const attributes = git(
    home,
    "check-attr",
    "merge",
    "ledger/m-2026-01.ndjson",
    "LIBRARIAN.md",
    "universal/canon/a.md",
  );
  assert.deepEqual(attributes.trim().split("\n"), [
    "ledger/m-2026-01.ndjson: merge: union",
    "LIBRARIAN.md: merge: union",
    "universal/canon/a.md: merge: unspecified",
  ]);
});

test("C65 a person's lines stay, only missing ones are added, and again nothing changes", () => {
  const home = makeHome({
    ".gitignore": "mine\r\n/local/\r\nno newline at the end",
    ".gitattributes": "* text=auto\n",
  });
  const text = readFileSync(join(home, ".gitignore"), "utf8");
  assert.ok(text.startsWith("mine\r\n/local/\r\nno newline at the end\n"));
  assert.equal(text.match(/^\/local\/\r?$/gm)?.length, 1);
  assert.ok(ignored(home, "gate/x") && ignored(home, "no newline at the end"));
  assert.ok(readFileSync(join(home, ".gitattributes"), "utf8").startsWith("* text=auto\n"));
  initHome(home, createContext());
  assert.equal(readFileSync(join(home, ".gitignore"), "utf8"), text);
});

test("C65 a link in place of .gitignore is left alone and the log says what it should hold", () => {
  const home = temporaryFolder();
  const elsewhere = temporaryFolder();
  writeTree(elsewhere, { ignore: "theirs\n" });
  symlinkSync(join(elsewhere, "ignore"), join(home, ".gitignore"));
  const warnings: string[] = [];
  initHome(home, createContext({ log: { warn: (line) => void warnings.push(line), note() {} } }));
  assert.equal(readFileSync(join(elsewhere, "ignore"), "utf8"), "theirs\n");
  assert.match(warnings.join("\n"), /\.gitignore is not a file of its own.*\/local\//);
});

test("C65 opening a home that is there leaves its patterns as its owner wants them", () => {
  const home = makeHome();
  openVault({ home, create: true });
  writeTree(home, { ".gitignore": "# I track candidates\n" });
  openVault({ home, create: true });
  assert.equal(readFileSync(join(home, ".gitignore"), "utf8"), "# I track candidates\n");
  assert.deepEqual(namesIn(home).sort(), [".git", ".gitattributes", ".gitignore", "local"]);
});

test("C65 files that git tracks although they derive from transcripts are named", () => {
  const home = makeHome({
    "universal/canon/a/reports/x.md": "",
    "universal/proposals/p.md": "",
    "gate/m.ndjson": "",
    "tenants/acme/universal/candidates/c.md": "",
    "index.sqlite": "",
  });
  git(home, "add", "-f", ".");
  const tracked = openVault({ home }).trackedPrivateFiles();
  assert.deepEqual(tracked, [
    "gate/m.ndjson",
    "index.sqlite",
    "tenants/acme/universal/candidates/c.md",
    "universal/proposals/p.md",
  ]);
  assert.deepEqual(openVault({ home: temporaryFolder() }).trackedPrivateFiles(), []);
});
