import assert from "node:assert/strict";
import { readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { normalise } from "../../lib/retrieval/rank.ts";
import { canonFile, makeLibrary, openHeard, REPO, skill } from "../support/library.ts";

const names = (answer: { hits: readonly { name: string }[] }) => answer.hits.map((hit) => hit.name);
const stubNames = (text: string) => [...text.matchAll(/^- `(.+?)`/gm)].map((match) => match[1]);

test("S1.27 a search changes no file of home or mount, closing included", async () => {
  const { library, home, folder } = await makeLibrary({
    skills: { "a/SKILL.md": skill("aa", "copper kettle") },
  });
  await library.reindex();
  const traces = (root: string) =>
    (readdirSync(root, { recursive: true }) as string[]).sort().map((path) => {
      const stats = statSync(join(root, path));
      return `${path} ${stats.size} ${stats.mtimeMs} ${stats.ino}`;
    });
  const before = [traces(home), traces(folder)];
  for (const query of ["kettle", "nothingatall", ""]) await library.search(query);
  await library.search("ket.*", { regex: true });
  await library.close();
  assert.deepEqual([traces(home), traces(folder)], before);
});

test("S2.20 filling stops at the first skill that does not fit, although a later one would", async () => {
  const { library } = await makeLibrary({
    skills: {
      "a/SKILL.md": skill("aa", "x"),
      "b/SKILL.md": skill("bb", "y".repeat(119)),
      "c/SKILL.md": skill("cc", "z"),
    },
  });
  const { text, count, remaining } = await library.stub({ budget: 70 });
  assert.deepEqual([stubNames(text), count, remaining], [["aa"], 1, 2]);
});

test("S2.2 C6 a stub lists at most thirty skills, those that pass the filter, and says what it left out", async () => {
  const home: Record<string, string> = {};
  for (let i = 0; i < 40; i++)
    home[`${REPO}/canon/s${i}.md`] = canonFile(`s${i}`, i < 5 ? { requires_tools: '["npm"]' } : {});
  const { library, heard } = await makeLibrary({ home });
  const all = await library.stub({ tools: ["npm"] });
  assert.deepEqual([all.count, all.remaining], [30, 10]);
  const without = await library.stub();
  assert.deepEqual([without.count, without.remaining, without.hiddenByTools], [30, 5, 5]);
  assert.deepEqual(
    heard.warnings.map((line) => line.split("(")[0]),
    ["stub: 10 of 40 skills are left out ", "stub: 5 of 35 skills are left out "],
    "S1.30",
  );
});

test("S3.14 equal results all score 1", async () => {
  const { library } = await makeLibrary({
    skills: { "a/SKILL.md": skill("aa", "copper kettle"), "b/SKILL.md": skill("bb", "copper kettle") },
  });
  assert.deepEqual(
    (await library.search("kettle")).hits.map((hit) => hit.score),
    [1, 1],
  );
});

test("S3.17 equal full-text scores are told apart by update time, newest first, then name", async () => {
  const at = (day: string) => ({
    description: '"copper kettle"',
    updated_at: `"2026-05-${day}T00:00:00.000Z"`,
  });
  const days = { aa: "01", bb: "03", dd: "02", cc: "02" };
  const home = Object.fromEntries(
    Object.entries(days).map(([name, day]) => [`${REPO}/canon/${name}.md`, canonFile(name, at(day))]),
  );
  const { library } = await makeLibrary({ home });
  assert.deepEqual(names(await library.search("kettle")), ["bb", "cc", "dd", "aa"]);
});

test("S3.16 S3.12 the third step answers where the first two cannot", async () => {
  const { library } = await makeLibrary({
    home: { [`${REPO}/canon/arrow.md`]: canonFile("arrow", { triggers: '["-> ->", "two", "three"]' }) },
  });
  const { path, hits } = await library.search("-> ->");
  assert.deepEqual([path, hits.map((hit) => [hit.name, hit.score])], ["exact", [["arrow", 1]]]);
});

test("C20 S3.14 scores are r/(1+r), then stretched from 0 to 1", () => {
  const row = {} as never;
  assert.deepEqual(
    normalise([3, 1, 0.25].map((score) => ({ row, score }))).map((hit) => Number(hit.score.toFixed(6))),
    [1, 0.545455, 0],
  );
});

test("C21 the last real hit scores 0, a lone poor one 1", async () => {
  const { library } = await makeLibrary({
    skills: {
      "a/SKILL.md": skill("kettle", "copper kettle"),
      "b/SKILL.md": skill("bb", "other", "A kettle in a long text that is about something else altogether."),
    },
  });
  assert.deepEqual(
    (await library.search("kettle")).hits.map((hit) => hit.score),
    [1, 0],
  );
  assert.deepEqual(
    (await library.search("altogether")).hits.map((hit) => hit.score),
    [1],
  );
});

test("S1.26 a read sets the time of last use, which the stub's order shows", async () => {
  const { library } = await makeLibrary({
    home: { [`${REPO}/canon/aa.md`]: canonFile("aa"), [`${REPO}/canon/bb.md`]: canonFile("bb") },
  });
  await library.read("bb");
  assert.deepEqual(stubNames((await library.stub()).text), ["bb", "aa"]);
});

test("S1.7 C5 a name is unique per fingerprint: elsewhere it is another skill with its own counters", async () => {
  const { library, home } = await makeLibrary({
    home: { [`${REPO}/canon/own.md`]: canonFile("own"), "ffffffffffff/canon/own.md": canonFile("own") },
  });
  await library.read("own");
  const { library: other } = await openHeard({ home, fingerprint: "ffffffffffff" });
  assert.deepEqual(
    [(await library.list()).map((one) => one.uses), (await other.list()).map((one) => one.uses)],
    [[1], [0]],
  );
});

test("S3.13 title, trigger and tag are searched, diacritics do not matter, inflected words meet", async () => {
  const { library } = await makeLibrary({
    home: {
      [`${REPO}/canon/own.md`]: canonFile("own", {
        title: '"Polishing copper"',
        triggers: '["kettle", "two", "three"]',
        tags: '["café"]',
      }),
    },
  });
  for (const query of ["polish", "coppers", "kettles", "cafe", "CAFÉ", "cafe\u0301"])
    assert.deepEqual(names(await library.search(query)), ["own"], query);
});

test("S1.21 without a word about tools a skill that requires one is hidden", async () => {
  const { library } = await makeLibrary({
    home: {
      [`${REPO}/canon/plain.md`]: canonFile("plain"),
      [`${REPO}/canon/needs.md`]: canonFile("needs", { requires_tools: '["npm"]' }),
    },
  });
  const stub = await library.stub();
  assert.deepEqual([stub.count, stub.hiddenByTools], [1, 1]);
});

test("C8 toolsets hide a skill where the caller states them", async () => {
  const applies = `\n  repo_fingerprint: "${REPO}"\n  languages: ["*"]\n  toolsets: ["make"]`;
  const { library } = await makeLibrary({
    home: { [`${REPO}/canon/own.md`]: canonFile("own", { applies_to: applies }) },
  });
  assert.deepEqual(
    [
      (await library.stub()).count,
      (await library.stub({ toolsets: ["npm"] })).count,
      (await library.stub({ toolsets: ["make"] })).count,
    ],
    [1, 0, 1],
  );
});

test("B21 an old file that is edited to equal size, inode and mtime is seen by its change time", async () => {
  const { library, folder } = await makeLibrary(
    { skills: { "a/SKILL.md": skill("aa", "firsttoken") } },
    { clock: () => Date.now() + 60_000 },
  );
  const file = join(folder, "a/SKILL.md");
  utimesSync(file, 1_700_000_000, 1_700_000_000);
  assert.deepEqual(names(await library.search("firsttoken")), ["aa"]);
  writeFileSync(file, skill("aa", "otherword!"));
  utimesSync(file, 1_700_000_000, 1_700_000_000);
  assert.deepEqual(names(await library.search("otherword")), ["aa"]);
});

test("C31 C66 search gives the description whole, the stub its first sentence or what the file says instead", async () => {
  const long = `Runs the nightly build and mails the report. ${"More words follow here. ".repeat(10)}`.trim();
  const { library } = await makeLibrary({
    home: {
      [`${REPO}/canon/aa.md`]: canonFile("aa", { description: JSON.stringify(long) }),
      [`${REPO}/canon/bb.md`]: canonFile("bb", { description: JSON.stringify(long), summary: '"In short."' }),
    },
  });
  assert.deepEqual(
    (await library.search("nightly")).hits.map(({ description, others }) => [description, others]),
    [[long, 1]],
    "two skills of one text take one place",
  );
  const { text } = await library.stub();
  assert.match(text, /^- `aa` — Runs the nightly build and mails the report\.$/m);
  assert.match(text, /^- `bb` — In short\.$/m);
});

test("B67 L0 whatever the description, the stub is well formed and each line cut at a whole character", async () => {
  const pictures = { family: "👨‍👩‍👧", scotland: "🏴󠁧󠁢󠁳󠁣󠁴󠁿", rocket: "🚀", accent: "e\u0301" };
  const skills = Object.fromEntries(
    Object.entries(pictures).flatMap(([name, picture]) =>
      [117, 118, 119].map((before) => {
        const called = `${name}-${before}`;
        return [`${called}/SKILL.md`, skill(called, `${"x".repeat(before)}${picture} and more`)];
      }),
    ),
  );
  const { library } = await makeLibrary({ skills });
  const { text, count } = await library.stub();
  assert.ok(text.isWellFormed());
  assert.equal(count, 12);
  const said = [...text.matchAll(/^- `[a-z]+-\d+` — (.*)$/gm)].map(([, summary = ""]) => summary);
  assert.equal(said.length, 12);
  for (const summary of said) {
    const [, rest] = /^x+(.*)…$/u.exec(summary) ?? [];
    assert.ok(["", "🏴", ...Object.values(pictures)].includes(rest ?? "none"), summary);
    assert.ok(summary.length <= 120, summary);
  }
});

test("C31 C66 of a host's skill a description of 1,024 bytes is kept whole without a word, and its own summary is shown", async () => {
  const whole = `${"d".repeat(1_019)} word`;
  const own = 'metadata:\n  canonry.summary: "Shown instead"\n';
  const { library } = await makeLibrary({
    skills: {
      "aa/SKILL.md": skill("aa", whole),
      "bb/SKILL.md": skill("bb", whole, "Text.", own),
      "cc/SKILL.md": skill("cc", `${whole}s`),
    },
  });
  const hits = (await library.search("word", { limit: 9 })).hits;
  assert.deepEqual(hits.map(({ description }) => description.length).sort(), [1_024, 1_024, 1_025]);
  assert.deepEqual(
    (await library.warnings()).map(({ file, code }) => [file.split("/").at(-2), code]),
    [["cc", "FIELD_TOO_LONG"]],
  );
  const { text } = await library.stub();
  assert.match(text, /^- `bb` — Shown instead$/m);
  assert.match(text, /^- `aa` — d{119}…$/m);
});

test("S1.30 a home whose slots cannot be kept still answers the reads of a known reader", async () => {
  const { library, home, heard } = await makeLibrary({ skills: { "a/SKILL.md": skill("aa", "one") } });
  await library.reindex();
  rmSync(join(home, "local/slots"), { recursive: true, force: true });
  writeFileSync(join(home, "local/slots"), "a file");
  assert.equal((await library.read("aa", { runId: "r", wave: 1, agent: "a" })).name, "aa");
  assert.match(heard.warnings.join("\n"), /slots .* cannot be kept/);
});

test("S1.9 everything below references/ obeys the limit of a reference", async () => {
  const { library } = await makeLibrary({
    home: {
      [`${REPO}/canon/own.md`]: canonFile("own"),
      [`${REPO}/canon/own/references/deep/big.md`]: "x".repeat(15_361),
    },
  });
  await assert.rejects(library.read("own", { file: "references/deep/big.md" }), {
    code: "CANONRY_FILE_TOO_LARGE",
  });
});
