import assert from "node:assert/strict";
import type { Row } from "../../schema/row.ts";
import type { IndexDriver } from "../driver.ts";
import type { Case } from "./case.ts";
import { namesOf, putAll, sampleEvent, samplePut, sampleRow } from "./samples.ts";

const ALPHA = sampleRow("alpha");

const BREAKING = {
  get row(): Row {
    throw new Error("this row cannot be read");
  },
};

export const WRITES: readonly Case[] = [
  {
    title:
      "design 4: a put of the same place and path replaces the row and its lookup keys; a remove takes it out",
    async run({ driver }) {
      await putAll(driver, samplePut("alpha", { keys: ["alpha", "old"] }), samplePut("beta"));
      await putAll(driver, samplePut("renamed", { path: ALPHA.path, keys: ["renamed", "new"], version: 2 }));
      assert.deepEqual(namesOf(await driver.list({}, "name")), ["beta", "renamed"]);
      assert.deepEqual(await driver.list({ key: "old" }, "name"), []);
      assert.deepEqual(namesOf(await driver.list({ key: "new" }, "name")), ["renamed"]);
      await driver.apply({
        remove: [
          { place: "universal", path: ALPHA.path },
          { place: "universal", path: "not/there.md" },
        ],
      });
      assert.deepEqual(namesOf(await driver.list({}, "name")), ["beta"]);
      assert.deepEqual(await driver.list({ key: "new" }, "name"), []);
    },
  },
  {
    title: "design 4: in one batch a key that is removed and put is there",
    async run({ driver }) {
      await putAll(driver, samplePut("alpha"));
      await driver.apply({ remove: [ALPHA], put: [samplePut("alpha", { version: 2 })] });
      assert.equal((await driver.get(ALPHA))?.version, 2);
    },
  },
  {
    title: "design 4: a batch of which one part cannot be done changes nothing at all",
    async run({ driver }) {
      await driver.apply({
        put: [samplePut("alpha", {}, "walrus")],
        events: [sampleEvent("id-001", "hydrated")],
        state: { kept: "1" },
      });
      const before = await all(driver);
      const batch = {
        remove: [ALPHA],
        put: [samplePut("beta", {}, "zebra"), BREAKING],
        events: [sampleEvent("id-002", "hydrated")],
        state: { kept: undefined, more: "2" },
      };
      await assert.rejects(driver.apply(batch));
      assert.deepEqual(await all(driver), before);
      await driver.apply({ events: [sampleEvent("id-002", "hydrated")] });
      assert.equal((await driver.get(ALPHA))?.counters.uses, 2);
    },
  },
  {
    title: "design 5: texts of the caller are kept with the rows, replaced, and removed by undefined",
    async run({ driver }) {
      await driver.apply({ state: { a: "1", b: "2", c: "" } });
      await driver.apply({ state: { a: "3", b: undefined, absent: undefined } });
      assert.deepEqual((await driver.digests({})).state, { a: "3", c: "" });
    },
  },
  {
    title:
      "design 4: an empty batch is no error, and what a caller does to its row afterwards changes nothing",
    async run({ driver }) {
      await driver.apply({});
      const row = { ...sampleRow("alpha"), tags: ["one"] };
      await driver.apply({ put: [{ row }] });
      row.tags.push("two");
      const found = await driver.get(row);
      assert.deepEqual(found?.tags, ["one"]);
      if (found !== undefined) (found.tags as string[]).push("three");
      assert.deepEqual((await driver.get(row))?.tags, ["one"]);
    },
  },
  {
    title:
      "B20 B21 what a search has found is found as it is now: after an event, another state, other words, a removal",
    async run({ driver }) {
      await putAll(driver, samplePut("alpha"), samplePut("beta", { description: "Feeds a zebra." }));
      const active = async (token: string) => {
        const hits = await driver.search({ kind: "literal", tokens: [token] }, { states: ["active"] }, 5);
        return hits.map(({ row }) => [row.name, row.counters.uses]);
      };
      assert.deepEqual(await active("alpha"), [["alpha", 0]]);
      await driver.apply({ events: [sampleEvent("id-001", "hydrated")] });
      assert.deepEqual(await active("alpha"), [["alpha", 1]]);
      await driver.apply({ put: [{ row: sampleRow("beta", { description: "Feeds a walrus." }) }] });
      assert.deepEqual([await active("zebra"), await active("walrus")], [[], [["beta", 0]]]);
      await driver.apply({ put: [{ row: sampleRow("alpha", { state: "quarantined" }) }] });
      assert.deepEqual(await active("alpha"), []);
      await driver.apply({ remove: [sampleRow("beta")] });
      assert.deepEqual(await active("walrus"), []);
    },
  },
];

/** All that a driver can be asked, for comparing before with after. */
export async function all(driver: IndexDriver): Promise<unknown> {
  const found = await driver.search({ kind: "match", terms: ["walrus", "zebra"], all: false }, {}, 10);
  return {
    rows: await driver.list({}, "name"),
    found: found.map((hit) => [hit.row.name, hit.score]),
    digests: await driver.digests({}),
  };
}
