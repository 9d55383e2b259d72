import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { checkedJson, runBin } from "../support/cli.ts";
import { temporaryFolder, writeTree } from "../support/home.ts";
import { skill } from "../support/library.ts";

test("cli: lint prints file, line, column and code with who would refuse, and leaves with 1; it makes no home", () => {
  const root = temporaryFolder();
  const home = join(root, "none");
  writeTree(root, {
    "skills/good/SKILL.md": skill("good", "Does a thing"),
    "skills/bad/SKILL.md": skill("worse", "Does <a> thing"),
  });
  const ran = runBin("canonry", ["lint", "skills"], { home, cwd: root });
  assert.equal(ran.code, 1, ran.err);
  const lines = ran.out.trimEnd().split("\n");
  assert.match(
    lines[0] ?? "",
    /^problem skills\/bad\/SKILL\.md:2:1: NAME_MISMATCH: .*Refused by skills-ref validate\.$/,
  );
  assert.match(
    lines[1] ?? "",
    /^problem skills\/bad\/SKILL\.md:3:1: DESCRIPTION_BRACKETS: .*claude\.ai upload\.$/,
  );
  assert.deepEqual([lines.length, ran.err], [2, "2 skill files: 2 problems, 0 notes.\n"]);
  const json = checkedJson(
    "lint",
    runBin("canonry", ["lint", "skills", "--json"], { home, cwd: root }).out,
  ) as { problems: { file: string; line: number; hosts: string[] }[]; files: number };
  assert.deepEqual(
    [json.files, json.problems[0]?.file, json.problems[0]?.line, json.problems[0]?.hosts],
    [2, join(root, "skills/bad/SKILL.md"), 2, ["skills-ref"]],
  );
  const good = runBin("canonry", ["lint", "skills/good/SKILL.md"], { home, cwd: root });
  assert.deepEqual([good.code, good.out], [0, ""]);
  assert.equal(existsSync(home), false);
});

test("cli: lint of a path that is not there, or of none, is wrong usage", () => {
  const root = temporaryFolder();
  for (const args of [["lint", "nowhere"], ["lint"]]) {
    const ran = runBin("canonry", args, { home: root, cwd: root });
    assert.deepEqual([ran.code, ran.out], [2, ""]);
  }
});
