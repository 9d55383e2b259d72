import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { temporaryFolder, writeTree } from "../support/home.ts";
import { ROOT } from "../support/root.ts";

interface RealHome {
  fingerprintHome(home: string, folders?: readonly string[]): Map<string, string>;
  compareHomes(
    before: Map<string, string>,
    after: Map<string, string>,
  ): { touched: string[]; running: string[] };
}

const { fingerprintHome, compareHomes }: RealHome = await import(
  pathToFileURL(join(ROOT, "scripts", "real-home.mjs")).href
);

/** What the comparison says of `step`, done to a made-up home of two hosts. */
function after(step: (home: string) => void): { touched: string[]; running: string[] } {
  const home = temporaryFolder();
  writeTree(home, {
    ".claude/skills/lint/SKILL.md": "---\nname: lint\n---\n",
    ".claude/projects/a/one.jsonl": "{}\n",
    ".canonry/settings.json": "{}",
    "Documents/letter.txt": "mine",
  });
  const before = fingerprintHome(home);
  step(home);
  return compareHomes(before, fingerprintHome(home));
}

test("S4.33 a home that nobody touched compares as the same", () => {
  assert.deepEqual(
    after(() => {}),
    { touched: [], running: [] },
  );
});

test("S4.33 a changed, a new and a vanished file are named", () => {
  assert.deepEqual(after((home) => appendFileSync(join(home, ".claude/skills/lint/SKILL.md"), "x")).touched, [
    "~/.claude/skills/lint/SKILL.md changed",
  ]);
  assert.deepEqual(after((home) => writeFileSync(join(home, ".canonry/index.sqlite"), "")).touched, [
    "~/.canonry/index.sqlite appeared",
  ]);
  assert.deepEqual(after((home) => rmSync(join(home, ".canonry/settings.json"))).touched, [
    "~/.canonry/settings.json vanished",
  ]);
});

test("S4.33 bytes of the same length are seen by their time", () => {
  const { touched } = after((home) => {
    writeFileSync(join(home, ".canonry/settings.json"), "[]");
    utimesSync(join(home, ".canonry/settings.json"), 1, 1);
  });
  assert.deepEqual(touched, ["~/.canonry/settings.json changed"]);
});

test("S4.33 a host folder that was not there before is named", () => {
  assert.deepEqual(after((home) => mkdirSync(join(home, ".codex"))).touched, ["~/.codex appeared"]);
  assert.deepEqual(after((home) => mkdirSync(join(home, ".config/opencode"), { recursive: true })).touched, [
    "~/.config/opencode appeared",
  ]);
});

test("S4.33 what a running host adds to its transcripts is told apart, what vanishes there is not", () => {
  const grown = after((home) => appendFileSync(join(home, ".claude/projects/a/one.jsonl"), "{}\n"));
  assert.deepEqual(grown, { touched: [], running: ["~/.claude/projects/a/one.jsonl changed"] });
  const gone = after((home) => rmSync(join(home, ".claude/projects/a/one.jsonl")));
  assert.deepEqual(gone, { touched: ["~/.claude/projects/a/one.jsonl vanished"], running: [] });
});

test("S4.33 files that are none of ours are not looked at", () => {
  assert.deepEqual(
    after((home) => appendFileSync(join(home, "Documents/letter.txt"), "x")),
    { touched: [], running: [] },
  );
});
