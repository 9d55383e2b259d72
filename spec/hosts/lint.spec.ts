import assert from "node:assert/strict";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { lintPaths } from "../../lib/hosts/lint.ts";
import { temporaryFolder, writeTree } from "../support/home.ts";

const BODY = "\n# Title\n\nText.\n";
const GOOD = `---\nname: good\ndescription: Does a thing. Use when it is needed.\n---\n${BODY}`;

/** What lint says of one skill in a folder called `good`: `line:column CODE hosts`. */
async function said(text: string | Uint8Array, path = "good/SKILL.md"): Promise<string[]> {
  const root = temporaryFolder();
  writeTree(root, { [path]: text });
  const { problems, notes } = await lintPaths([root], { home: join(root, "none") });
  return [...problems, ...notes].map((one) =>
    `${one.line}:${one.column} ${one.code} ${one.hosts.join(" ")}`.trim(),
  );
}

const head = (lines: string): string => `---\n${lines}\n---\n${BODY}`;

test("design 8: a skill in the portable form has nothing to be said of", async () => {
  assert.deepEqual(await said(GOOD), []);
  const full = head(
    `name: good\ndescription: "Does: a thing"\nlicense: MIT\ncompatibility: needs git\nallowed-tools: Bash Read\nmetadata:\n  canonry.version: "3"\n  canonry.triggers: '["a","b"]'\n  field: plain words`,
  );
  assert.deepEqual(await said(full), []);
});

test("design 8: each rule broken is named with its place and who would refuse", async () => {
  for (const [lines, expected] of [
    ["name: good\ndescription: x\nversion: 3", ["4:1 FIELD_UNKNOWN skills-ref claude.ai"]],
    ["name: good\ndescription: x\nmetadata:\n  a:\n    b: c", ["5:3 METADATA_NOT_TEXT mcp"]],
    ["name: good\ndescription: x\nmetadata:\n  a:\n    - c", ["5:3 METADATA_NOT_TEXT mcp"]],
    ["name: good\ndescription: x\nmetadata:\n  version: 1.0", ["5:3 METADATA_NOT_TEXT mcp"]],
    ["name: good\ndescription: x\nmetadata:\n  on: true", ["5:3 METADATA_NOT_TEXT mcp"]],
    ["name: good\ndescription: x\nmetadata:\n  none:", ["5:3 METADATA_NOT_TEXT mcp"]],
    ["name: good\ndescription: x\nmetadata: text", ["4:1 METADATA_NOT_TEXT mcp"]],
    [
      "name: good\ndescription: x\nmetadata:\n  short-description:\n    - c",
      ["5:3 METADATA_NOT_TEXT mcp codex"],
    ],
    [
      "name: good\ndescription: x\nmetadata:\n  tags: [a, b]",
      ["5:3 METADATA_NOT_TEXT mcp", "5:9 YAML_FLOW skills-ref"],
    ],
    ["name: good\ndescription: x\nallowed-tools: [Bash]", ["4:16 YAML_FLOW skills-ref"]],
    ["name: good\ndescription: Turns <a> into b", ["3:1 DESCRIPTION_BRACKETS claude.ai"]],
    ["name: other\ndescription: x", ["2:1 NAME_MISMATCH skills-ref"]],
    [
      "name: Good\ndescription: x",
      ["2:1 NAME_MISMATCH skills-ref", "2:1 NAME_NOT_KEBAB skills-ref claude.ai mcp"],
    ],
    ["description: x", ["2:1 NAME_DERIVED skills-ref claude.ai mcp"]],
    ["name: good\ndescription: 12", ["3:1 FIELD_TYPE claude.ai"]],
    ["name: good\ndescription: Use when: it rains", ["3:1 YAML_INVALID skills-ref claude.ai codex mcp"]],
    ["name: good\ndescription: x\ncompatibility:\n  - a", ["4:1 FIELD_TYPE skills-ref claude.ai"]],
    ["name: good\ndescription: x\nlicense: a\nlicense: b", ["5:1 YAML_DUPLICATE_KEY skills-ref"]],
    [
      `name: good\ndescription: x\ncompatibility: ${"c".repeat(501)}`,
      ["4:1 FIELD_TOO_LONG skills-ref claude.ai"],
    ],
  ] as const)
    assert.deepEqual(await said(head(lines)), expected, lines);
});

