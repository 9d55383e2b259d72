import assert from "node:assert/strict";
import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { canonFile, makeLibrary, REPO, skill } from "../support/library.ts";

/** Ledger lines as another process would have left them. */
function events(home: string, lines: readonly Record<string, unknown>[]): void {
  mkdirSync(join(home, "ledger"), { recursive: true });
  const text = lines.map(
    (line, i) =>
      `\n${JSON.stringify({ id: `018f0000-0000-7000-8000-${String(i).padStart(12, "0")}`, ts: "2026-05-01T00:00:00.000Z", run_id: `r${i}`, wave: 1, agent: "a", fingerprint: REPO, skill: "", version: 1, model: "", value: null, notes: "", ...line })}\n`,
  );
  appendFileSync(join(home, "ledger", "elsewhere-2026-05.ndjson"), text.join(""));
}

test("S1.20 the stub has the seed's heading, sentence and lines", async () => {
  const { library } = await makeLibrary({
    home: {
      [`${REPO}/canon/one-thing.md`]: canonFile("one-thing"),
      [`${REPO}/canon/two-thing.md`]: canonFile("two-thing"),
    },
  });
  assert.equal(
    (await library.stub({ role: "worker", tools: [] })).text,
    [
      "## Skills available (L0 stub)",
      "",
      "You have 2 project-specific skills available. Call `skill_read(name)` to load the full body on demand. Do not assume a skill matches — read it first.",
      "",
      "- `one-thing` — What one-thing is for",
      "- `two-thing` — What two-thing is for",
      "",
    ].join("\n"),
  );
});

test("S2.21 without an eligible skill the stub is empty, heading and all", async () => {
  const { library } = await makeLibrary({ home: { [`${REPO}/quarantine/bad.md`]: canonFile("bad") } });
  assert.deepEqual(await library.stub({ role: "planner" }), {
    text: "",
    count: 0,
    remaining: 0,
    tokens: 0,
    hiddenByTools: 0,
  });
});

test("S1.21 other repositories' skills, quarantined ones and those that lack a tool are left out", async () => {
  const { library } = await makeLibrary({
    home: {
      [`${REPO}/canon/plain.md`]: canonFile("plain"),
      [`${REPO}/canon/needs.md`]: canonFile("needs", { requires_tools: '["npm", "git"]' }),
      [`${REPO}/quarantine/bad.md`]: canonFile("bad"),
      "ffffffffffff/canon/foreign.md": canonFile("foreign"),
      "universal/canon/everywhere.md": canonFile("everywhere"),
    },
  });
  const shown = async (tools: string[]) =>
    [...(await library.stub({ tools })).text.matchAll(/^- `(.+?)`/gm)].map((match) => match[1]);
  assert.deepEqual(await shown(["npm"]), ["everywhere", "plain"]);
  assert.deepEqual(await shown(["npm", "git", "tsc"]), ["everywhere", "needs", "plain"]);
  assert.equal((await library.stub({ tools: ["npm"] })).hiddenByTools, 1);
});

test("S1.22 C7 wins by uses is a real division, then last use, then name", async () => {
  const home: Record<string, string> = {};
  for (const name of ["never", "nine-of-ten", "none-of-ten", "one-of-two", "unused"])
    home[`${REPO}/canon/${name}.md`] = canonFile(name);
  const { library, home: dir } = await makeLibrary({ home });
  const lines: Record<string, unknown>[] = [];
  const use = (skill: string, wins: number, uses: number, ts: string) => {
    for (let i = 0; i < uses; i++) {
      lines.push({ skill, event: "hydrated", ts });
      lines.push({ skill, event: i < wins ? "win" : "loss", run_id: `${skill}-${i}`, ts });
    }
  };
  use("nine-of-ten", 9, 10, "2026-05-02T00:00:00.000Z");
  use("none-of-ten", 0, 10, "2026-05-04T00:00:00.000Z");
  use("one-of-two", 1, 2, "2026-05-03T00:00:00.000Z");
  events(dir, lines);
  const shown = [...(await library.stub()).text.matchAll(/^- `(.+?)`/gm)].map((match) => match[1]);
  assert.deepEqual(shown, ["nine-of-ten", "one-of-two", "none-of-ten", "never", "unused"]);
});

