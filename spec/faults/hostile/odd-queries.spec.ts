import assert from "node:assert/strict";
import { test } from "node:test";
import { oddQueries } from "./odd-queries.ts";

test("B02 P9 P10 two thousand odd queries of a thousand skills: each answered, none an error, the same when asked again", async (t) => {
  const rows = await oddQueries.run({ form: "short", log: (line) => t.diagnostic(line) });
  for (const { findings, figures, trials } of rows) {
    t.diagnostic(JSON.stringify(figures));
    assert.equal(trials, 2_000);
    assert.deepEqual(
      findings.filter((one) => !/ ms at the best of five$/.test(one)),
      [],
      "time is a figure of the table, not of this spec",
    );
  }
});