test("design 8: a byte order mark, a description that is a list, and quoted lines at the margin have their own readers", async () => {
  assert.deepEqual(await said(`\uFEFF${GOOD}`), ["1:1 FILE_BOM skills-ref claude.ai"]);
  assert.match(
    (await said(head("name: good\ndescription: [a]")))[0] ?? "",
    /^3:1 FIELD_TYPE skills-ref claude\.ai codex/,
  );
  assert.deepEqual(await said(head('name: good\ndescription: "one\nmore"')), [
    "3:1 YAML_INVALID skills-ref codex mcp",
  ]);
});

test("C31 lengths are counted in characters, as hosts do: 1,024 of a description, 64 of a name, in any script", async () => {
  const described = (text: string): string => head(`name: good\ndescription: ${text}`);
  assert.deepEqual(await said(described("d".repeat(1_024))), []);
  assert.deepEqual(await said(described("d".repeat(1_025))), [
    "3:1 FIELD_TOO_LONG skills-ref claude.ai codex",
  ]);
  assert.deepEqual(await said(described("文".repeat(300))), []);
  assert.deepEqual(
    await said(described("文".repeat(1_000))),
    ["3:1 FIELD_TOO_LONG"],
    "a note: over 1,024 bytes",
  );
  const named = (name: string): Promise<string[]> =>
    said(head(`name: ${name}\ndescription: x`), `${name}/SKILL.md`);
  assert.deepEqual(await named("n".repeat(64)), []);
  assert.deepEqual(await named("n".repeat(65)), ["2:1 FIELD_TOO_LONG skills-ref claude.ai codex"]);
  assert.deepEqual(await named("技能"), ["2:1 NAME_NOT_KEBAB claude.ai mcp"]);
});

test("design 8: files that give no skill, and files beside one, are problems with their hosts", async () => {
  const [missing] = await said("no frontmatter\n");
  assert.match(missing ?? "", /^1:1 FRONTMATTER_MISSING skills-ref claude\.ai codex mcp /);
  assert.match((await said(head("name: good")))[0] ?? "", /^2:1 FIELD_MISSING skills-ref/);
  assert.match((await said(Buffer.from([0x2d, 0xff, 0xfe])))[0] ?? "", /^1:2 FILE_NOT_UTF8 skills-ref/);
  assert.deepEqual(await said(GOOD, "good/skill.md"), ["1:1 FILE_NAME_CASE claude.ai codex gemini-cli mcp"]);
  const root = temporaryFolder();
  writeTree(root, { "good/SKILL.md": GOOD, "good/references/a.md": "a\n" });
  symlinkSync("references", join(root, "good/link"));
  const { problems } = await lintPaths([root], { home: join(root, "none") });
  assert.deepEqual(
    problems.map(({ code, hosts }) => [code, hosts]),
    [["SKILL_FOLDER_LINK", ["mcp"]]],
  );
});

test("design 8: advice is a note: a long body, and a folder that a host could not list whole", async () => {
  assert.deepEqual(await said(`${GOOD}${"line\n".repeat(500)}`), ["5:1 BODY_LONG"]);
  const root = temporaryFolder();
  const described = (name: string): string => head(`name: ${name}\ndescription: ${"d".repeat(985)}`);
  writeTree(
    root,
    Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`skill-${i}/SKILL.md`, described(`skill-${i}`)])),
  );
  const { problems, notes, skills } = await lintPaths([root], { home: join(root, "none") });
  assert.deepEqual([problems.length, skills.length], [0, 9]);
  assert.deepEqual(
    notes.map(({ file, code, hosts }) => [file, code, hosts]),
    [[root, "LISTING_OVER_BUDGET", ["claude-code"]]],
  );
  assert.match(notes[0]?.message ?? "", /about 8,973 characters; Claude Code lists 8,000/);
});

test("S4.6 a skill that is reached twice is looked at once; files of a space are held to the canon form", async () => {
  const root = temporaryFolder();
  writeTree(root, { "a/good/SKILL.md": GOOD.replace("description", "descr") });
  mkdirSync(join(root, "b"));
  symlinkSync(join(root, "a/good"), join(root, "b/good"));
  const options = { home: join(root, "none") };
  const { skills, problems } = await lintPaths([join(root, "a"), join(root, "b")], options);
  assert.deepEqual([skills.length, problems.filter((one) => one.code === "FIELD_MISSING").length], [1, 1]);
  const file = join(root, "a/good/SKILL.md");
  assert.equal((await lintPaths([file], options)).skills.length, 1);
  writeTree(root, { "space/canon/good.md": GOOD });
  const canon = await lintPaths([join(root, "space/canon")], options);
  assert.deepEqual(canon.problems, []);
  assert.ok(
    canon.notes.some((one) => one.code === "FIELD_MISSING"),
    "keys of the canon form",
  );
});
