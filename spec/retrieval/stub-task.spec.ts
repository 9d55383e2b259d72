import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { writeTree } from "../support/home.ts";
import { canonFile, makeLibrary, openHeard, REPO, skill } from "../support/library.ts";

const names = (text: string) => [...text.matchAll(/^- `(.+?)` — /gm)].map((match) => match[1]);
const canon = (name: string) => `${REPO}/canon/${name}.md`;

/** Skills that have nothing to do with one another, `count` of them. */
function strangers(count: number, description = "Does the thing of that number and no other"): typeof many {
  const many: Record<string, string> = {};
  for (let i = 0; i < count; i++)
    many[`s${i}/SKILL.md`] = skill(`stranger-${String(i).padStart(3, "0")}`, `${description}: ${i}`);
  return many;
}

test("S1.20 S2.20 with a task the skill that answers it comes first, in the seed's exact form, and the others follow", async () => {
  const { library } = await makeLibrary({
    home: {
      [canon("aa")]: canonFile("aa"),
      [canon("bb")]: canonFile("bb"),
      [canon("cc")]: canonFile("cc", { description: '"Repair a test that fails now and then"' }),
    },
  });
  const task = "The login test fails on every third run; please find out why.";
  const stub = await library.stub({ task });
  assert.equal(
    stub.text,
    [
      "## Skills available (L0 stub)",
      "",
      "You have 3 project-specific skills available. Call `skill_read(name)` to load the full body on demand. Do not assume a skill matches — read it first.",
      "",
      "- `cc` — Repair a test that fails now and then",
      "- `aa` — What aa is for",
      "- `bb` — What bb is for",
      "",
    ].join("\n"),
  );
  assert.deepEqual([stub.count, stub.remaining, stub.tokens], [3, 0, 72]);
  for (const role of ["planner", "worker"])
    assert.equal((await library.stub({ task, role })).text, stub.text, "S2.21");
});

test("S2.21 with a task and no eligible skill there is no text at all", async () => {
  const { library } = await makeLibrary({ home: { [`${REPO}/quarantine/bad.md`]: canonFile("bad") } });
  assert.deepEqual(await library.stub({ task: "What bad is for" }), {
    text: "",
    count: 0,
    remaining: 0,
    tokens: 0,
    hiddenByTools: 0,
  });
});

