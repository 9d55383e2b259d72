import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { test } from "node:test";
import { isCanonryError } from "../../lib/core/errors.ts";
import canon from "../../lib/markdown/canon.ts";
import portable from "../../lib/markdown/portable.ts";
import type { SkillRecord } from "../../lib/schema/skill.ts";

function edit(text: string, change: Partial<SkillRecord>, format = portable): string {
  const { record } = format.parse(text, { file: "keepall/SKILL.md" });
  assert.ok(record !== undefined);
  return format.serialise({ ...record, ...change }, text);
}

const KEEPALL = `---
# owner note
name: keepall
description: >
  long
  text
allowed-tools:
  - Read
x-team: {a: 1}   # inline
---

Body line 1

---

Body line 2
`;

test("B36 changing the description touches its lines only, and doing it twice changes nothing more", () => {
  const once = edit(KEEPALL, { description: "new: text" });
  assert.equal(once, KEEPALL.replace("description: >\n  long\n  text\n", 'description: "new: text"\n'));
  assert.equal(edit(once, { description: "new: text" }), once);
});

test("B36 line ends and a byte order mark survive an edit", () => {
  const text = `\uFEFF${KEEPALL.replaceAll("\n", "\r\n")}`;
  assert.equal(
    edit(text, { description: "new", license: "MIT" }),
    `\uFEFF${KEEPALL.replace("description: >\n  long\n  text\n", 'description: "new"\n').replace("# inline\n", '# inline\nlicense: "MIT"\n').replaceAll("\n", "\r\n")}`,
  );
});

test("B37 changing one line of the body leaves all other bytes equal", () => {
  const body = "use snake_case and [x] and a*b\n\n1) one\n2) two\n\n* item\n\n***\n";
  const text = `---\nname: keepall\ndescription: d\n---\n${body}`;
  assert.equal(edit(text, { body: body.replace("* item", "* other") }), text.replace("* item", "* other"));
});

test("B33 no writer makes a second block: writing twice leaves one", () => {
  const once = edit(KEEPALL, { title: "T" });
  const twice = edit(once, { title: "U" });
  assert.equal(twice.match(/^---$/gm)?.length, KEEPALL.match(/^---$/gm)?.length);
  assert.throws(() => edit(KEEPALL, { body: "---\nname: x\ndescription: y\n---\n" }), /second block/);
});

test("B106 a skill that loads by recovery takes a new body line; its old defect is let stand", () => {
  const text = "---\nname: Odd Name\ndescription: Use when: red\n---\n# T\n\nold\n";
  assert.equal(edit(text, { body: "# T\n\nnew\n" }), text.replace("old", "new"));
});

test("B106 what is new is held to the strict rules all the same", () => {
  const refused = (change: Partial<SkillRecord>) =>
    assert.throws(
      () => edit(KEEPALL, change),
      (error) => isCanonryError(error, "CANONRY_INVALID_RECORD"),
    );
  refused({ name: "Not Kebab" });
  refused({ description: "d".repeat(1025) });
  refused({ description: " " });
  refused({ version: 0 });
  refused({ metadata: { "canonry.version": "9" } });
});

test("B68 a description of 1,025 bytes is refused on writing, with both numbers", () => {
  assert.throws(() => edit(KEEPALL, { description: "部".repeat(342) }), /1026 bytes, at most 1024/);
});

const WORDS = [
  "yes",
  "no",
  "on",
  "off",
  "y",
  "n",
  "null",
  "~",
  "12:30",
  "2024-01-15",
  "1_000",
  "0x1F",
  "0o7",
  "1e3",
  ".5",
  "a: b",
  "# x",
  "- a",
  "it's",
  '"q"',
  "back\\slash",
  "two\nlines",
  "tab\there",
  "\u2028",
  "\u0085",
  "\uFEFFx",
  "部署 🚀",
  "x".repeat(300),
];

test("B30 text is written double-quoted on one line, so that YAML 1.1 reads the same text", () => {
  const text = edit(KEEPALL, {
    description: "no",
    title: "12:30",
    metadata: { yes: "2024-01-15", "1.5": "on" },
  });
  assert.equal(
    text,
    KEEPALL.replace("description: >\n  long\n  text\n", 'description: "no"\n').replace(
      "# inline\n",
      '# inline\nmetadata:\n  canonry.title: "12:30"\n  "yes": "2024-01-15"\n  "1.5": "on"\n',
    ),
  );
});

test("B30 each awkward text has the bytes that both versions of YAML read as that text", () => {
  const pins: [string, string][] = [
    ["no", '"no"'],
    ['say "hi"', '"say \\"hi\\""'],
    ["back\\slash", '"back\\\\slash"'],
    ["two\nlines", '"two\\nlines"'],
    ["a\u0085b\u2028c", '"a\\x85b\\u2028c"'],
    ["\uFEFFx", '"\\ufeffx"'],
    ["部署 🚀", '"部署 🚀"'],
    ["x".repeat(300), `"${"x".repeat(300)}"`],
  ];
  for (const [value, written] of pins) {
    assert.ok(edit(KEEPALL, { description: value }).includes(`\ndescription: ${written}\n`), written);
  }
});

const hasPyYaml = spawnSync("python3", ["-c", "import yaml"], { stdio: "ignore" }).status === 0;

test("B30 PyYAML reads the strings that we wrote", {
  skip: hasPyYaml ? false : "python3 with PyYAML is not on this machine",
}, () => {
  const plain = canon.parse("---\nname: words\ndescription: d\n---\n# T\n", { file: "words.md" }).record;
  assert.ok(plain !== undefined);
  const metadata = Object.fromEntries(WORDS.map((word, at) => [`k${at}`, word]));
  const text = canon.serialise({ ...plain, triggers: WORDS.slice(0, 10), metadata });
  const script =
    "import sys,json,yaml; d=yaml.safe_load(sys.stdin.buffer.read().decode('utf8').split('---\\n')[1]); print(json.dumps([d['triggers'],d['metadata']]))";
  const [triggers, read] = JSON.parse(
    execFileSync("python3", ["-c", script], { input: text, encoding: "utf8" }),
  );
  assert.deepEqual(triggers, WORDS.slice(0, 10));
  assert.deepEqual(read, metadata);
});
