import assert from "node:assert/strict";
import { test } from "node:test";
import type { Explained, StubOptions } from "../../lib/library.ts";
import { canonFile, makeLibrary, REPO, skill } from "../support/library.ts";

const canon = (name: string) => `${REPO}/canon/${name}.md`;

async function explain(
  files: Parameters<typeof makeLibrary>[0],
  options: StubOptions = {},
): Promise<readonly Explained[]> {
  const { library } = await makeLibrary(files);
  const { explained, ...plain } = await library.stub({ ...options, explain: true });
  assert.deepEqual(await library.stub(options), plain, "explaining changes nothing");
  assert.ok(explained);
  const isIn = explained.filter((one) => one.in);
  assert.equal(isIn.length, plain.count);
  assert.deepEqual(
    isIn.map(({ name }) => name),
    [...plain.text.matchAll(/^- `(.+?)` — /gm)].map((match) => match[1]),
  );
  return explained;
}

const told = (explained: readonly Explained[]) =>
  explained.map(({ name, in: isIn, rank, reason }) => [name, isIn, rank, reason]);

test("design 7: each skill of a stub with a task says why it is there: pinned, its words, its order, whom it copies", async () => {
  const mirror = "Mend a zeppelin that has lost its gas, in eight careful steps";
  const explained = await explain(
    {
      home: { "settings.json": '{"pins": ["first"]}', [canon("first")]: canonFile("first") },
      skills: {
        "a/SKILL.md": skill("airship", mirror),
        "b/SKILL.md": skill("balloon", mirror),
        "c/SKILL.md": skill("chapter", "Write a chapter", "About a zeppelin."),
        "d/SKILL.md": skill("diary", "Keep a diary"),
      },
    },
    { task: "please mend my zeppelin, and its gas bags" },
  );
  assert.deepEqual(told(explained), [
    ["first", true, 1, "pinned in settings.json"],
    ["airship", true, 2, "matches the task: mend, gas, zeppelin"],
    ["chapter", true, 3, "matches the task in its text"],
    ["diary", true, 4, "seed order: 0 wins in 0 uses"],
    ["balloon", true, 5, "near-identical to airship"],
  ]);
  assert.deepEqual(
    explained.map(({ score }) => score !== undefined),
    [false, true, true, false, true],
  );
  assert.equal(explained[0]?.place, REPO);
  assert.equal(explained[3]?.tokens, 7, "- `diary` — Keep a diary and a line end are 27 bytes");
});

test("design 7: what is left out says by which limit", async () => {
  const home: Record<string, string> = {};
  for (let i = 10; i < 45; i++) home[canon(`s${i}`)] = canonFile(`s${i}`);
  const bySeed = await explain({ home });
  assert.deepEqual(told(bySeed.slice(29, 31)), [
    ["s39", true, 30, "seed order: 0 wins in 0 uses"],
    ["s40", false, 31, "over the limit of 30 skills; seed order: 0 wins in 0 uses"],
  ]);
  assert.equal(bySeed.length, 35);
  const few = await explain({ home }, { budget: 75, rank: "evidence", task: "what s44 is for" });
  assert.deepEqual(told(few.slice(0, 3)), [
    ["s44", true, 1, "matches the task: s44"],
    ["s10", true, 2, "evidence 0.50: 0 wins, 0 losses"],
    ["s11", false, 3, "over the budget; evidence 0.50: 0 wins, 0 losses"],
  ]);
});

test("S1.31 of more than 400 skills a stub with a task puts 400 in order, however short their lines", async () => {
  const skills: Record<string, string> = {};
  for (let i = 100; i < 502; i++) skills[`s${i}/SKILL.md`] = skill(`s${i}`, "x");
  const explained = await explain({ skills }, { task: "s333" });
  assert.equal(explained.filter((one) => one.in).length, 400);
  assert.deepEqual(told([...explained.slice(0, 1), ...explained.slice(400)]), [
    ["s333", true, 1, "matches the task: s333"],
    ["s500", false, 401, "over the limit of 400 skills; seed order: 0 wins in 0 uses"],
    ["s501", false, 402, "over the limit of 400 skills; seed order: 0 wins in 0 uses"],
  ]);
});

test("design 7: what is hidden says for whom, and a pin of it or of nothing says so", async () => {
  const appliesTo = (languages: string, toolsets: string) => ({
    applies_to: `\n  repo_fingerprint: "${REPO}"\n  languages: ["${languages}"]\n  toolsets: ["${toolsets}"]`,
  });
  const explained = await explain(
    {
      home: {
        "settings.json": '{"pins": ["bad", "nobody"]}',
        [canon("both")]: canonFile("both"),
        "universal/canon/both.md": canonFile("both"),
        [canon("go-only")]: canonFile("go-only", appliesTo("go", "*")),
        [canon("make-only")]: canonFile("make-only", appliesTo("*", "make")),
        [canon("needs")]: canonFile("needs", { requires_tools: '["git", "npm", "tsc"]' }),
        [canon("person")]: canonFile("person", { disable_model_invocation: "true" }),
        [`${REPO}/quarantine/bad.md`]: canonFile("bad"),
        [`${REPO}/archive/old.md`]: canonFile("old"),
        [canon("torn")]: "no frontmatter\n",
      },
    },
    { tools: ["git"], languages: ["rust"], toolsets: ["npm"] },
  );
  assert.deepEqual(told(explained), [
    ["both", true, 1, "seed order: 0 wins in 0 uses"],
    ["bad", false, null, "pinned, but quarantined"],
    ["both", false, null, `shadowed by ${REPO}`],
    ["go-only", false, null, "for the languages go alone"],
    ["make-only", false, null, "for the toolsets make alone"],
    ["needs", false, null, "requires npm, tsc: not at hand"],
    ["old", false, null, "archived"],
    ["person", false, null, "only a person may call it up"],
    ["torn", false, null, "unreadable"],
    ["nobody", false, null, "pinned, but no skill of the reading path is called so"],
  ]);
  assert.equal(explained[2]?.place, "universal");
});

test("design 7: a task in another language than a skill names the words that they share by translation", async () => {
  const explained = await explain(
    {
      skills: {
        "a/SKILL.md": skill("ship-it", "Deploy a service"),
        "b/SKILL.md": skill("diary", "Keep a diary"),
      },
    },
    { task: "把服务部署到服务器" },
  );
  assert.deepEqual(explained[0]?.name, "ship-it");
  assert.match(explained[0]?.reason ?? "", /^matches the task: .*deploy/);
});
