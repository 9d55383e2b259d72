import assert from "node:assert/strict";
import { test } from "node:test";
import { isCanonryError } from "../../lib/core/errors.ts";
import reference from "../../lib/markdown/reference.ts";

test("S1.9 a reference of 15,360 bytes is read and written, one of 15,361 refused", () => {
  const full = `# L\n${"x".repeat(15_356)}`;
  const { record } = reference.parse(full, { file: "references/l.md" });
  assert.deepEqual(record, { title: "L", body: full });
  assert.equal(reference.serialise({ title: "L", body: full }), full);
  const over = reference.parse(`${full}x`, { file: "references/l.md" });
  assert.equal(over.record, undefined);
  assert.deepEqual(
    over.diagnostics.map((one) => [one.code, one.severity]),
    [["FILE_TOO_LARGE", "error"]],
  );
  assert.throws(
    () => reference.serialise({ title: "L", body: `${full}x` }),
    (error) =>
      isCanonryError(error, "CANONRY_INVALID_RECORD") && /15361 bytes, at most 15360/.test(error.message),
  );
});

test("S1.9 a reference needs no frontmatter; its title is its first heading outside a fence", () => {
  const title = (text: string) => reference.parse(text, { file: "r.md" }).record?.title;
  assert.equal(title("```sh\n# no\n```\n\n# Limits ##\n"), "Limits");
  assert.equal(title("Limits\n===\n"), "Limits");
  assert.equal(title("text only\n"), undefined);
});
