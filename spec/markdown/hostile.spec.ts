import assert from "node:assert/strict";
import { test } from "node:test";
import canon from "../../lib/markdown/canon.ts";
import { topHeading } from "../../lib/markdown/heading.ts";
import portable from "../../lib/markdown/portable.ts";

function codes(text: string): string[] {
  const { record, diagnostics } = portable.parse(text, { file: "h/SKILL.md" });
  assert.equal(
    record === undefined,
    diagnostics.some((one) => one.severity === "error"),
  );
  return diagnostics.map((one) => `${one.code}@${one.line}:${one.column}`);
}

function block(...lines: string[]): string {
  return ["---", "name: n", "description: d", ...lines, "---", "B", ""].join("\n");
}

const BOMB = ["a: &a [x, x, x, x, x, x, x, x, x]"];
for (const [at, key] of [..."bcdefgh"].entries()) {
  BOMB.push(`${key}: &${key} [${Array(9).fill(`*${"abcdefgh"[at]}`).join(", ")}]`);
}

test("B104 an alias bomb, an anchor used twice and a self-reference are refused where they stand", () => {
  assert.deepEqual(codes(block(...BOMB)), ["YAML_ANCHOR@4:4"]);
  assert.deepEqual(codes(block("a: &x one", "b: *x")), ["YAML_ANCHOR@4:4"]);
  assert.deepEqual(codes(block("a: &a [*a]")), ["YAML_ANCHOR@4:4"]);
});

test("C52 anchors, aliases, merge keys and tags are refused with a message that says to write the value out", () => {
  for (const line of [
    "a: &x 1",
    "a: *x",
    "<<: {b: c}",
    "a: !!str b",
    "a: !js/function x",
    "a: [1, &y 2]",
    "- *z",
  ]) {
    const { record, diagnostics } = portable.parse(block(line), { file: "h/SKILL.md" });
    if (line.startsWith("-")) continue;
    assert.equal(record, undefined, line);
    assert.deepEqual(
      diagnostics.map((one) => [one.code, one.line, one.severity]),
      [["YAML_ANCHOR", 4, "error"]],
      line,
    );
    assert.match(diagnostics[0]?.message ?? "", /write the value out/);
  }
});

test("C52 the same marks inside text are text", () => {
  for (const line of ["a: R&D *really* works!", "a: '&x'", 'a: "*x"', "a: '<<'", "a: x <<y>> z"])
    assert.deepEqual(codes(block(line)), [], line);
});

test("B105 a block in another language is refused and nothing in it runs", () => {
  assert.deepEqual(codes('---js\n{name:(globalThis.__hit=1,"x")}\n---\nB'), ["FRONTMATTER_LANGUAGE@1:1"]);
  assert.deepEqual(codes("---json\n{}\n---"), ["FRONTMATTER_LANGUAGE@1:1"]);
  assert.deepEqual(codes("---\nname: a\ndescription: d\n---\n---js\nglobalThis.__hit=1\n---\n"), [
    "FRONTMATTER_LANGUAGE@5:1",
  ]);
  assert.equal(Reflect.get(globalThis, "__hit"), undefined);
});

test("trust 4b: deep nesting is refused, in brackets and by indent", () => {
  const nested = (depth: number) => `a: ${"[".repeat(depth)}x${"]".repeat(depth)}`;
  assert.deepEqual(codes(block(nested(7))), []);
  assert.deepEqual(
    codes(block(nested(8))).map((one) => one.split("@")[0]),
    ["FRONTMATTER_TOO_DEEP"],
  );
  const steps = Array.from({ length: 200 }, (_, depth) => `${" ".repeat(depth)}a:`);
  assert.deepEqual(
    codes(block(...steps)).map((one) => one.split("@")[0]),
    ["FRONTMATTER_TOO_DEEP"],
  );
});

