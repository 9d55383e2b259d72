import assert from "node:assert/strict";
import { test } from "node:test";
import { outlineOf } from "../../lib/markdown/outline.ts";

const BODY = `# A
\`\`\`sh
# B
\`\`\`
~~~~
# C
~~~
# D
~~~~
    # E
F
=
> # H
- # I
#J
## K ##
## C#
`;

test("B38 headings are exactly those that Markdown has at the top level", async () => {
  const { headings } = await outlineOf(BODY, 0);
  assert.deepEqual(
    headings.map(({ text, depth, line }) => [text, depth, line]),
    [
      ["A", 1, 1],
      ["F", 1, 11],
      ["K", 2, 16],
      ["C#", 2, 17],
    ],
  );
  const spaced = await outlineOf(BODY.replace(/\n(?=`{3}sh|~{4}\n#|F\n|> |- |#J|## )/g, "\n\n"), 0);
  assert.deepEqual(
    spaced.headings.map(({ text }) => text),
    ["A", "F", "K", "C#"],
  );
});

test("B38 places are those of the whole text, and a section ends where the next of its depth or above begins", async () => {
  const head = "\uFEFF---\r\nname: n\r\n---\r\n";
  const text = `${head}# One\r\n\r\na\r\n\r\n## Two\r\n\r\nb\r\n\r\n### Three\r\n\r\nc\r\n\r\n## Four\r\n\r\n# Five\r\n`;
  const { headings } = await outlineOf(text, head.length);
  assert.deepEqual(
    headings.map((one) => [
      one.text,
      one.line,
      text.slice(one.start, one.end),
      text.slice(one.sectionEnd).split("\r\n")[0],
    ]),
    [
      ["One", 4, "# One", "# Five"],
      ["Two", 8, "## Two", "## Four"],
      ["Three", 12, "### Three", "## Four"],
      ["Four", 16, "## Four", "# Five"],
      ["Five", 18, "# Five", ""],
    ],
  );
});

test("B38 a heading's text is what it says without its marks", async () => {
  const { headings } = await outlineOf("# `code` and *more* [link](x) <b> a_b\n\n## Plain &amp; simple\n", 0);
  assert.deepEqual(
    headings.map((one) => one.text),
    ["code and more link <b> a_b", "Plain & simple"],
  );
});

test("B33 a second block at the start of the body is no heading", async () => {
  const { headings } = await outlineOf("---\nname: real\ndescription: d\n---\n# T\n", 0);
  assert.deepEqual(
    headings.map((one) => one.text),
    ["T"],
  );
});

test("P9 quotes nested five thousand deep have an outline like any other text", async () => {
  const { headings } = await outlineOf(`# A\n\n${">".repeat(5_000)} # no\n\n# B\n`, 0);
  assert.deepEqual(
    headings.map((one) => one.text),
    ["A", "B"],
  );
});
