import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createContext } from "../../lib/core/context.ts";
import { CanonryError } from "../../lib/core/errors.ts";
import type { Catalog } from "../../lib/indexing/catalog.ts";
import { temporaryFolder } from "../support/home.ts";
import { canonFile, makeLibrary, REPO, skill } from "../support/library.ts";

const names = (answer: { hits: readonly { name: string }[] }) => answer.hits.map((hit) => hit.name);

test("B02 no query is an error, and the odd words find the skill that holds them", async () => {
  const { library } = await makeLibrary({
    skills: {
      "multi-agent-run/SKILL.md": skill("multi-agent-run", "run node.js and C++ builds, don't guess"),
    },
  });
  for (const query of ["multi-agent", "don't", "node.js", "c++"])
    assert.deepEqual(names(await library.search(query)), ["multi-agent-run"], query);
  for (const query of [
    "C#",
    "a/b",
    "what is it?",
    '"unbalanced',
    "(",
    "*",
    "^x",
    "-agent",
    "NEAR(",
    "foo OR",
    "{name}",
    "\u0000x",
    "x\u0000y",
    "(".repeat(2_000),
    "🚀",
    "\ud800",
  ])
    assert.ok(["ok", "no_match"].includes((await library.search(query)).state), query);
});

test("B03 a question finds its subject, and one that shares only small words finds nothing", async () => {
  const { library } = await makeLibrary({
    skills: {
      "deploy/SKILL.md": skill("deploy", "Ship the app"),
      "pdf-merge/SKILL.md": skill("pdf-merge", "Join PDF files"),
    },
  });
  const found = await library.search("how do i deploy the app");
  assert.equal(found.state, "ok");
  assert.equal(found.hits[0]?.name, "deploy");
  const none = await library.search("best restaurants in the city");
  assert.deepEqual([none.state, none.hits], ["no_match", []]);
});

test("B03 an empty library says so instead of no match", async () => {
  const { library } = await makeLibrary({ skills: { "readme.txt": "not a skill" } });
  assert.equal((await library.search("deploy")).state, "index_empty");
});

test("B06 the skill that is called like the query comes first, then the one whose name begins with it", async () => {
  const skills: Record<string, string> = {
    "deploy/SKILL.md": skill("deploy", "Ship the app", "short"),
    "release-notes/SKILL.md": skill(
      "release-notes",
      "Write notes for a deploy",
      "deploy deploy deploy deploy deploy",
    ),
    "deploy-rollback/SKILL.md": skill("deploy-rollback", "Undo a bad deploy", "roll back deploy"),
  };
  for (let i = 0; i < 40; i++)
    skills[`other-${i}/SKILL.md`] = skill(`other-${i}`, `Something else, number ${i}`);
  const { library } = await makeLibrary({ skills });
  assert.deepEqual(names(await library.search("deploy")), ["deploy", "deploy-rollback", "release-notes"]);
});

test("B48 words that a query language would take for operators are words", async () => {
  const { library } = await makeLibrary({
    skills: {
      "careful-push/SKILL.md": skill("careful-push", "DO NOT use force push"),
      "name-lookup/SKILL.md": skill("name-lookup", "name service"),
    },
  });
  assert.deepEqual(names(await library.search("NOT")), ["careful-push"]);
  assert.deepEqual(names(await library.search("do not")), ["careful-push"]);
  assert.deepEqual(names(await library.search("name:service")), ["name-lookup"]);
  assert.deepEqual(names(await library.search("-force")), ["careful-push"]);
  assert.deepEqual(names(await library.search("service*")), ["name-lookup"]);
});

test("B50 more words matched means a higher place and a higher score", async () => {
  const { library } = await makeLibrary({
    skills: {
      "three/SKILL.md": skill("three", "copper kettle lantern"),
      "two/SKILL.md": skill("two", "copper kettle window"),
      "one/SKILL.md": skill("one", "copper window garden"),
    },
  });
  const { hits } = await library.search("copper kettle lantern absentword");
  assert.deepEqual(
    hits.map((hit) => hit.name),
    ["three", "two", "one"],
  );
  assert.deepEqual(
    hits.map((hit) => hit.score).toSorted((a, b) => b - a),
    hits.map((hit) => hit.score),
  );
  assert.equal(hits[0]?.score, 1);
  assert.equal(hits.at(-1)?.score, 0);
});

