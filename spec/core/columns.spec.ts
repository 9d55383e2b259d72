import assert from "node:assert/strict";
import { test } from "node:test";
import { clipColumns, columnsOf, padColumns } from "../../lib/core/columns.ts";

test("C66 a text is measured and cut by the columns that a terminal draws", () => {
  assert.equal(columnsOf("abc — x"), 7);
  assert.equal(columnsOf("乱码，ア한😀"), 12);
  assert.equal(columnsOf("e\u0301\u200d"), 1);
  assert.equal(clipColumns("abcdef", 6), "abcdef");
  assert.equal(clipColumns("abcdefg", 6), "abcde…");
  assert.equal(clipColumns("乱码乱码", 7), "乱码乱…");
  assert.equal(clipColumns("乱码乱码", 6), "乱码…");
  assert.equal(padColumns("乱码", 6), "乱码  ");
  assert.equal(padColumns("abcdefg", 6), "abcdefg");
});
