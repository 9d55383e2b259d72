import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { sha256 } from "../../lib/core/hash.ts";
import { runBin } from "../support/cli.ts";
import { temporaryFolder, writeTree } from "../support/home.ts";
import { skill } from "../support/library.ts";
import { giveAway, noPlainUser, plainUser } from "../support/nobody.ts";
import { archiveOf, readEntries } from "../vault/archives.ts";

const FLAKY = skill("flaky", "Run a failing test again");

/** A home with two skills and a ledger that belongs to the plain user, and a folder for archives. */
function prepared(): { root: string; home: string; file: string } {
  const root = temporaryFolder();
  const home = join(root, "home");
  writeTree(home, {
    "universal/canon/pdf-merge.md": skill("pdf-merge", "Join PDF files"),
    "universal/canon/flaky.md": FLAKY,
  });
  assert.equal(runBin("canonry", ["init"], { home }).code, 0);
  assert.equal(runBin("canonry", ["read", "flaky"], { home }).code, 0);
  chmodSync(root, 0o777);
  return { root, home, file: join(root, "b.tar.gz") };
}

test("cli: settings that are refused, or name no driver, keep nobody from a backup, which holds them as they stand", async () => {
  const { home, file } = prepared();
  const cases: [string, RegExp | undefined][] = [
    [
      `{"drivr":"memory"}`,
      /^canonry: \S+settings\.json has the unknown key "drivr"\. Did you mean driver\?.* defaults/,
    ],
    [`{"driver":`, /^canonry: \S+settings\.json is not JSON.* goes on with the defaults/],
    [`{"driver":7}`, /^canonry: .*settings\.json: driver: .* goes on with the defaults/],
    [`{"driver":"nonsense","engine":"none"}`, undefined],
  ];
  for (const [text, warning] of cases) {
    writeTree(home, { "settings.json": text });
    const ran = runBin("canonry", ["backup", file, "--force"], { home });
    assert.equal(ran.code, 0, ran.err);
    if (warning === undefined) assert.equal(ran.err, "");
    else assert.match(ran.err, warning);
    const { files } = await readEntries(file);
    assert.equal(files.get("settings.json")?.toString(), text);
    assert.equal(files.get("universal/canon/flaky.md")?.toString(), FLAKY);
    assert.equal(runBin("canonry", ["restore-backup", file], { home }).code, 0);
  }
});

test("cli: files and folders that cannot be read are named by a backup with 1, and all else is in it", {
  skip: noPlainUser(),
}, async () => {
  const locked = [
    "settings.json",
    "ledger/other-2026-01.ndjson",
    "universal/canon/flaky.md",
    "0123456789ab/canon",
    "tenants",
    "local/commit/universal",
  ];
  for (const one of locked) {
    const { home, file } = prepared();
    writeTree(home, {
      "settings.json": "{}",
      "ledger/other-2026-01.ndjson": "{}\n",
      "0123456789ab/canon/x.md": skill("x", "Something else"),
      "tenants/acme/universal/canon/y.md": skill("y", "Theirs"),
      "local/commit/universal/any.1.done": "",
    });
    giveAway(home);
    chmodSync(join(home, one), 0);
    const ran = runBin("canonry", ["backup", file], { home, ...plainUser });
    chmodSync(join(home, one), 0o755);
    assert.equal(ran.code, 1, `${one}: ${ran.err}`);
    assert.match(ran.err, new RegExp(`^left out: ${one}: .*EACCES`, "m"));
    assert.match(
      ran.err,
      /^canonry: \d+ paths? could not be backed up whole; all the rest is in the archive\.$/m,
    );
    const { files } = await readEntries(file);
    const all = [
      "settings.json",
      "universal/canon/pdf-merge.md",
      "universal/canon/flaky.md",
      "0123456789ab/canon/x.md",
    ];
    for (const path of all)
      assert.equal(files.has(path), !path.startsWith(one), `${path} with ${one} locked`);
  }
});

test("cli: a list of mounts that cannot be read is said, and takes nothing from a backup", {
  skip: noPlainUser(),
}, () => {
  const { home, file } = prepared();
  writeTree(home, { "local/mounts.json": `{"mounts":[]}` });
  giveAway(home);
  chmodSync(join(home, "local/mounts.json"), 0);
  const ran = runBin("canonry", ["backup", file], { home, ...plainUser });
  assert.equal(ran.code, 0, ran.err);
  assert.match(
    ran.err,
    /^canonry: Mounted folders are not in the backup, and which there are is not known: .*EACCES/,
  );
});

