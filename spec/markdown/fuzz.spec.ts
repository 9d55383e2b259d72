import assert from "node:assert/strict";
import { test } from "node:test";
import { outlineOf } from "../../lib/markdown/outline.ts";
import { MARKDOWN_FUZZ } from "./fuzz.ts";

for (const one of MARKDOWN_FUZZ)
  test(`P9 any input (${one.name}) gets an answer, never an exception`, async () => {
    assert.equal(await one.run(500, 20_261_130), undefined);
  });

const fill = (unit: string, size: number) => unit.repeat(Math.ceil(size / unit.length));
const HEADING = "# Title\n\n";

test("P9 quotes, lists, links and emphasis ten thousand deep have an outline, and the stack holds", async () => {
  for (const unit of [
    "[",
    "![",
    "> ",
    "- ",
    "+ ",
    "1) ",
    "> - ",
    "- > ",
    "*a **a ",
    "_a __a ",
    "[a](",
    "<a ",
    "[^a]: ",
    "- [ ] ",
  ]) {
    const { headings } = await outlineOf(`${HEADING}${fill(unit, 20_000)}\n\n# End\n`, 0);
    assert.deepEqual(
      headings.map((one) => one.text),
      ["Title", "End"],
      JSON.stringify(unit),
    );
  }
});

test("B38 a rule of many hyphens is a rule: the heading after it counts", async () => {
  for (const rule of [fill("- ", 60), fill("* ", 60), fill("-  ", 90)]) {
    const { headings } = await outlineOf(`${HEADING}${rule}\nText\n----\n`, 0);
    assert.deepEqual(
      headings.map((one) => one.text),
      ["Title", "Text"],
      rule,
    );
  }
});
