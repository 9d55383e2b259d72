import assert from "node:assert/strict";
import { test } from "node:test";
import { makeLibrary, skill } from "../support/library.ts";
import { answers, retrievalFuzz } from "./fuzz.ts";
import { bombs, NAUGHTY } from "./naughty.ts";

const SKILLS = {
  "pdf-merge/SKILL.md": skill("pdf-merge", "Merges PDF files and the NEAR duplicates"),
  "deploy/SKILL.md": skill("deploy", "部署 and rollback: AND OR NOT"),
  "flaky/SKILL.md": skill("flaky", "Retry a flaky test; don't guess"),
};

for (const driver of ["sqljs", "memory"])
  test(`B02 no query, name, file or option makes the ${driver} driver fail`, async (t) => {
    const { library } = await makeLibrary({ skills: SKILLS }, { driver });
    for (const query of NAUGHTY) await answers(library, query);
    for (const one of retrievalFuzz(library))
      await t.test(one.name, async () => {
        assert.equal(await one.run(1_500, 20_261_130), undefined);
      });
    await answers(library, "rollback", "ok");
  });

test("B02 a query of a megabyte, of a hundred thousand words or of nested operators is answered", async () => {
  const { library } = await makeLibrary({ skills: SKILLS });
  for (const query of bombs()) await answers(library, query);
  await answers(library, `${"pdf merge ".repeat(100)}${"x ".repeat(400_000)}`, "ok");
});