test("S3.13 of skills that say what they are for, the one with all the words comes before those with some", async () => {
  const skills: Record<string, string> = {
    "a/SKILL.md": skill("aa", "polishes a copper kettle", "Short."),
    "b/SKILL.md": skill("bb", "copper, copper and more copper", "Short."),
    "c/SKILL.md": skill("cc", "polishes a kettle and another kettle", "Short."),
  };
  for (let i = 0; i < 8; i++) skills[`other-${i}/SKILL.md`] = skill(`other-${i}`, "nothing of it");
  const { library } = await makeLibrary({ skills });
  assert.equal(names(await library.search("copper kettle"))[0], "aa");
  assert.equal((await library.search("copper kettle")).hits.length, 3);
  const empty = await library.search("  ");
  assert.deepEqual([empty.path, empty.hits], ["fts5", []]);
});

test("design 6: the words that come first in a prompt weigh more, and a long one is cut to its rarest words", async () => {
  const { library } = await makeLibrary({
    skills: {
      "a/SKILL.md": skill("aa", "about a kettle"),
      "b/SKILL.md": skill("bb", "about a lantern"),
    },
  });
  const padding = Array.from({ length: 60 }, (_, i) => `about${i}`).join(" ");
  assert.deepEqual(names(await library.search(`kettle ${padding} lantern`)), ["aa", "bb"]);
  assert.deepEqual(names(await library.search(`lantern ${padding} kettle`)), ["bb", "aa"]);
  assert.deepEqual(names(await library.search(`${padding} kettle`)), ["aa"]);
});

for (const driver of ["sqljs", "memory"])
  test(`B47 words of two letters, whole phrases and Latin words beside Chinese all hit, wherever they stand (${driver})`, async () => {
    const text = "部署方案指南 重跑gen-report后检查";
    const other = skill("other", "会议记录整理", "做一个表格。");
    for (const kept of [skill("kept", text), skill("kept", "A guide", text)]) {
      const skills = { "a/SKILL.md": kept, "b/SKILL.md": other };
      const { library } = await makeLibrary({ skills }, { driver });
      for (const query of ["部署", "部署方案", "方案", "report"])
        assert.deepEqual(names(await library.search(query)), ["kept"], query);
    }
  });

test("B47 a Chinese prompt finds the skill that says so in Chinese before long Chinese bodies, and a body where no head has the word", async () => {
  const { library } = await makeLibrary({
    skills: {
      "a/SKILL.md": skill("deploy-site", "部署网站到服务器", "Short."),
      "b/SKILL.md": skill("notes", "会议记录整理", "部署网站到服务器的步骤。".repeat(30)),
      "c/SKILL.md": skill("tea", "A way to make tea", "先把水烧开，然后泡茶。"),
    },
  });
  assert.equal(names(await library.search("帮我部署网站"))[0], "deploy-site");
  assert.deepEqual(names(await library.search("泡茶")), ["tea"]);
});

test("B47 I4 a prompt finds the skill that is described in another language: Chinese, Japanese, Korean and English, each way", async () => {
  const { library } = await makeLibrary({
    skills: {
      "a/SKILL.md": skill("moving-tables", "Plans a database migration without downtime"),
      "b/SKILL.md": skill("shortening", "把网页内容翻译并总结成要点"),
      "c/SKILL.md": skill("tea", "Boils water for tea"),
    },
  });
  for (const prompt of [
    "帮我规划一次数据库迁移",
    "資料庫遷移",
    "データベースのマイグレーション",
    "데이터베이스를 옮기고 싶어요",
  ])
    assert.deepEqual(names(await library.search(prompt)), ["moving-tables"], prompt);
  for (const prompt of ["please translate a page", "웹페이지를 번역해 주세요"])
    assert.deepEqual(names(await library.search(prompt)), ["shortening"], prompt);
});

