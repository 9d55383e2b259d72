import assert from "node:assert/strict";
import { test } from "node:test";
import { createGlossary } from "../../lib/core/glossary.ts";
import { sampleRow } from "../../lib/drivers/conformance/samples.ts";
import { choose, rarest } from "../../lib/retrieval/full-text.ts";
import { splitNegative } from "../../lib/retrieval/negative.ts";
import { phrasesOf } from "../../lib/retrieval/phrases.ts";
import { type CountedTerm, rank, weigh } from "../../lib/retrieval/rank.ts";
import { createRowReader } from "../../lib/retrieval/row-words.ts";
import type { Row } from "../../lib/schema/row.ts";

const counted = (term: string, holding: number): CountedTerm => ({ term, holding, fields: "all" });
const hit = (name: string, over: Partial<Row> = {}, body = 0) => ({
  row: { ...sampleRow(name, { title: name, ...over }), counters: { ...NO_USE } },
  score: 1,
  body,
});
const NO_USE = { uses: 0, wins: 0, losses: 0, costSavedUsd: 0, lastUsedAt: null, lastWave: null };
const best = (hits: ReturnType<typeof hit>[], ...words: string[]) =>
  rank(
    hits,
    [],
    weigh(
      words.map((word) => counted(word, 2)),
      100,
    ),
    createGlossary(),
  ).map(({ row }) => row.name);

test("design 6: a description is parted at not for, do not use when, skip if and their like, up to the sentence's end", () => {
  const cases: [string, string][] = [
    ["Makes tea. Not for coffee. Fast.", "Not for coffee."],
    [
      "Makes tea; do not use when the pot is package.json shaped",
      "do not use when the pot is package.json shaped",
    ],
    ["Makes tea. Skip if there is no water! Fast.", "Skip if there is no water!"],
    ["Makes tea. Don’t use for soup. Never use on ice.", "Don’t use for soup. Never use on ice."],
    ["泡茶。不适用于咖啡。很快。", "不适用于咖啡。"],
    ["Not a toy, it does not boil", ""],
    ["", ""],
  ];
  for (const [description, negative] of cases) {
    const found = splitNegative(description);
    assert.equal(found.negative.trim(), negative, description);
    for (const word of negative.split(" "))
      if (word !== "") assert.ok(!found.positive.includes(negative), description);
  }
  assert.equal(
    splitNegative("Makes tea. Not for coffee. Fast.").positive.replace(/\s+/g, " "),
    "Makes tea. Fast.",
  );
});

test("design 6: a word in the name outweighs it in triggers and description, and these outweigh it in what the skill is not for", () => {
  const rows = [
    hit("negated", { description: "Makes tea. Not for a walrus." }),
    hit("described", { description: "Feeds a walrus." }),
    hit("walrus", { description: "Feeds animals." }),
  ];
  assert.deepEqual(best(rows, "walrus"), ["walrus", "described", "negated"]);
});

test("design 6: a word as it stands outweighs one of the same stem, and both count", () => {
  const rows = [
    hit("other", { description: "Says nothing." }),
    hit("stem", { description: "Connected pipes." }),
    hit("exact", { description: "Connecting pipes." }),
  ];
  assert.deepEqual(best(rows, "connecting"), ["exact", "stem", "other"]);
});

test("design 6: what the body adds counts, and less than a description that says it", () => {
  const rows = [hit("nothing"), hit("body", {}, 4), hit("said", { description: "A walrus." }, 4)];
  assert.deepEqual(best(rows, "walrus"), ["said", "body", "nothing"]);
});

test("B50 more different words outweigh one word many times", () => {
  const rows = [
    hit("many", { description: "walrus walrus walrus walrus walrus walrus walrus walrus" }),
    hit("both", { description: "walrus and zebra" }),
  ];
  assert.deepEqual(best(rows, "walrus", "zebra"), ["both", "many"]);
});

test("design 6: rare words weigh more, later ones less, pairs of CJK letters less than words", () => {
  const [rare, frequent] = weigh([counted("rare", 1), counted("often", 90)], 100);
  assert.ok((rare?.weight ?? 0) > 2 * (frequent?.weight ?? 0));
  const same = weigh(
    Array.from({ length: 17 }, (_, at) => counted(`w${at}`, 5)),
    100,
  );
  assert.equal(((same[0]?.weight ?? 0) / (same[16]?.weight ?? 0)).toFixed(6), "2.000000");
  const [pair] = weigh([counted("部署", 1)], 100);
  assert.equal(((pair?.weight ?? 0) / (rare?.weight ?? 0)).toFixed(6), "0.700000");
});