test("S1.21 C8 C41 a task brings up nothing that its asker may not have, however well it matches", async () => {
  const about = { description: '"Mend a broken zeppelin"' };
  const { library } = await makeLibrary({
    home: {
      [canon("mine")]: canonFile("mine", about),
      [canon("shared")]: canonFile("shared", { description: '"The project\'s own zeppelin"' }),
      "universal/canon/shared.md": canonFile("shared", about),
      [canon("needs")]: canonFile("needs", { ...about, requires_tools: '["helium"]' }),
      [canon("person")]: canonFile("person", { ...about, disable_model_invocation: "true" }),
      [canon("go-only")]: canonFile("go-only", {
        ...about,
        applies_to: `\n  repo_fingerprint: "${REPO}"\n  languages: ["go"]\n  toolsets: ["*"]`,
      }),
      [`${REPO}/quarantine/bad.md`]: canonFile("bad", about),
      "ffffffffffff/canon/foreign.md": canonFile("foreign", about),
    },
  });
  const ask = async (more: object) =>
    names((await library.stub({ task: "mend the zeppelin", ...more })).text).sort();
  assert.deepEqual(await ask({ languages: ["typescript"] }), ["mine", "shared"]);
  assert.deepEqual(await ask({ tools: ["helium"] }), ["go-only", "mine", "needs", "shared"]);
  assert.match((await library.stub({ task: "zeppelin" })).text, /The project's own zeppelin/);
});

test("design 7: what the task does not match follows in the seed's order, so that the stub is full", async () => {
  const { library } = await makeLibrary({
    skills: { ...strangers(35), "z/SKILL.md": skill("zz-answer", "Mend a zeppelin") },
  });
  const { text, count, remaining } = await library.stub({ task: "zeppelin" });
  assert.deepEqual([count, remaining], [36, 0], "the budget alone ends a stub with a task");
  assert.deepEqual(names(text).slice(0, 3), ["zz-answer", "stranger-000", "stranger-001"]);
  assert.equal((await library.stub()).count, 30, "S2.2 without a task");
});

test("S1.23 C53 P7 in any script and for any budget a stub with a task stays within it, in whole lines", async () => {
  const skills: Record<string, string> = {};
  for (let i = 0; i < 60; i++)
    skills[`s${i}/SKILL.md`] = skill(
      `s${i}`,
      i % 2 === 0
        ? `部署到生产环境之前的第${i}步检查，以及失败时怎么回滚`
        : `Deploy step ${i}: check what stands there`,
    );
  const { library } = await makeLibrary({ skills });
  for (const task of ["部署之前要检查什么？", "deploy 部署 🚀", "デプロイの確認", "배포 확인"]) {
    for (let budget = 40; budget <= 2_048; budget += 251) {
      const { text, tokens, count, remaining } = await library.stub({ task, budget });
      assert.equal(tokens, Math.ceil(Buffer.byteLength(text) / 4));
      assert.ok(tokens <= budget, `${task} ${budget}`);
      assert.equal(count + remaining, 60);
      const lines = text.split("\n").filter((line) => line.startsWith("- "));
      assert.equal(lines.length, count);
      for (const line of lines)
        assert.match(
          line,
          /^- `s\d+` — (部署到生产环境之前的第\d+步检查，以及失败时怎么回滚|Deploy step \d+: check what stands there)$/,
        );
      if (count > 0 && remaining > 0)
        assert.ok(text.endsWith(`\nplus ${remaining} more — use \`skill_search(query)\`\n`));
    }
  }
  const first = names((await library.stub({ task: "部署到生产环境之前的检查", budget: 300 })).text);
  assert.ok(first.length > 2 && first.every((name) => Number(name?.slice(1)) % 2 === 0), first.join());
});

test("C31 C66 B67 where more answer than fit, lines behind the thirtieth show less of a description, cut as a summary is", async () => {
  const long =
    "Mend the zeppelin by way of a family of four 👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦 who have ropes and patience, and mind the wind";
  const { library } = await makeLibrary({ skills: strangers(90, long.slice(0, 110)) });
  const { text, count, remaining } = await library.stub({ task: "mend the zeppelin" });
  const shown = [...text.matchAll(/^- `stranger-\d+` — (.*)$/gm)].map((match) => match[1] ?? "");
  assert.equal(shown.length, count);
  assert.ok(remaining > 0 && count > 40, String(count));
  assert.ok(
    shown.slice(0, 30).every((line) => line.length > 100 && line.startsWith("Mend the zeppelin by way")),
  );
  for (const line of shown.slice(30)) {
    assert.ok(line.length <= 60 && line.isWellFormed(), line);
    assert.match(line, /^Mend the zeppelin by way of a family of four( 👨‍👩‍👧‍👦)?…$/u);
  }
  const few = await library.stub({ task: "mend the zeppelin", budget: 1_000 });
  assert.ok(few.count < 30 && !/ four…$/m.test(few.text), "as long as thirty do not fit, all are whole");
  const all = await makeLibrary({
    skills: strangers(40, "What is on the first forty lines of a stub that holds them all"),
  });
  const { text: whole } = await all.library.stub({ task: "first forty lines" });
  assert.equal(whole.match(/ that holds them all: \d+$/gm)?.length, 40, "nothing is cut where all fit");
});

test("C66 a summary of its own is what the line shows, also where the description is long", async () => {
  const long = JSON.stringify(`Mend a zeppelin. ${"More of it. ".repeat(80)}`.trim());
  const { library } = await makeLibrary({
    home: {
      [canon("aa")]: canonFile("aa", { description: long, summary: '"In short."' }),
      [canon("bb")]: canonFile("bb", { description: long, summary: '""' }),
    },
  });
  const { text } = await library.stub({ task: "more zeppelin" });
  assert.match(text, /^- `aa` — In short\.$/m);
  assert.match(text, /^- `bb` — Mend a zeppelin\. More of it\.( More of it\.)*…?$/m);
});

test("design 7: near-identical skills take one line for the task, and their copies come behind everything else", async () => {
  const mirror = "Mend a zeppelin that has lost its gas, in eight careful steps";
  const { library } = await makeLibrary({
    skills: {
      "a/SKILL.md": skill("zeppelin-a", mirror),
      "b/SKILL.md": skill("zeppelin-b", mirror),
      "c/SKILL.md": skill("zeppelin-c", mirror),
      "d/SKILL.md": skill("blimp", "Fold a blimp that is not a zeppelin"),
      "e/SKILL.md": skill("other", "Something else"),
    },
  });
  const { text, count, remaining } = await library.stub({ task: "mend my zeppelin" });
  assert.deepEqual(names(text), ["zeppelin-a", "blimp", "other", "zeppelin-b", "zeppelin-c"]);
  assert.deepEqual([count, remaining], [5, 0]);
  assert.deepEqual(names((await library.stub()).text), [
    "blimp",
    "other",
    "zeppelin-a",
    "zeppelin-b",
    "zeppelin-c",
  ]);
});

test("design 2: pinned skills come first with a task and without, copies too, and only where they are eligible", async () => {
  const { library } = await makeLibrary({
    home: {
      "settings.json": '{"pins": ["Zz", "needs", "ab", "nobody"]}',
      [canon("aa")]: canonFile("aa"),
      [canon("ab")]: canonFile("ab", { description: '"One text of eight words that two skills have"' }),
      [canon("needs")]: canonFile("needs", { requires_tools: '["npm"]' }),
      [canon("zz")]: canonFile("zz", { description: '"One text of eight words that two skills have"' }),
    },
  });
  assert.deepEqual(names((await library.stub()).text), ["zz", "ab", "aa"]);
  assert.deepEqual(names((await library.stub({ task: "what is aa for" })).text), ["zz", "ab", "aa"]);
  assert.deepEqual(names((await library.stub({ tools: ["npm"] })).text), ["zz", "needs", "ab", "aa"]);
});

test("S2.22 every name of a stub with a task can be read, twins of one place as well", async () => {
  const { library } = await makeLibrary({
    skills: {
      "one/SKILL.md": skill("twin", "Mend a zeppelin", "First."),
      "two/SKILL.md": skill("twin", "Mend a zeppelin of another make", "Second."),
    },
  });
  const shown = names((await library.stub({ task: "zeppelin" })).text);
  const bodies = [];
  for (const name of shown) bodies.push((await library.read(name ?? "", { record: false })).body);
  assert.deepEqual(bodies.map((body) => /First|Second/.exec(body)?.[0]).sort(), ["First", "Second"]);
});

test("S2.24 the first lines of a stub with a task are what a search of that text finds, in its order", async () => {
  const { library } = await makeLibrary({
    skills: {
      ...strangers(20),
      "a/SKILL.md": skill("unused-exports", "Find exports that nobody imports", "Zeppelin."),
      "b/SKILL.md": skill("zeppelin-mend", "Mend it"),
      "c/SKILL.md": skill("big-blimp", "Mend a zeppelin or a blimp"),
    },
  });
  const { hits } = await library.search("mend the zeppelin");
  assert.equal(hits.length, 3);
  const shown = names((await library.stub({ task: "mend the zeppelin" })).text);
  assert.deepEqual(
    shown.slice(0, 3),
    hits.map(({ name }) => name),
  );
});

test("P9 of a task of a megabyte the first 4,096 bytes count, and a blank one is none", async () => {
  const { library } = await makeLibrary({
    skills: {
      ...strangers(3),
      "a/SKILL.md": skill("zz", "Mend a zeppelin"),
      "b/SKILL.md": skill("yy", "Fold a blimp"),
    },
  });
  const first = async (task: string) => names((await library.stub({ task })).text)[0];
  assert.equal(await first(`zeppelin ${"padding blimps ".repeat(70_000)}`), "zz");
  assert.equal(await first(`${"x ".repeat(2_048)}zeppelin`), "stranger-000");
  assert.equal(await first(`${"x ".repeat(2_043)}zeppelin`), "zz");
  for (const task of ["", " \n\t"]) assert.deepEqual(await library.stub({ task }), await library.stub());
  for (const task of ["???", "\u0000", "\ud800", '" OR name:*', "請"])
    assert.equal((await library.stub({ task })).count, 5);
});

test("P10 P1 the same vault and task give the same bytes, with another index too", async () => {
  const { library, home, folder } = await makeLibrary({
    skills: { ...strangers(50), "a/SKILL.md": skill("zz", "Mend a zeppelin of that number") },
  });
  const task = "the thing of number 7, or a zeppelin";
  const before = await library.stub({ task });
  assert.equal(JSON.stringify(await library.stub({ task })), JSON.stringify(before));
  await library.close();
  for (const options of [{ dsn: ":memory:" }, { driver: "memory" }]) {
    const again = (await openHeard({ home, ...options })).library;
    assert.deepEqual(
      names((await again.stub({ task })).text).slice(0, 20),
      names(before.text).slice(0, 20),
      folder,
    );
  }
});

test("S3.19 without full text a task still brings up what holds its words", async () => {
  const { library, home } = await makeLibrary({
    skills: { ...strangers(5), "a/SKILL.md": skill("zz", "Mend a zeppelin") },
  });
  await library.close();
  writeTree(home, { "settings.json": '{"engine": "sql.js"}' });
  const again = (await openHeard({ home, dsn: join(home, "other.sqlite") })).library;
  assert.deepEqual(names((await again.stub({ task: "please mend the zeppelin" })).text).slice(0, 2), [
    "zz",
    "stranger-000",
  ]);
});
