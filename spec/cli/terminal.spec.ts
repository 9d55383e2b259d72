import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { shown } from "../../lib/cli/terminal.ts";
import { checkedJson, runBin } from "../support/cli.ts";
import { temporaryFolder, writeTree } from "../support/home.ts";
import { skill } from "../support/library.ts";
import { ROOT } from "../support/root.ts";

const ESCAPE = "\u001b[31m";
const STEERS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/u;

test("cli manners: a line keeps its columns and loses what would steer a terminal", () => {
  assert.equal(shown("ok      home     a\u001b]0;x\u0007b"), "ok      home     a ]0;x b");
  assert.equal(shown("     → do\u009b2J \u202ethis\n\r\t  now  "), "     → do 2J this  now");
});

test("cli manners: escapes in folders, names and messages reach no terminal; JSON and a body are exact", {
  skip: process.platform === "win32" && "Windows allows no control character in a name",
}, () => {
  const root = temporaryFolder();
  const home = join(root, "home");
  const folder = join(root, `skills${ESCAPE}`);
  mkdirSync(home);
  writeTree(folder, {
    "good/SKILL.md": skill("good-one", "copper kettle \u202eelttek", `red ${ESCAPE}text`),
    [`good/${ESCAPE}.md`]: "x\n",
    [`bad${ESCAPE}\n/SKILL.md`]: "no frontmatter\n",
  });
  for (const args of [
    ["mount", folder],
    ["reindex", "--full"],
    ["mounts"],
    ["list", "--all"],
    ["search", "kettle"],
    ["search", `zebra${ESCAPE}`],
    ["doctor", "--verbose"],
    ["read", "good-one", "--file", `${ESCAPE}none.md`],
    ["list", "--repo", join(root, ESCAPE)],
    ["config", "--dsn", join(root, ESCAPE)],
    ["mount", join(root, `none${ESCAPE}`)],
  ]) {
    if (args[0] === "mount") runBin("canonry", ["init"], { home });
    const { out, err } = runBin("canonry", args, { home });
    assert.doesNotMatch(out + err, STEERS, JSON.stringify(args));
    assert.ok((out + err).length > 5, JSON.stringify(args));
  }
  const failed = runBin("reindex", [join(root, `none${ESCAPE}`)], { home });
  assert.match(failed.err, /There is no folder/);
  assert.doesNotMatch(failed.err, STEERS);
  const read = runBin("canonry", ["read", "good-one"], { home });
  assert.ok(read.out.includes(`red ${ESCAPE}text`));
  assert.doesNotMatch(read.err, STEERS);
  const json = checkedJson("mounts", runBin("canonry", ["mounts", "--json"], { home }).out);
  assert.deepEqual(json, { mounts: [{ dir: folder, for: "*", skills: 1, unreadable: 1 }] });
});

test("cli manners: --color takes auto, always and never, anywhere, and nothing else", () => {
  const home = temporaryFolder();
  runBin("canonry", ["init"], { home });
  const plain = runBin("canonry", ["config"], { home });
  assert.equal(plain.code, 0);
  for (const when of ["auto", "always", "never"]) {
    assert.deepEqual(runBin("canonry", ["config", "--color", when], { home }), plain);
    assert.deepEqual(runBin("canonry", [`--color=${when}`, "config"], { home }), plain);
  }
  assert.deepEqual(
    runBin("canonry", ["--color", "never"], { home }),
    runBin("canonry", [], { home }),
    "the overview",
  );
  assert.equal(runBin("reindex", ["--color", "never"], { home }).code, 0);
  for (const [bin, args] of [
    ["canonry", ["config", "--color", "red"]],
    ["canonry", ["--color", "red"]],
    ["canonry", ["--color=red", "help"]],
    ["reindex", ["--color", "red"]],
  ] as const) {
    const ran = runBin(bin, args, { home });
    assert.deepEqual([ran.code, ran.out], [2, ""], args.join(" "));
    assert.match(ran.err, /--color is one of auto, always, never; received "red"\./);
  }
  assert.equal(runBin("canonry", ["config", "--color"], { home }).code, 2);
});

test("cli manners: help and version with --json are one document each", () => {
  const home = temporaryFolder();
  for (const args of [
    ["help"],
    ["help", "search"],
    ["help", "exit-codes"],
    ["--help"],
    ["list", "--help"],
    [],
  ] as const) {
    const text = runBin("canonry", args, { home }).out;
    assert.ok(text.length > 100);
    const ran = runBin("canonry", [...args, "--json"], { home });
    assert.deepEqual([ran.code, ran.err], [0, ""], args.join(" "));
    assert.deepEqual(checkedJson("help", ran.out), { text });
  }
  const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string };
  for (const bin of ["canonry", "reindex"] as const) {
    const ran = runBin(bin, ["--version", "--json"], { home });
    assert.deepEqual(checkedJson("version", ran.out), { version: manifest.version });
    checkedJson("help", runBin(bin, ["--help", "--json"], { home }).out);
  }
});