test("design 6: the rarest words that any row has are kept, in the order of the prompt", () => {
  const words = [counted("a", 9), counted("b", 0), counted("c", 1), counted("d", 4), counted("e", 4)];
  assert.deepEqual(
    rarest(words, 2).map(({ term }) => term),
    ["c", "d"],
  );
  assert.deepEqual(
    rarest(words, 9).map(({ term }) => term),
    ["a", "c", "d", "e"],
  );
});

test("I4 the few Latin words of a long prompt in Chinese are kept, although its pairs are rarer", () => {
  const pairs = Array.from({ length: 40 }, (_, at) =>
    counted(String.fromCharCode(0x4e00 + at, 0x5000 + at), 1),
  );
  const words = ["codex", "export", "nowhere"].map((term, at) => counted(term, [900, 800, 0][at] ?? 0));
  const chosen = choose([...pairs.slice(0, 30), ...words, ...pairs.slice(30)]).map(({ term }) => term);
  assert.equal(chosen.length, 32);
  assert.deepEqual(chosen.slice(30), ["codex", "export"]);
});

test("I4 a translation weighs three tenths of a word", () => {
  const [own] = weigh([counted("deploy", 3)], 100);
  const [english] = weigh([counted("deploy", 3)], 100, true);
  assert.equal(((english?.weight ?? 0) / (own?.weight ?? 0)).toFixed(6), "0.300000");
});

test("I4 phrases are triggers and what a description quotes, in any quotation marks; apostrophes and single words are none", () => {
  const cases: [string, string[]][] = [
    [
      "Use when the user says \"tidy the repo\", “sort imports” or 'fix all typos'.",
      ["tidy repo", "sort imports", "fix typos"],
    ],
    ["用户说「整理仓库」或『周报』时", ["整理 理仓 仓库"]],
    ["The user's page doesn't load and the team's build fails", []],
    ["The users' page and the teams' build", []],
    ['Called "deploy" or "the deploy", "an open quote', []],
    ["", []],
  ];
  for (const [description, phrases] of cases)
    assert.deepEqual(
      phrasesOf(description, []).map((words) => words.join(" ")),
      phrases,
      description,
    );
  assert.deepEqual(phrasesOf("", ["Write release notes", "notes"]), [["write", "release", "notes"]]);
});

test("I4 a skill that names a phrase of which the query has every word comes before one that has its words elsewhere", () => {
  const rows = [
    hit("aa", { description: "A copy of a review, or a copy of pages" }),
    hit("bb", { description: 'Use it when somebody asks to "review copy"' }),
    hit("cc", { triggers: ["review copy"] }),
    hit("dd", { description: 'Pages. Not for "review copy"' }),
  ];
  assert.deepEqual(new Set(best(rows, "copy", "review").slice(0, 2)), new Set(["bb", "cc"]));
  assert.equal(best(rows, "copy", "pages")[0], "aa");
});

test("I4 the English words of a description in Chinese count as words of it", () => {
  const rows = [hit("aa", { description: "先把水烧开" }), hit("bb", { description: "把网页翻译成要点" })];
  assert.deepEqual(best(rows, "translate"), ["bb", "aa"]);
});

test("design 6: words that a reader has kept from other queries and rows, or no longer keeps, change no order and no score", () => {
  const rows = ["connect walrus", "connected zebra", "walruses connecting", "nothing of it"].map(
    (description, at) =>
      hit(
        `skill-${at}`,
        { description: `${description}. Not for zebras.`, triggers: ["walrus run"] },
        at / 10,
      ),
  );
  const asked = [
    ["walrus", "connection"],
    ["zebra"],
    ["zebra", "zebras", "walrus"],
    ["running"],
    ["walrus", "connection"],
  ];
  const translate = createGlossary();
  for (const reader of [createRowReader(translate), createRowReader(translate, 3)])
    for (const words of asked) {
      const terms = weigh(
        words.map((word) => counted(word, 2)),
        100,
      );
      assert.deepEqual(
        rank(rows, [], terms, translate, { measure: 1, isWhole: false }, reader),
        rank(rows, [], terms, translate),
        words.join(" "),
      );
    }
});
