import assert from "node:assert/strict";
import type { Hit, SearchTerms } from "../driver.ts";
import type { Case } from "./case.ts";
import { namesOf, putAll, samplePut } from "./samples.ts";

const literal = (...tokens: string[]): SearchTerms => ({ kind: "literal", tokens });
const exact = (text: string): SearchTerms => ({ kind: "exact", text });
const named = (hits: readonly Hit[]) => namesOf(hits.map((hit) => hit.row));

/** The steps after full text. */
export const COMPARISONS: readonly Case[] = [
  {
    title:
      "S3.15 C51 a literal scores 0.95 as the name, 0.90 at its start, 0.85 in it, 0.75 in title, description, trigger or tag",
    async run({ driver }) {
      await putAll(
        driver,
        samplePut("deploy"),
        samplePut("Deploy-Rollback"),
        samplePut("re-deploy"),
        samplePut("titled", { title: "How to DEPLOY" }),
        samplePut("described", { description: "Redeployment\nof things" }),
        samplePut("triggered", { triggers: ["x", "we deploy"] }),
        samplePut("tagged", { tags: ["Déploy", "deploying"] }),
        samplePut("silent", { summary: "deploy" }),
      );
      const hits = await driver.search(literal("nothing", "Deploy"), {}, 10);
      assert.deepEqual(
        hits.map((hit) => [hit.row.name, hit.score]),
        [
          ["deploy", 0.95],
          ["Deploy-Rollback", 0.9],
          ["re-deploy", 0.85],
          ["described", 0.75],
          ["tagged", 0.75],
          ["titled", 0.75],
          ["triggered", 0.75],
        ],
      );
      assert.deepEqual(named(await driver.search(literal("déploy"), {}, 10)), ["tagged"]);
      assert.deepEqual(await driver.search(literal("(a+)+$"), {}, 10), []);
      assert.deepEqual(await driver.search(literal(), {}, 10), []);
      assert.deepEqual(await driver.search(literal(""), {}, 10), []);
    },
  },
  {
    title:
      "S3.16 exact scores 1.0 where name, title, a trigger or a tag is the text, in any case, and nowhere else",
    async run({ driver }) {
      await putAll(
        driver,
        samplePut("Fix It"),
        samplePut("a", { title: "Fix it" }),
        samplePut("b", { triggers: ["first", "FIX IT"] }),
        samplePut("c", { tags: ["fix it", "ß"] }),
        samplePut("d", { description: "fix it", title: "fix it now", triggers: ["to fix it"], tags: ["it"] }),
        samplePut("e", { description: "before\nfix it\nafter" }),
      );
      const hits = await driver.search(exact("fIX iT"), {}, 10);
      assert.deepEqual(
        hits.map((hit) => [hit.row.name, hit.score]),
        [
          ["Fix It", 1],
          ["a", 1],
          ["b", 1],
          ["c", 1],
        ],
      );
      assert.deepEqual(named(await driver.search(exact("ß"), {}, 10)), ["c"]);
      assert.deepEqual(await driver.search(exact(""), {}, 10), []);
    },
  },
  {
    title: "S3.17 equal scores are told apart by update time, newest first, then name, place and path",
    async run({ driver }) {
      await putAll(
        driver,
        samplePut("old", { tags: ["same"], updatedAt: "2026-01-01T00:00:00.000Z" }),
        samplePut("new", { tags: ["same"], updatedAt: "2026-03-01T00:00:00.000Z" }),
        samplePut("b", { tags: ["same"] }),
        samplePut("a", { tags: ["same"], place: "z" }),
        samplePut("a", { tags: ["same"], place: "p" }),
      );
      for (const terms of [exact("same"), literal("same")]) {
        const found = (await driver.search(terms, {}, 10)).map((hit) => `${hit.row.name}@${hit.row.place}`);
        assert.deepEqual(found, ["new@universal", "a@p", "a@z", "b@universal", "old@universal"]);
        assert.deepEqual(named(await driver.search(terms, { place: "p" }, 10)), ["a"]);
        assert.deepEqual(named(await driver.search(terms, { path: ["p", "z"] }, 1)), ["a"]);
      }
    },
  },
  {
    title:
      "S3.17 of rows that score alike, a limit keeps the newest, and of equally new ones the first by name",
    async run({ driver }) {
      const old = { updatedAt: "2025-01-01T00:00:00.000Z" };
      const puts = Array.from({ length: 9 }, (_, at) =>
        samplePut(`walrus-${at}`, at < 4 ? old : {}, "stone"),
      );
      await putAll(driver, samplePut("other", {}, "words"), ...puts.toReversed());
      const newest = ["walrus-4", "walrus-5", "walrus-6", "walrus-7", "walrus-8"];
      assert.deepEqual(named(await driver.search(literal("walrus"), {}, 6)), [...newest, "walrus-0"]);
      if (!driver.supports.fullText) return;
      const match: SearchTerms = { kind: "match", terms: ["stone"], all: false };
      assert.deepEqual(named(await driver.search(match, {}, 6)), [...newest, "walrus-0"]);
      assert.deepEqual(named(await driver.search(match, {}, 3)), newest.slice(0, 3));
      await putAll(driver, samplePut("stone", old));
      assert.deepEqual(named(await driver.search(match, {}, 3)), ["stone", "walrus-4", "walrus-5"]);
    },
  },
];