test("B47 I4 of two skills that say the same the one in the language of the prompt comes first", async () => {
  const { library } = await makeLibrary({
    skills: {
      "a/SKILL.md": skill("aa", "Deploy a website to a server"),
      "b/SKILL.md": skill("bb", "部署网站到服务器"),
    },
  });
  assert.deepEqual(names(await library.search("部署网站到服务器")), ["bb", "aa"]);
  assert.deepEqual(names(await library.search("deploy a website to a server")), ["aa", "bb"]);
});

test("design 6: what a description says that the skill is not for counts against it", async () => {
  const { library } = await makeLibrary({
    skills: {
      "a/SKILL.md": skill("aa", "Polishes a kettle. Do not use it on a lantern."),
      "b/SKILL.md": skill("bb", "Polishes a lantern. Not for a kettle."),
    },
  });
  assert.deepEqual(names(await library.search("polishes a lantern")), ["bb", "aa"]);
  assert.deepEqual(names(await library.search("polishes a kettle")), ["aa", "bb"]);
});

test("S3.14 C21 a single hit scores 1, however poor: no score is held against a threshold", async () => {
  const { library } = await makeLibrary({ skills: { "a/SKILL.md": skill("aa", "copper kettle") } });
  assert.deepEqual(
    (await library.search("kettle")).hits.map((hit) => hit.score),
    [1],
  );
});

test("S3.12 the first step of the ladder with rows answers, and says which it was", async () => {
  const { library } = await makeLibrary({ skills: { "a/SKILL.md": skill("kettlehouse", "copper pipes") } });
  assert.equal((await library.search("copper")).path, "fts5");
  const inside = await library.search("ettleho");
  assert.deepEqual([inside.path, names(inside), inside.hits[0]?.score], ["regex", ["kettlehouse"], 0.85]);
  assert.equal((await library.search("nothingatall")).path, "fts5");
});

test("S3.15 the second step scores a name by how it matches, and the rest below it", async () => {
  const { library } = await makeLibrary(
    {
      skills: {
        "a/SKILL.md": skill("kettle", "one"),
        "b/SKILL.md": skill("kettle-drum", "two"),
        "c/SKILL.md": skill("tea-kettle", "three"),
        "d/SKILL.md": skill("stove", "heats a kettle"),
      },
    },
    { engine: "sql.js" },
  );
  const { path, hits } = await library.search("kettle");
  assert.equal(path, "regex");
  assert.deepEqual(
    hits.map((hit) => [hit.name, hit.score]),
    [
      ["kettle", 0.95],
      ["kettle-drum", 0.9],
      ["tea-kettle", 0.85],
      ["stove", 0.75],
    ],
  );
});

test("S3.19 an engine without full text answers from the second step, never with an error", async () => {
  const { library } = await makeLibrary(
    { skills: { "a/SKILL.md": skill("aa", "copper kettle") } },
    { engine: "sql.js" },
  );
  assert.deepEqual(names(await library.search("how do I find a kettle")), ["aa"]);
  assert.equal((await library.search("")).path, "regex");
});

test("C51 an agent's text is never an expression; a person's slow one is stopped", async () => {
  const { library } = await makeLibrary({
    skills: { "quiet/SKILL.md": skill("aa", `${"a".repeat(40)}b tail`) },
  });
  assert.equal((await library.search("(a+)+$")).state, "no_match");
  await assert.rejects(library.search("(a+)+c", { regex: true }), { code: "CANONRY_REGEX" });
  await assert.rejects(library.search("(", { regex: true }), { code: "CANONRY_REGEX" });
  assert.deepEqual(names(await library.search("^a{2}$", { regex: true })), ["aa"]);
});

test("C51 an expression over 4,096 characters, or one that is too much for the engine, is refused unrepeated", async () => {
  const { library } = await makeLibrary({ skills: { "a/SKILL.md": skill("aa", "a".repeat(30_000)) } });
  const refusal = (source: string) =>
    library.search(source, { regex: true }).then(
      () => assert.fail("it was answered"),
      (error: unknown) => {
        assert.ok(error instanceof CanonryError);
        assert.equal(error.code, "CANONRY_REGEX");
        assert.ok(error.message.length < 200 && !JSON.stringify(error.data).includes(source), error.message);
        return error.message;
      },
    );
  assert.match(await refusal("z".repeat(4_097)), /longer than 4096 characters: 4097/);
  assert.equal((await library.search("z".repeat(4_096), { regex: true })).state, "no_match");
  // On a busy machine the second is over before the engine has given up; either way nothing is repeated.
  assert.match(
    await refusal(`(?:a${"()".repeat(2_000)})*c`),
    /more than the engine can do|ran longer than 1000 ms/,
  );
});

