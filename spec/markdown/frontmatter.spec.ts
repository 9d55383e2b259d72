import assert from "node:assert/strict";
import { test } from "node:test";
import type { Parsed, ParseOptions } from "../../lib/markdown/format.ts";
import portable from "../../lib/markdown/portable.ts";
import { formatRegistry } from "../../lib/markdown/registry.ts";
import type { SkillRecord } from "../../lib/schema/skill.ts";

function parse(text: string, options: Partial<ParseOptions> = {}): Parsed<SkillRecord> {
  return portable.parse(text, { file: "folder/SKILL.md", ...options });
}

/** The record, what was said as `CODE@line`, for a file with these lines of frontmatter below `name: n`. */
function read(...lines: string[]): { record: SkillRecord | undefined; said: string[] } {
  const { record, diagnostics } = parse(["---", "name: n", ...lines, "---", "Body", ""].join("\n"));
  return { record, said: diagnostics.map((one) => `${one.code}@${one.line}`) };
}

test("B24 block and multi-line scalars have the values that YAML gives them", () => {
  const table: [string[], string][] = [
    [["description: >", "  one", "  two", "", "  three"], "one two\nthree\n"],
    [["description: >-", "  one", "  two"], "one two"],
    [["description: |", "  one", "  two"], "one\ntwo\n"],
    [["description: one", "  two", "  three"], "one two three"],
  ];
  for (const [lines, value] of table) {
    const { record, said } = read(...lines);
    assert.equal(record?.description, value);
    assert.deepEqual(said, []);
  }
});

test("B24 a plain value that goes on after a blank line with a word and a colon stays text, with a warning", () => {
  const { record, said } = read("description: one", "", "  Keywords: two");
  assert.equal(record?.description, "one\nKeywords: two");
  assert.deepEqual(said, ["YAML_INVALID@3"]);
});

test("B25 a byte order mark does not cost the skill its name, and gets into no field", () => {
  const { record, diagnostics } = parse("\uFEFF---\nname: bom-one\ndescription: d\n---\nB\n");
  assert.equal(record?.name, "bom-one");
  assert.deepEqual(diagnostics, []);
  assert.ok(!JSON.stringify(record).includes("\uFEFF"));
});

test("B28 values that begin with a reserved character are the text that they are", () => {
  const values = [
    "@team handoff",
    "`make` runner",
    "%TEMP% cleaner",
    "[draft] parser",
    '"Fast" builds',
    "'don't stop'",
    "*key* rule",
    "**All bold**",
    "Use when: red",
  ];
  for (const value of values) {
    const { record, said } = read(`description: ${value}`);
    assert.equal(record?.description, value);
    assert.deepEqual(said, ["YAML_INVALID@3"]);
  }
});

test("B28 the warning says which text was assumed", () => {
  const { diagnostics } = parse("---\nname: n\ndescription: Use when: red\n---\nB\n");
  assert.match(diagnostics[0]?.message ?? "", /read as the text "Use when: red"/);
  assert.equal(diagnostics[0]?.severity, "warning");
});

test("B28 a bad list elsewhere does not cost the skill its description", () => {
  const { record, said } = read("description: d", "tags: [web[ui], api]");
  assert.equal(record?.description, "d");
  assert.deepEqual(record?.tags, ["web[ui]", "api"]);
  assert.deepEqual(said, ["YAML_INVALID@4"]);
});

test("B17 a bracket that is never closed is named and its field passed over", () => {
  const { record, said } = read("description: [x");
  assert.equal(record, undefined);
  assert.deepEqual(said, ["YAML_INVALID@3", "FIELD_MISSING@3"]);
  assert.equal(read("description: d", "tags: [x").record?.description, "d");
});

test("B29 numbers, booleans, nulls and dates as a name are the text of their source", () => {
  for (const name of ["4711", "true", "1e3", "2024-01-15", "0x1F", "1.10"]) {
    const { record } = parse(`---\nname: ${name}\ndescription: 007\n---\nB\n`);
    assert.equal(record?.name, name);
    assert.equal(record?.description, "007");
  }
  const { record, diagnostics } = parse("---\nname: null\ndescription: d\n---\nB\n");
  assert.equal(record?.name, "null");
  assert.deepEqual(
    diagnostics.map((one) => one.code),
    ["FIELD_TYPE"],
  );
});

test("B29 a list as description is an error, one word as tags a list of one", () => {
  assert.deepEqual(read("description: [a, b]"), { record: undefined, said: ["FIELD_TYPE@3"] });
  assert.deepEqual(read("description: d", "tags: solo").record?.tags, ["solo"]);
  assert.deepEqual(read("description: d", "metadata:", "  version: 1.10").record?.metadata, {
    version: "1.10",
  });
});

test("B32 a rule in the body is no frontmatter", () => {
  const body = "x\n\n---\nname: fake\n---\ny\n";
  const { record, diagnostics } = parse(`---\nname: a\ndescription: b\n---\n${body}`);
  assert.equal(record?.name, "a");
  assert.equal(record?.body, body);
  assert.deepEqual(diagnostics, []);
});