test("C12 a run counts at most one win or loss for a skill, however often it is told", async () => {
  const { library, home } = await makeLibrary({ home: { [`${REPO}/canon/a.md`]: canonFile("a") } });
  events(home, [
    { skill: "a", event: "hydrated", run_id: "r" },
    { skill: "a", event: "hydrated", run_id: "r", agent: "b" },
    { skill: "a", event: "win", run_id: "r" },
    { skill: "a", event: "win", run_id: "r" },
    { skill: "a", event: "win", run_id: "r", source: "ab" },
  ]);
  const [row] = await library.list();
  assert.deepEqual([row?.uses, row?.wins, row?.losses], [2, 1, 0]);
});

test("S1.23 S1.24 a stub that is cut shows whole lines, stays in its budget and says how many are left", async () => {
  const skills: Record<string, string> = {};
  for (let i = 0; i < 200; i++)
    skills[`s${i}/SKILL.md`] = skill(
      `skill-${i}`,
      `Does the thing number ${i}, in its own way, whenever it is asked to do so`,
    );
  const { library } = await makeLibrary({ skills });
  const stub = await library.stub();
  assert.ok(Buffer.byteLength(stub.text) <= 8_192 && stub.tokens <= 2_048);
  const lines = stub.text.trimEnd().split("\n");
  assert.equal(lines.at(-1), `plus ${200 - stub.count} more — use \`skill_search(query)\``);
  assert.equal(
    lines.filter((line) =>
      /^- `skill-\d+` — Does the thing number \d+, in its own way, whenever it is asked to do so$/.test(line),
    ).length,
    stub.count,
  );
  assert.equal(stub.remaining, 200 - stub.count);
  assert.match(stub.text, /You have 200 project-specific skills/);
});

test("C9 the line that says what is left is paid for, so its presence never breaks the budget", async () => {
  const skills: Record<string, string> = {};
  for (let i = 0; i < 40; i++) skills[`s${i}/SKILL.md`] = skill(`skill-${i}`, "x".repeat(10 + i));
  const { library } = await makeLibrary({ skills });
  for (let budget = 1; budget <= 900; budget += 7) {
    const stub = await library.stub({ budget });
    assert.ok(Math.ceil(Buffer.byteLength(stub.text) / 4) <= budget, `budget ${budget}`);
    assert.equal(stub.count + stub.remaining, 40);
    if (stub.count > 0 && stub.remaining > 0) assert.match(stub.text, /^plus \d+ more/m);
  }
});

test("P7 whatever the descriptions hold, the stub can be read back to exactly its rows", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: "grapheme", minLength: 1, maxLength: 300 }), { minLength: 1, maxLength: 4 }),
      async (descriptions) => {
        const skills = Object.fromEntries(
          descriptions.map((text, i) => [`s${i}/SKILL.md`, skill(`s${i}`, `d ${text}`)]),
        );
        const { library } = await makeLibrary({ skills });
        const { text, count } = await library.stub();
        const rows = [...text.matchAll(/^- `(s\d)` — (.*)$/gm)];
        assert.equal(rows.length, count);
        assert.equal(count, descriptions.length);
        assert.ok(rows.every((row) => (row[2] ?? "").length <= 120 && (row[2] ?? "").isWellFormed()));
        await library.close();
      },
    ),
    { numRuns: 25 },
  );
});

test("P7 a budget above the limit, or none at all, is refused", async () => {
  const { library } = await makeLibrary({ skills: {} });
  for (const budget of [0, -1, 2_049, 1.5])
    await assert.rejects(library.stub({ budget }), { code: "CANONRY_USAGE" });
});

test("C8 languages and toolsets hide a skill only where the caller states them", async () => {
  const { library } = await makeLibrary({
    home: {
      [`${REPO}/canon/go-only.md`]: canonFile("go-only", {
        applies_to: `\n  repo_fingerprint: "${REPO}"\n  languages: ["go"]\n  toolsets: ["make"]`,
      }),
      [`${REPO}/canon/any.md`]: canonFile("any"),
    },
  });
  assert.equal((await library.stub()).count, 2);
  assert.equal((await library.stub({ languages: ["typescript"] })).count, 1);
  assert.equal((await library.stub({ languages: ["go"], toolsets: ["make"] })).count, 2);
});

test("S2.20 P10 the same vault and question give the same bytes", async () => {
  const { library } = await makeLibrary({
    skills: { "a/SKILL.md": skill("aa", "one"), "b/SKILL.md": skill("bb", "two") },
  });
  assert.equal(
    JSON.stringify(await library.stub({ role: "planner" })),
    JSON.stringify(await library.stub({ role: "worker" })),
  );
});