test("S3.18 a search emits one event with the hash of its query and never the query", async () => {
  const { library, heard } = await makeLibrary({ skills: { "a/SKILL.md": skill("aa", "copper kettle") } });
  await library.search("  Kettle ");
  assert.deepEqual(heard.events, [
    { type: "skill.search_executed", query_hash: "20cd4732ae60507a", path: "fts5", limit: 5, result_n: 1 },
  ]);
});

test("S1.27 at most five names and descriptions, and no trace of the search on disk", async () => {
  const skills: Record<string, string> = {};
  for (let i = 0; i < 8; i++) skills[`kettle-${i}/SKILL.md`] = skill(`kettle-${i}`, "copper kettle");
  const { library } = await makeLibrary({ skills });
  const { hits } = await library.search("kettle");
  assert.equal(hits.length, 5);
  assert.deepEqual(Object.keys(hits[0] ?? {}), ["name", "place", "description", "score", "origin"]);
  assert.ok((await library.list()).every((one) => one.uses === 0));
});

test("S2.24 only skills of the repository and universal ones answer", async () => {
  const { library } = await makeLibrary({
    home: {
      [`${REPO}/canon/own-kettle.md`]: canonFile("own-kettle"),
      "universal/canon/any-kettle.md": canonFile("any-kettle"),
      "ffffffffffff/canon/other-kettle.md": canonFile("other-kettle"),
    },
  });
  assert.deepEqual(names(await library.search("kettle")).toSorted(), ["any-kettle", "own-kettle"]);
});

test("C6 the limit counts after the filter, so skills of other repositories take no place", async () => {
  const home: Record<string, string> = { [`${REPO}/canon/own-kettle.md`]: canonFile("own-kettle") };
  for (let i = 0; i < 10; i++) home[`ffffffffffff/canon/kettle-${i}.md`] = canonFile(`kettle-${i}`);
  const { library } = await makeLibrary({ home });
  assert.deepEqual(names(await library.search("kettle", { limit: 1 })), ["own-kettle"]);
});

test("C41 a skill that only a person may call up is not offered, but can be read", async () => {
  const { library } = await makeLibrary({
    skills: { "a/SKILL.md": skill("aa", "copper kettle", "Text.", "disable-model-invocation: true\n") },
  });
  assert.equal((await library.search("kettle")).state, "no_match");
  assert.equal((await library.stub()).text, "");
  assert.equal((await library.read("aa")).name, "aa");
});

test("S3.12 as many as 200 hits come where so many are asked for", async () => {
  const skills = Object.fromEntries(
    Array.from({ length: 210 }, (_, i) => [`s${i}/SKILL.md`, skill(`s${i}`, "copper kettle")]),
  );
  const { library } = await makeLibrary({ skills });
  assert.equal((await library.search("kettle", { limit: 200 })).hits.length, 200);
});

test("S3.12 S1.27 a limit is 5 unless given, 0 stands for 20, and 200 is the most", async () => {
  const skills = Object.fromEntries(
    Array.from({ length: 30 }, (_, i) => [`s${i}/SKILL.md`, skill(`s${i}`, "copper kettle")]),
  );
  const { library } = await makeLibrary({ skills });
  const counts = [undefined, 0, 200].map(
    async (limit) => (await library.search("kettle", { limit })).hits.length,
  );
  assert.deepEqual(await Promise.all(counts), [5, 20, 30]);
  await assert.rejects(library.search("x", { limit: 201 }), {
    code: "CANONRY_USAGE",
    message: /from 0 to 200; received 201/,
  });
  await assert.rejects(library.search("x", { limit: -1 }), { code: "CANONRY_USAGE" });
});