test("B32 an unclosed block is said to be so and does not eat the body", () => {
  const { record, diagnostics } = parse("---\nname: a\ndescription: b\n\n# Title\ntext\n\n---\nmore");
  assert.deepEqual(
    diagnostics.map((one) => [one.code, one.line]),
    [["FRONTMATTER_UNCLOSED", 4]],
  );
  assert.equal(record?.description, "b");
  assert.equal(record?.body, "\n# Title\ntext\n\n---\nmore");
  const cut = parse("---\nname: a\ndescription: b");
  assert.equal(cut.record, undefined);
  assert.deepEqual(
    cut.diagnostics.map((one) => one.code),
    ["FRONTMATTER_UNCLOSED"],
  );
});

test("B32 hyphens inside a block scalar close nothing; blanks and dots at the fence do no harm", () => {
  assert.equal(read("description: |", "  a", "  ---", "  b").record?.description, "a\n---\nb\n");
  for (const close of ["---  ", "---\t", "...", "... "]) {
    assert.equal(parse(`---\nname: a\ndescription: b\n${close}\nB\n`).record?.body, "B\n");
  }
});

test("B32 an empty block is an error of its own", () => {
  const { record, diagnostics } = parse("---\n---\nB");
  assert.equal(record, undefined);
  assert.deepEqual(
    diagnostics.map((one) => one.code),
    ["FRONTMATTER_EMPTY"],
  );
});

test("B33 a second block is named, with its line", () => {
  const { diagnostics } = parse("---\npermalink: p/x\n---\n\n---\nname: real\ndescription: d\n---\nB");
  assert.deepEqual(diagnostics.find((one) => one.code === "FRONTMATTER_SECOND_BLOCK")?.line, 5);
});

test("B35 a tab as indent costs nothing but a warning, a tab after the colon not even that", () => {
  const { record, said } = read("description: d", "metadata:", "\towner: x");
  assert.deepEqual([record?.description, record?.metadata], ["d", { owner: "x" }]);
  assert.deepEqual(said, ["TAB_AS_INDENT@5"]);
  const legal = parse("---\nname:\ta\ndescription:\td\n---\nB\n");
  assert.deepEqual([legal.record?.name, legal.record?.description, legal.diagnostics], ["a", "d", []]);
});

test("B68 an over-long description loads, with its length in bytes in the warning", () => {
  assert.deepEqual(read(`description: ${"d".repeat(1024)}`).said, []);
  for (const [value, bytes] of [
    ["d".repeat(1025), 1025],
    ["d".repeat(5000), 5000],
    ["部".repeat(342), 1026],
  ] as const) {
    const { record, diagnostics } = parse(`---\nname: n\ndescription: ${value}\n---\nB\n`);
    assert.equal(record?.description, value);
    assert.deepEqual(
      diagnostics.map((one) => one.code),
      ["FIELD_TOO_LONG"],
    );
    assert.match(diagnostics[0]?.message ?? "", new RegExp(`${bytes} bytes, at most 1024`));
  }
});

test("B68 a name of 65 bytes loads under the folder's name, with its length in the warning", () => {
  const { record, diagnostics } = parse(`---\nname: ${"n".repeat(65)}\ndescription: d\n---\nB\n`, {
    fallbackName: "short",
  });
  assert.equal(record?.name, "short");
  assert.deepEqual(
    diagnostics.map((one) => one.code),
    ["FIELD_TOO_LONG", "NAME_DERIVED"],
  );
  assert.match(diagnostics[0]?.message ?? "", /65 bytes, at most 64/);
});

test("B108 a display name is kept as written, with a warning; prototype keys are keys like others", () => {
  const odd = parse('---\nname: "Self Improving + Agent"\ndescription: d\n---\nB\n');
  assert.equal(odd.record?.name, "Self Improving + Agent");
  assert.deepEqual(
    odd.diagnostics.map((one) => one.code),
    ["NAME_NOT_KEBAB"],
  );
  const { record, said } = read(
    "description: d",
    "__proto__: {polluted: 1}",
    "constructor: x",
    "toString: y",
  );
  assert.equal(record?.description, "d");
  assert.deepEqual(said, []);
  assert.equal(Reflect.get({}, "polluted"), undefined);
});

test("B107 a decomposed name is composed", () => {
  assert.equal(parse("---\nname: cafe\u0301\ndescription: d\n---\nB\n").record?.name, "caf\u00e9");
});

test("B106 a name is derived from the folder or the file where the text gives none", () => {
  const text = "---\ndescription: d\n---\nB\n";
  for (const [file, name] of [
    ["lib/quick-fix/SKILL.md", "quick-fix"],
    ["canon/quick-fix.md", "quick-fix"],
    ["x/skill.md", "x"],
  ] as const) {
    const { record, diagnostics } = portable.parse(text, { file });
    assert.equal(record?.name, name);
    assert.deepEqual(
      diagnostics.map((one) => one.code),
      ["NAME_DERIVED"],
    );
  }
  const { record, diagnostics } = portable.parse(text, { file: "" });
  assert.equal(record, undefined);
  assert.deepEqual(
    diagnostics.map((one) => [one.code, one.severity]),
    [["FIELD_MISSING", "error"]],
  );
});

test("S3.22 the formats stand in one registry, and an unknown name is answered with the nearest", () => {
  assert.deepEqual(formatRegistry().names, ["canon", "portable", "candidate", "reference"]);
  assert.throws(() => formatRegistry().get("cannon"), /Did you mean canon/);
});
