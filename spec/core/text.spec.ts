import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { clip, cutBytes, oneLine, quoted, summaryOf, tokenCount } from "../../lib/core/text.ts";

test("B67 a cut never falls inside an emoji, a flag or an accent", () => {
  const texts = [
    `${"x".repeat(59)}🚀 and more`,
    `${"x".repeat(58)}👨‍👩‍👧 and more`,
    `${"x".repeat(57)}🏴󠁧󠁢󠁳󠁣󠁴󠁿 and more`,
    `${"x".repeat(59)}e\u0301 and more`,
  ];
  for (const text of texts) {
    const cut = clip(text, 60);
    assert.ok(cut.isWellFormed(), text);
    assert.ok(cut.length <= 60, text);
    assert.match(cut, /^x+…$/u);
  }
});

test("B67 whatever the text and limit, what is cut is well formed and within the limit", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary", maxLength: 300 }),
      fc.integer({ min: 1, max: 200 }),
      (text, limit) => {
        const cut = clip(text, limit);
        assert.ok(cut.isWellFormed());
        assert.ok(cut.length <= limit);
      },
    ),
  );
});

test("C66 a long description is shown by its first sentence, else cut at a word", () => {
  const long = `Runs the nightly build and mails the report. ${"More words follow here. ".repeat(10)}`;
  assert.equal(summaryOf(long), "Runs the nightly build and mails the report.");
  const endless = "word ".repeat(60);
  const shown = summaryOf(endless);
  assert.ok(shown.length <= 120 && shown.endsWith("word…"), shown);
});

test("C31 a description of at most 120 characters is its own summary", () => {
  const exact = "d".repeat(120);
  assert.equal(summaryOf(exact), exact);
  assert.equal(summaryOf(`${exact}d`).length, 120);
});

test("C53 tokens are UTF-8 bytes by four, rounded up", () => {
  assert.equal(tokenCount(""), 0);
  assert.equal(tokenCount("abcde"), 2);
  assert.equal(tokenCount("部署方案"), 3);
});

test("B24 white space runs become one space, hidden direction marks go", () => {
  assert.equal(oneLine("  one\n\ttwo\u202e three\u{e0041} "), "one two three");
});

test("B111 a message quotes what was asked for so that nothing in it hides or turns the rest", () => {
  assert.equal(quoted('a "b"', 40), '"a \\"b\\""');
  assert.equal(quoted("x\u202ey\u200b\ufeff\u2028\u007f", 40), '"x\\u202ey\\u200b\\ufeff\\u2028\\u007f"');
  assert.equal(quoted("x\u{e0041}", 40), '"x\\udb40\\udc41"');
  assert.equal(quoted("\u{1F468}\u200D\u{1F469} é", 40), '"\u{1F468}\u200D\u{1F469} é"');
  assert.equal(quoted("word ".repeat(100), 20).length, 22);
});

test("B67 a byte cut keeps whole code points", () => {
  assert.equal(cutBytes("aé🚀", 3), "aé");
  assert.equal(cutBytes("aé🚀", 6), "aé");
  assert.equal(cutBytes("aé🚀", 7), "aé🚀");
});
