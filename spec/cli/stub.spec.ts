import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { columnsOf } from "../../lib/core/columns.ts";
import { checkedJson, runBin } from "../support/cli.ts";
import { temporaryFolder, writeTree } from "../support/home.ts";
import { skill } from "../support/library.ts";

/** A home over a mounted folder of these skills. */
function homeWith(skills: Readonly<Record<string, string>>): string {
  const root = temporaryFolder();
  const [home, folder] = [join(root, "home"), join(root, "skills")];
  mkdirSync(home);
  const files = Object.entries(skills).map(([name, text]) => [`${name}/SKILL.md`, skill(name, text)]);
  writeTree(folder, Object.fromEntries(files));
  assert.equal(runBin("reindex", [folder], { home }).code, 0);
  return home;
}

const SKILLS = { aa: "Fold a blimp", bb: "Mend a zeppelin", cc: "Keep a diary" };
const names = (out: string) => [...out.matchAll(/^- `(.+?)` — /gm)].map((match) => match[1]);

test("cli: --task takes a text or, as -, all of stdin, and says when it is empty", () => {
  const home = homeWith(SKILLS);
  const stub = (args: string[], input = "") => runBin("canonry", ["stub", ...args], { home, input });
  const given = stub(["--task", "mend the zeppelin"]);
  assert.deepEqual([given.code, given.err, names(given.out)], [0, "", ["bb", "aa", "cc"]]);
  assert.equal(stub(["--task", "-"], `The zeppelin.\n${"x".repeat(1_048_576)}`).out, given.out);
  const none = stub([]).out;
  for (const empty of [stub(["--task", ""]), stub(["--task", "-"])]) {
    assert.deepEqual([empty.code, empty.out], [0, none]);
    assert.match(empty.err, /^The task is empty: the stub is the one without a task\.$/m);
  }
});

test("cli: a task on stdin has at most 64 MiB; more is a usage error that says so", () => {
  const home = homeWith(SKILLS);
  const { code, out, err } = runBin("canonry", ["stub", "--task", "-"], {
    home,
    input: "x".repeat(67_108_865),
  });
  assert.deepEqual([code, out], [2, ""]);
  assert.match(err, /A task on stdin has at most 64 MiB; received more\. Its first 4096 bytes count\./);
});

test("cli: --rank takes seed and evidence, and names the nearest of another word", () => {
  const home = homeWith(SKILLS);
  const stub = (rank: string) => runBin("canonry", ["stub", "--rank", rank], { home });
  assert.deepEqual([stub("evidence").code, stub("seed").code], [0, 0]);
  const wrong = stub("evidnce");
  assert.deepEqual([wrong.code, wrong.out], [2, ""]);
  assert.match(wrong.err, /--rank is one of seed, evidence; received "evidnce"\. Did you mean evidence\?/);
});

test("cli: --explain leaves stdout as it is and gives a table on stderr, 80 columns wide", () => {
  const skills: Record<string, string> = { ...SKILLS };
  for (let i = 10; i < 60; i++) skills[`a-rather-long-name-of-a-skill-${i}`] = `第${i}个技能的说明`;
  const home = homeWith(skills);
  const stub = (...args: string[]) => runBin("canonry", ["stub", ...args], { home });
  const [plain, explained] = [stub(), stub("--explain")];
  assert.deepEqual([explained.code, explained.out], [0, plain.out]);
  const lines = explained.err.trimEnd().split("\n");
  assert.ok(lines.slice(1).every((line) => columnsOf(line) <= 80));
  assert.equal(lines[1], "In the stub: 30 skills");
  assert.equal(lines[2], "     1  a-rather-long-name-of-a-skill…  seed order: 0 wins in 0 uses");
  assert.equal(lines[32], "Left out: 23 skills");
  assert.equal(lines[33], "    31  a-rather-long-name-of-a-skill…  over the limit of 30 skills; seed order…");
  assert.equal(lines.at(-1), "and 3 more; --verbose names them all");
  assert.match(stub("--explain", "--verbose").err, /^ {4}53 {2}cc +over the limit of 30 skills/m);
  assert.equal(stub("--explain", "--quiet").err, "");
});

test("cli: the --json of stub has what --explain says only with it", () => {
  const home = homeWith(SKILLS);
  const json = (...args: string[]) =>
    checkedJson("stub", runBin("canonry", ["stub", "--json", ...args], { home }).out) as Record<
      string,
      unknown
    >;
  assert.deepEqual(Object.keys(json("--task", "blimp")), ["text", "count", "remaining", "tokens"]);
  const { explained } = json("--task", "zeppelin", "--explain", "--budget", "65");
  assert.deepEqual(
    (explained as { place: string }[]).map(({ place: _, ...rest }) => rest),
    [
      { name: "bb", in: true, rank: 1, reason: "matches the task: zeppelin", score: 1, tokens: 7 },
      { name: "aa", in: false, rank: 2, reason: "over the budget; seed order: 0 wins in 0 uses", tokens: 6 },
      { name: "cc", in: false, rank: 3, reason: "over the budget; seed order: 0 wins in 0 uses", tokens: 6 },
    ],
  );
});