test("P5 files of the home that cannot be read cost a restore nothing else: texts are put anew, others are named", {
  skip: noPlainUser(),
}, async () => {
  const { root, home } = prepared();
  const object = (text: string) => `versions/objects/${sha256(text).slice(0, 2)}/${sha256(text)}`;
  const files = {
    [object("one\n")]: "one\n",
    [object("two\n")]: "two\n",
    "ledger/other-2026-01.ndjson": "\n",
    "gate/m.ndjson": `{"id":"g"}\n`,
    "universal/canon/flaky.md": FLAKY,
    "universal/canon/added.md": skill("added", "New here"),
    "0123456789ab/canon/fresh.md": skill("fresh", "New here too"),
    "0123456789ab/proposals/p.md": "p",
  };
  const file = await archiveOf(join(root, "b.tar.gz"), files);
  const locked = [
    object("one\n"),
    "ledger/other-2026-01.ndjson",
    "gate/m.ndjson",
    "universal/canon/flaky.md",
  ];
  for (const one of locked) writeTree(home, { [one]: "secret" });
  giveAway(home);
  for (const one of locked) chmodSync(join(home, one), 0);
  const ran = runBin("canonry", ["restore-backup", file], { home, ...plainUser });
  assert.equal(ran.code, 1, ran.err);
  for (const one of locked.slice(1))
    assert.match(ran.err, new RegExp(`^not restored: ${one}: .*EACCES`, "m"));
  assert.match(
    ran.err,
    /^canonry: versions\/objects\S+ could not be read \(EACCES\): it is kept as \S+\.damaged, /m,
  );
  assert.match(ran.out, /, 3 not restored\n$/);
  for (const [path, text] of Object.entries(files))
    if (!locked.slice(1).includes(path)) assert.equal(readFileSync(join(home, path), "utf8"), text, path);
  assert.equal(readFileSync(join(home, `${object("one\n")}.damaged`), "utf8"), "secret");
});

test("cli: a new home is made with all of a backup in it, also below folders that are not there, and nothing is beside", async () => {
  const { root, home, file } = prepared();
  assert.equal(runBin("canonry", ["backup", file], { home }).code, 0);
  const fresh = join(root, "a/b/fresh");
  const ran = runBin("canonry", ["restore-backup", file, "--home", fresh], { home });
  assert.equal(ran.code, 0, ran.err);
  assert.equal(readFileSync(join(fresh, "universal/canon/flaky.md"), "utf8"), FLAKY);
  assert.ok(existsSync(join(fresh, "local/vault.json")));
  assert.deepEqual(readdirSync(join(root, "a/b")), ["fresh"]);
  assert.deepEqual(readdirSync(root).sort(), ["a", "b.tar.gz", "home"]);
  mkdirSync(join(root, "empty"));
  assert.equal(runBin("canonry", ["restore-backup", file, "--home", join(root, "empty")], { home }).code, 0);
  assert.equal(readFileSync(join(root, "empty/universal/canon/flaky.md"), "utf8"), FLAKY);
});

test("cli: what is named in place of an archive is called what it is, and no home is made", () => {
  const { root, home, file } = prepared();
  writeTree(root, { empty: "", "hello.gz": gzipSync("hello\n") });
  const cases: [string, number, RegExp][] = [
    ["/dev/null", 2, /^canonry: \/dev\/null is no regular file\. .* write - for it\.\n$/],
    [join(root, "none"), 2, /^canonry: There is no file \S+none to restore from\.\n$/],
    [join(root, "empty/none"), 2, /^canonry: There is no file \S+none to restore from\.\n$/],
    [join(root, "empty"), 1, /: it is empty, and so no backup of Canonry's\. Nothing was restored\./],
    [
      join(root, "hello.gz"),
      1,
      /: it is no backup of Canonry's, or its beginning is gone: [^.]*\. Nothing was restored\./,
    ],
  ];
  for (const [path, code, message] of cases) {
    const ran = runBin("canonry", ["restore-backup", path, "--home", join(root, "fresh")], { home });
    assert.deepEqual([ran.code, ran.out], [code, ""], path);
    assert.match(ran.err, message);
    assert.deepEqual(readdirSync(root).sort(), ["empty", "hello.gz", "home"]);
  }
  const folder = runBin("canonry", ["backup", root], { home });
  assert.equal(folder.code, 2);
  assert.match(folder.err, /is a folder\. Name a file in it/);
  assert.equal(existsSync(file), false);
});
