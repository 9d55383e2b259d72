import assert from "node:assert/strict";
import type { Hit, SearchTerms } from "../driver.ts";
import type { Case } from "./case.ts";
import { namesOf, putAll, samplePut } from "./samples.ts";

const match = (...terms: string[]): SearchTerms => ({ kind: "match", terms, all: false });
const every = (...terms: string[]): SearchTerms => ({ kind: "match", terms, all: true });
const named = (hits: readonly Hit[]) => namesOf(hits.map((hit) => hit.row));
const filler = Array.from({ length: 40 }, (_, at) =>
  samplePut(`other-${at}`, { description: "Unrelated words stand here." }),
);

export const FULL_TEXT: readonly Case[] = [
  {
    title: "S1.17 C3 a word of the body finds the skill, whose row holds no body",
    needs: "fullText",
    async run({ driver }) {
      await putAll(driver, ...filler, samplePut("alpha", {}, "Only the zeppelin knows."));
      const hits = await driver.search(match("zeppelin"), {}, 5);
      assert.deepEqual(named(hits), ["alpha"]);
      assert.doesNotMatch(JSON.stringify(hits), /zeppelin/);
    },
  },
  {
    title: "B50 S3.14 C20 the score is positive and rises with the number of words that match",
    needs: "fullText",
    async run({ driver }) {
      await putAll(
        driver,
        ...filler,
        samplePut("one", {}, "red stone stone"),
        samplePut("three", {}, "red green blue"),
        samplePut("two", {}, "red green stone"),
      );
      const hits = await driver.search(match("red", "green", "blue"), {}, 10);
      assert.deepEqual(named(hits), ["three", "two", "one"]);
      const scores = hits.map((hit) => hit.score);
      assert.ok(scores.every((score) => score > 0));
      assert.deepEqual(
        scores,
        [...scores].sort((a, b) => b - a),
      );
      assert.equal(new Set(scores).size, 3);
    },
  },
  {
    title: "B06 a word in the name outweighs it in the description, and both outweigh a body full of it",
    needs: "fullText",
    async run({ driver }) {
      await putAll(
        driver,
        ...filler,
        samplePut("release-notes", { description: "Write notes for a deploy." }, "deploy ".repeat(5)),
        samplePut("deploy", { description: "Ship the app." }, "short"),
        samplePut("body-only", { description: "Something else." }, "deploy ".repeat(5)),
      );
      assert.deepEqual(named(await driver.search(match("deploy"), {}, 5)), [
        "deploy",
        "release-notes",
        "body-only",
      ]);
    },
  },
  {
    title: "S3.13 all asks for every term, any for one; no term and no hit give an empty answer",
    needs: "fullText",
    async run({ driver }) {
      await putAll(driver, ...filler, samplePut("left", {}, "red"), samplePut("both", {}, "red green"));
      assert.deepEqual(named(await driver.search(every("red", "green"), {}, 5)), ["both"]);
      assert.deepEqual(named(await driver.search(match("red", "green"), {}, 5)), ["both", "left"]);
      assert.deepEqual(await driver.search(every("red", "purple"), {}, 5), []);
      assert.deepEqual(await driver.search(match(), {}, 5), []);
      assert.deepEqual(await driver.search(match("purple"), {}, 5), []);
    },
  },
  {
    title: "B48 B02 C18 words that are operators elsewhere are words, and nothing in a term is an error",
    needs: "fullText",
    async run({ driver }) {
      await putAll(driver, ...filler, samplePut("alpha", {}, "do not use near name and or"));
      for (const word of ["not", "and", "or", "near"]) {
        assert.deepEqual(named(await driver.search(match(word), {}, 5)), ["alpha"], word);
      }
      for (const odd of [
        '"',
        'x" OR "y',
        "*",
        "name:x",
        "(",
        "NEAR(a b)",
        "^",
        "\u0000",
        "a\u0000b",
        "😀",
        " ",
        "",
      ]) {
        await driver.search(match(odd), {}, 5);
        await driver.search(every(odd, "do"), {}, 5);
      }
    },
  },
  {
    title: "design 6: inflected words meet",
    needs: "fullText",
    async run({ driver }) {
      await putAll(driver, ...filler, samplePut("alpha", {}, "rerunning connections"));
      assert.deepEqual(named(await driver.search(every("rerun", "connected"), {}, 5)), ["alpha"]);
    },
  },
  {
    title:
      "C4 S1.17 a row that is put without terms keeps its full text; with terms, only the new words find it",
    needs: "fullText",
    async run({ driver }) {
      await putAll(
        driver,
        ...filler,
        samplePut("alpha", {}, "walrus"),
        samplePut("beta", {}, "walrus walrus"),
      );
      const before = await driver.search(match("walrus"), {}, 5);
      await driver.apply({ put: [{ row: { ...samplePut("alpha").row, version: 2 } }] });
      const after = await driver.search(match("walrus"), {}, 5);
      assert.deepEqual(
        after.map((hit) => [hit.row.name, hit.score]),
        before.map((hit) => [hit.row.name, hit.score]),
      );
      await putAll(driver, samplePut("alpha", {}, "zebra"));
      assert.deepEqual(named(await driver.search(match("walrus"), {}, 5)), ["beta"]);
      assert.deepEqual(named(await driver.search(match("zebra"), {}, 5)), ["alpha"]);
    },
  },
  {
    title: "C2 words of a removed row find nothing, nor the row that is put next",
    needs: "fullText",
    async run({ driver }) {
      await putAll(driver, ...filler, samplePut("alpha", {}, "walrus"));
      await driver.apply({ remove: [samplePut("alpha").row] });
      await putAll(driver, samplePut("gamma", {}, "zebra"));
      assert.deepEqual(await driver.search(match("walrus"), {}, 5), []);
      assert.deepEqual(named(await driver.search(match("zebra"), {}, 5)), ["gamma"]);
    },
  },
  {
    title: "C6 the limit of a search counts rows that pass the filter",
    needs: "fullText",
    async run({ driver }) {
      const hidden = Array.from({ length: 20 }, (_, at) =>
        samplePut(`h${at}`, { state: "quarantined" }, "walrus walrus walrus"),
      );
      await putAll(
        driver,
        ...hidden,
        samplePut("shown", {}, "one walrus among many other words that make it long"),
      );
      assert.deepEqual(named(await driver.search(match("walrus"), { states: ["active"] }, 1)), ["shown"]);
      assert.deepEqual(await driver.search(match("walrus"), {}, 0), []);
    },
  },
  {
    title:
      "B47 further terms that are asked of the heads count in name, description and triggers, never in a body",
    needs: "fullText",
    async run({ driver }) {
      await putAll(
        driver,
        ...filler,
        samplePut("body-only", {}, "walrus zebra"),
        samplePut("triggered", { triggers: ["walrus"] }),
        samplePut("described", { description: "A walrus." }, "walrus"),
        samplePut("walrus"),
      );
      const heads = (...words: string[]): SearchTerms => ({
        kind: "match",
        terms: [],
        heads: words,
        all: false,
      });
      assert.deepEqual(named(await driver.search(heads("walrus"), {}, 9)).toSorted(), [
        "described",
        "triggered",
        "walrus",
      ]);
      const both: SearchTerms = { kind: "match", terms: ["zebra"], heads: ["walrus"], all: false };
      assert.equal((await driver.search(both, {}, 9)).length, 4);
      assert.deepEqual(await driver.search({ ...both, all: true }, {}, 9), []);
      for (const odd of ['"', "\u0000", "", "name:x", "(", "*"]) await driver.search(heads(odd), {}, 5);
    },
  },
  {
    title:
      "design 6: a hit says what its body alone adds: nothing where only the heads match, more where more words do",
    needs: "fullText",
    async run({ driver }) {
      await putAll(
        driver,
        ...filler,
        samplePut("heads", { description: "A walrus." }, "other words here"),
        samplePut("one", {}, "walrus other here"),
        samplePut("two", {}, "walrus zebra here"),
      );
      const hits = await driver.search(match("walrus", "zebra"), {}, 5);
      const body = new Map(hits.map((hit) => [hit.row.name, hit.body]));
      assert.equal(body.get("heads"), 0);
      assert.ok((body.get("two") ?? 0) > (body.get("one") ?? 0) && (body.get("one") ?? 0) > 0);
      const [compared] = await driver.search({ kind: "literal", tokens: ["heads"] }, {}, 5);
      assert.equal(compared?.body, 0);
    },
  },
  {
    title:
      "design 6: frequencies count the rows that hold a word, by its stem, in all fields or the heads, whatever their state",
    needs: "fullText",
    async run({ driver }) {
      assert.deepEqual(await driver.frequencies(["walrus"], "all"), { rows: 0, holding: [0] });
      await putAll(
        driver,
        ...filler,
        samplePut("a", { description: "Connecting a walrus, a walrus." }),
        samplePut("b", { state: "quarantined" }, "walrus"),
        samplePut("c", { triggers: ["connected"] }),
      );
      const words = ["walrus", "connections", "absent", '"', ""];
      assert.deepEqual(await driver.frequencies(words, "all"), { rows: 43, holding: [2, 2, 0, 0, 0] });
      assert.deepEqual(await driver.frequencies(words, "heads"), { rows: 43, holding: [1, 2, 0, 0, 0] });
      await driver.apply({ remove: [samplePut("b").row] });
      await putAll(driver, samplePut("a", {}, "nothing of it"));
      assert.deepEqual(await driver.frequencies(words, "all"), { rows: 42, holding: [0, 1, 0, 0, 0] });
    },
  },
  {
    title: "S3.19 without full text a match answers nothing, and the other steps answer",
    async run({ driver }) {
      await putAll(driver, samplePut("alpha"));
      const hits = await driver.search(match("alpha"), {}, 5);
      assert.equal(hits.length, driver.supports.fullText ? 1 : 0);
      const { rows, holding } = await driver.frequencies(["alpha"], "all");
      assert.deepEqual([rows, holding], [1, [driver.supports.fullText ? 1 : 0]]);
      assert.deepEqual(named(await driver.search({ kind: "literal", tokens: ["alpha"] }, {}, 5)), ["alpha"]);
    },
  },
];
