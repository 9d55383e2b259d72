import assert from "node:assert/strict";
import { test } from "node:test";
import { JA } from "../../lib/core/glossary/ja.ts";
import { KO } from "../../lib/core/glossary/ko.ts";
import { ZH } from "../../lib/core/glossary/zh.ts";
import { ZH_MORE } from "../../lib/core/glossary/zh-more.ts";
import { createGlossary } from "../../lib/core/glossary.ts";

const translate = createGlossary();

function agree(cases: readonly (readonly [string, string])[]): void {
  for (const [text, english] of cases) assert.equal(translate(text).join(" "), english, text);
}

test("I4 the longest word wins over the words that it begins with", () => {
  agree([
    ["数据", "data"],
    ["数据库", "database"],
    ["数据库迁移", "database migration"],
    ["文件夹", "folder directory"],
    ["机器学习", "machine learning ml"],
    ["データベース", "database"],
    ["검색엔진", "search engine"],
  ]);
});

test("I4 words follow each other in one run, Latin words and unknown letters between them are passed over", () => {
  agree([
    ["帮我审查一下React组件", "review audit component"],
    ["把docker容器部署到k8s集群", "container docker deploy deployment cluster"],
    ["PDFを翻訳して要約", "translate translation summary summarize"],
  ]);
});

test("I4 an English term comes once, at its first place", () => {
  agree([["测试，单元测试；测试", "test testing unit"]]);
});

test("I4 traditional characters and the words of Taiwan are found as simplified ones are", () => {
  agree([
    ["測試", "test testing"],
    ["資料庫", "database"],
    ["數據庫", "database"],
    ["軟體", "software"],
    ["程式碼審查", "code review"],
    ["後台", "backend server"],
    ["發布", "release publish"],
  ]);
});

test("I4 Korean stems are found before particles and endings", () => {
  agree([
    ["배포를 자동화해줘", "deploy deployment automation automate"],
    ["테스트가", "test testing"],
    ["코드를 리팩터링해", "code refactor refactoring"],
    ["리팩토링", "refactor refactoring"],
  ]);
});

test("I4 the tail of an unknown word of katakana or hangul is not taken for a word", () => {
  agree([
    ["コンテスト", ""],
    ["自動テスト", "test automation"],
    ["データ・テスト", "data test testing"],
    ["카탈로그", ""],
    ["코드리뷰", "code review"],
    ["데이터백업", "data backup"],
  ]);
});

test("I4 half-width, full-width and decomposed letters are found as the usual ones are", () => {
  agree([
    ["ﾃｽﾄ", "test testing"],
    ["배포".normalize("NFD"), "deploy deployment"],
    ["データ".normalize("NFD"), "data"],
  ]);
});

test("I4 text without a known word gives nothing", () => {
  for (const text of ["", " ", "deploy the app", "鿿鿿", "ー", "ㄱ", "\ud800", "\udc00数\ud800", "😀"])
    assert.deepEqual(translate(text), [], JSON.stringify(text));
});

test("I4 a lone surrogate hides no word beside it", () => {
  agree([["\ud800测试\udc00部署\ud83d", "test testing deploy deployment"]]);
});

test("I4 a megabyte of one letter, whatever begins with it, is answered in one pass", () => {
  for (const letter of ["数", "機", "テ", "배", "ー", "a", "\ud83d"])
    assert.deepEqual(translate(letter.repeat(350_000)), []);
  assert.deepEqual(translate("数据库".repeat(120_000)), ["database"]);
});

test("I4 the tables hold words of CJK letters with one to three English terms, no word twice", () => {
  const entries = [ZH, ZH_MORE, JA, KO].flatMap((text) => text.split(";"));
  const words = new Set<string>();
  for (const entry of entries) {
    const [, cjk = "", english = ""] =
      /^\s*((?:[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+ )+)([a-z0-9]+(?: [a-z0-9]+){0,2})\s*$/u.exec(
        entry,
      ) ?? [];
    assert.notEqual(english, "", `not "word word term term": ${entry}`);
    assert.equal(new Set(english.split(" ")).size, english.split(" ").length, entry);
    for (const word of cjk.trim().split(" ")) {
      assert.ok(!words.has(word), `twice: ${word}`);
      assert.equal(word, word.normalize("NFKC"), "never found in normalized text");
      words.add(word);
    }
  }
  assert.ok(words.size > 4_500, String(words.size));
});