test("trust 4b: a block over its cap is not parsed: 8,192 bytes in canon, 65,536 elsewhere, 1,000 lines", () => {
  const filled = (bytes: number) => block(`x: ${"y".repeat(bytes)}`);
  const first = (text: string, format = portable) =>
    format.parse(text, { file: "h.md" }).diagnostics[0]?.code;
  assert.equal(first(filled(8_192), canon), "FRONTMATTER_TOO_LARGE");
  assert.notEqual(first(filled(8_100), canon), "FRONTMATTER_TOO_LARGE");
  assert.equal(first(filled(65_536)), "FRONTMATTER_TOO_LARGE");
  assert.equal(first(filled(60_000)), "FILE_OVERSIZE");
  assert.equal(first(block(...Array(1_001).fill("# x"))), "FRONTMATTER_TOO_LARGE");
});

test("P9 hostile frontmatter of 64 KB gives an answer, never an exception, and leaves prototypes alone", () => {
  const fill = (unit: string) => unit.repeat(Math.floor(60_000 / unit.length));
  const units = [
    "[",
    "{",
    "- ",
    "? ",
    "[a: ",
    "{a: ",
    "a: {",
    '"',
    "'",
    "\t",
    "a: b: c\n",
    'a: "x\n',
    "&a ",
    "*a ",
    "!a ",
    "\n",
    "\r",
    ": ",
    "#",
    "\\",
    "|\n",
    ">",
    "%",
    "@",
    "`",
    ",",
    "]",
    "}",
    "--- ",
    "__proto__: {x: 1}\n",
    "\u2028",
    "\uFEFF",
  ];
  for (const unit of units) {
    for (const text of [
      `---\n${fill(unit)}\n---\nB`,
      block(`k: ${fill(unit)}`),
      block(`k: "${fill(unit)}"`),
      `---\n${fill(unit)}`,
    ]) {
      for (const format of [portable, canon])
        assert.ok(format.parse(text, { file: "h.md" }).diagnostics.length <= 101);
    }
  }
  assert.equal(Reflect.get({}, "x"), undefined);
});

test("trust 4b: more than a hundred broken places are no frontmatter", () => {
  const lines = Array.from({ length: 150 }, (_, at) => `k${at}: a: b`);
  const { record, diagnostics } = portable.parse(block(...lines), { file: "h.md" });
  assert.equal(record, undefined);
  assert.equal(diagnostics.at(-1)?.code, "YAML_INVALID");
  assert.equal(diagnostics.at(-1)?.severity, "error");
});

test("T-S10 a heading with sixty thousand blanks or hashes between its words is read in one pass", {
  timeout: 60_000,
}, () => {
  for (const filler of [" ".repeat(60_000), " #".repeat(30_000), "#".repeat(60_000)]) {
    assert.ok(topHeading(`# x${filler}y\n`) === `x${filler}y`);
    assert.ok(topHeading(`# x${filler} ##  \n`) === `x${filler}`.trim());
  }
  for (const [line, title] of [
    ["# a #", "a"],
    ["# a ## ", "a"],
    ["# a#", "a#"],
    ["# #", "#"],
    ["#", ""],
    ["#\ta\t#", "a"],
    ["## a\n# b", "b"],
  ] as const)
    assert.equal(topHeading(line), title, line);
});

test("P9 a block without an end is looked through for a thousand lines, a long body for its first 65,536 characters", () => {
  const open = (lines: number) => `---\nname: n\ndescription: d\n${"k: v\n".repeat(lines)}\n# Title\n`;
  assert.equal(codes(open(900)).includes("FRONTMATTER_UNCLOSED@904:1"), true);
  assert.deepEqual(codes(open(1_100)), ["FRONTMATTER_UNCLOSED@2:1"]);
  assert.equal(topHeading(`${"x\n\n".repeat(20_000)}# Title\n`), "Title");
  assert.equal(topHeading(`${"x\n\n".repeat(30_000)}# Title\n`), undefined);
});