test("design 6: an index that fails under the question is told apart from an empty answer", async () => {
  const { searchSkills } = await import("../../lib/retrieval/search.ts");
  const { createRowReader } = await import("../../lib/retrieval/row-words.ts");
  const { openVault } = await import("../../lib/vault/vault.ts");
  const heard: string[] = [];
  const context = createContext({ log: { warn: (line) => void heard.push(line), note: () => {} } });
  const failing = {
    relied: false,
    fresh: () => Promise.reject(new CanonryError("CANONRY_INDEX_UNAVAILABLE", "out of memory")),
  };
  const vault = openVault({ home: temporaryFolder(), create: true, context });
  const answer = await searchSkills(
    {
      vault,
      context,
      fingerprint: REPO,
      catalog: failing as unknown as Catalog,
      reader: createRowReader(context.translate),
    },
    "kettle",
  );
  assert.deepEqual(
    [answer.state, answer.hits, heard],
    ["index_unavailable", [], ["The index failed: out of memory"]],
  );
});

test("S3.23 the index stands where a bare path or a file: URI says, or nowhere", async () => {
  const folder = temporaryFolder();
  for (const [dsn, file] of [
    [join(folder, "bare.sqlite"), "bare.sqlite"],
    [`file://${folder}/with%20space.sqlite`, "with space.sqlite"],
    [`file:${folder}/plain.sqlite`, "plain.sqlite"],
  ] as const) {
    const { library } = await makeLibrary(
      { skills: { "a/SKILL.md": skill("aa", "copper kettle") } },
      { dsn },
    );
    await library.reindex();
    assert.ok(existsSync(join(folder, file)), dsn);
  }
  const { library, home } = await makeLibrary(
    { skills: { "a/SKILL.md": skill("aa", "copper kettle") } },
    { dsn: ":memory:" },
  );
  await library.reindex();
  assert.deepEqual(names(await library.search("kettle")), ["aa"]);
  assert.equal(existsSync(join(home, "index.sqlite")), false);
});

test("B02 P9 a query of a million signs is answered like any other", async () => {
  const { library } = await makeLibrary({ skills: { "a/SKILL.md": skill("aa", "copper kettle") } });
  for (const query of [
    '"'.repeat(1_000_000),
    "\0".repeat(1_000_000),
    "x".repeat(1_000_000),
    "( ".repeat(500_000),
  ])
    assert.equal((await library.search(query)).state, "no_match");
  assert.deepEqual(names(await library.search(`kettle ${"? ".repeat(100_000)}`)), ["aa"]);
});

test("S2.24 near-identical skills take one place, with the number of the others, and the limit counts places", async () => {
  const long = "Polishes a copper kettle until it shines, with vinegar, salt and patience";
  const { library } = await makeLibrary({
    skills: {
      "a/polish/SKILL.md": skill("polish", long, "One text."),
      "b/polish/SKILL.md": skill("polish", `${long}.`, "Another text."),
      "c/shine/SKILL.md": skill("shine", long, "A third text."),
      "d/polish/SKILL.md": skill("polish", "Sands a wooden table and oils it, no kettle", "A fourth text."),
      "e/scrub/SKILL.md": skill("scrub", long.replace("copper", "silver"), "A fifth text."),
    },
  });
  const { hits } = await library.search("copper kettle shines", { limit: 3 });
  assert.deepEqual(
    hits.map(({ name, others }) => [name, others]),
    [
      [hits[0]?.name, 2],
      ["scrub", undefined],
      ["polish", undefined],
    ],
  );
  // Here others stand between the copies.
  const named = (await library.search("polish", { limit: 3 })).hits;
  for (const limit of [1, 2])
    assert.deepEqual((await library.search("polish", { limit })).hits, named.slice(0, limit));
});

test("S2.24 short descriptions that are the same under different names are no copies", async () => {
  const { library } = await makeLibrary({
    skills: {
      "a/SKILL.md": skill("aa", "copper kettle"),
      "b/SKILL.md": skill("bb", "copper kettle"),
    },
  });
  assert.deepEqual(names(await library.search("kettle")), ["aa", "bb"]);
});
