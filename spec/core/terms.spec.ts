import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { indexTerms, isCjk, queryTerms } from "../../lib/core/terms.ts";

test("B02 odd queries become plain words, each of letters and digits only", () => {
  const cases: [string, string[]][] = [
    ["multi-agent", ["multi", "agent"]],
    ["don't", ["don"]],
    ["node.js", ["node", "js"]],
    ["c++", ["c"]],
    ["C#", ["c"]],
    ["a/b", ["b"]],
    ['"unbalanced', ["unbalanced"]],
    ["(", []],
    ["*", []],
    ["^x", ["x"]],
    ["-agent", ["agent"]],
    ["NEAR(", ["near"]],
    ["foo OR", ["foo"]],
    ["{name}", ["name"]],
    ["\u0000x", ["x"]],
  ];
  for (const [query, terms] of cases) assert.deepEqual(queryTerms(query), terms, query);
});

test("B02 no text at all makes a term that is not letters and digits, or throws", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
      for (const term of [...queryTerms(text), ...indexTerms(text).split(" ")])
        assert.match(term, /^[\p{L}\p{N}\p{M}\p{Co}]*$/u);
      assert.ok(queryTerms(text).length <= 32);
    }),
    { numRuns: 2_000 },
  );
});

test("B03 the words that a question is made of are dropped, its subject stays", () => {
  assert.deepEqual(queryTerms("how do i deploy the app"), ["deploy", "app"]);
});

test("B48 a query of nothing but small words keeps them", () => {
  assert.deepEqual(queryTerms("do not"), ["do", "not"]);
  assert.deepEqual(queryTerms("NOT"), ["not"]);
});

test("B47 runs of Chinese become pairs on both sides, and Latin words beside them stand alone", () => {
  assert.deepEqual(
    indexTerms("部署方案 重跑gen-report后检查").split(" ").toSorted(),
    ["gen", "report", "后检", "方案", "检查", "署方", "部署", "重跑"].toSorted(),
  );
  assert.deepEqual(queryTerms("方案"), ["方案"]);
  assert.deepEqual(queryTerms("report"), ["report"]);
});

test("design 6: the index holds identifiers whole and in parts, a query keeps them whole", () => {
  assert.equal(indexTerms("parseConfigFile"), "parseconfigfile parse config file");
  assert.deepEqual(queryTerms("parseConfigFile"), ["parseconfigfile"]);
});

test("design 6: composed, decomposed, full-width and accented forms of a word are one term", () => {
  assert.deepEqual(queryTerms("café"), ["cafe"]);
  assert.deepEqual(queryTerms("cafe\u0301"), ["cafe"]);
  assert.deepEqual(queryTerms("ｐｄｆ"), ["pdf"]);
});

test("design 6: voiced kana keep their marks", () => {
  assert.equal(indexTerms("ガイド"), "ガイ イド");
});

test("design 6: plain text and the same text among letters of other scripts give the same terms", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary-ascii", maxLength: 300 }), (text) => {
      const alone = indexTerms(text).split(" ");
      const beside = text
        .split("\n")
        .map((line) => indexTerms(`${line} é`))
        .join(" ")
        .split(" ")
        .filter((term) => term !== "e");
      assert.deepEqual(
        alone.filter((term) => term !== "e" && term !== "").toSorted(),
        beside.filter((term) => term !== "").toSorted(),
      );
    }),
    { numRuns: 2_000 },
  );
});

test("design 6: what an apostrophe cuts off is no word, what it joins is", () => {
  assert.deepEqual(queryTerms("don't rock'n'roll l'été"), ["don", "rock", "roll", "l", "ete"]);
  assert.equal(indexTerms("don't rock'n'roll we’ll"), "don rock roll we");
  assert.deepEqual(indexTerms("l'été").split(" ").toSorted(), ["ete", "l"]);
});

test("B47 text of ideographs gives the same terms in the index as in a query, whatever stands beside it", () => {
  const letters = fc.constantFrom(..."部署方案検索ガイドー문서");
  const others = fc.constantFrom(..."aZ9 、。é'\u3099\uff76");
  const text = fc
    .array(fc.oneof({ weight: 4, arbitrary: letters }, others), { maxLength: 30 })
    .map((all) => all.join(""));
  fc.assert(
    fc.property(text, (one) => {
      const indexed = new Set(indexTerms(one).split(" "));
      const missing = queryTerms(one).filter((term) => !indexed.has(term));
      assert.deepEqual(missing, [], JSON.stringify(one));
    }),
    { numRuns: 5_000 },
  );
});

test("B47 pairs of CJK letters are told from other terms", () => {
  assert.deepEqual(["部署", "ガイ", "한국", "部"].map(isCjk), [true, true, true, true]);
  assert.deepEqual(["deploy", "été", "3"].map(isCjk), [false, false, false]);
});

test("S3.13 32 terms of a query are kept unless more are asked for", () => {
  const query = Array.from({ length: 600 }, (_, at) => `w${at}`).join(" ");
  assert.equal(queryTerms(query).length, 32);
  assert.equal(queryTerms(query, 512).length, 512);
});
