import assert from "node:assert/strict";
import { test } from "node:test";
import { temporaryFolder } from "../support/home.ts";
import { vaultFuzz } from "./fuzz.ts";

test("P9 whatever stands in a file of the home, it is read or refused by name, never an exception", async (t) => {
  for (const one of vaultFuzz(temporaryFolder()))
    await t.test(one.name, async () => {
      assert.equal(await one.run(1_000, 20_261_130), undefined);
    });
});
