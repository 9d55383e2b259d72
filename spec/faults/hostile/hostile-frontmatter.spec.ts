import assert from "node:assert/strict";
import { test } from "node:test";
import { hostileFrontmatter } from "./hostile-frontmatter.ts";

test("T-R5 three thousand hostile frontmatters in one process, in any order: each answered, nothing thrown, no prototype touched, flat memory", async (t) => {
  const rows = await hostileFrontmatter.run({ form: "short", log: (line) => t.diagnostic(line) });
  for (const { findings, figures } of rows) {
    t.diagnostic(JSON.stringify(figures));
    assert.deepEqual(
      findings.filter((one) => !/ ms at the best of three$/.test(one)),
      [],
      "time is a figure of the table, not of this spec",
    );
  }
});
