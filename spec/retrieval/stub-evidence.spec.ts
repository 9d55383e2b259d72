import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { canonFile, makeLibrary, REPO } from "../support/library.ts";

const names = (text: string) => [...text.matchAll(/^- `(.+?)` — /gm)].map((match) => match[1] ?? "");
const DAY = 86_400_000;

/** Skills with so many wins and losses each, as a ledger of another machine has them. */
async function libraryOf(
  records: Readonly<Record<string, readonly [wins: number, losses: number]>>,
  clock: () => number = () => 0,
) {
  const files = Object.keys(records).map((name) => [`${REPO}/canon/${name}.md`, canonFile(name)]);
  const made = await makeLibrary({ home: Object.fromEntries(files) }, { clock });
  mkdirSync(join(made.home, "ledger"), { recursive: true });
  let id = 0;
  const lines = Object.entries(records).flatMap(([skill, [wins, losses]]) =>
    Array.from({ length: wins + losses }, (_, at) => ({
      id: `018f0000-0000-7000-8000-${String(id++).padStart(12, "0")}`,
      ts: "2026-05-01T00:00:00.000Z",
      run_id: `${skill}-${at}`,
      ...{ wave: 1, agent: "a", fingerprint: REPO, skill, version: 1, model: "", value: null, notes: "" },
      event: at < wins ? "win" : "loss",
    })),
  );
  const text = lines.map((line) => `\n${JSON.stringify(line)}\n`).join("");
  writeFileSync(join(made.home, "ledger", "elsewhere-2026-05.ndjson"), text);
  return made;
}

test("C12 by evidence one lucky run does not beat ninety good ones, and a new skill is above who loses", async () => {
  const { library } = await libraryOf({
    "lucky-once": [1, 0],
    "ninety-good": [90, 10],
    "new-one": [0, 0],
    "often-lost": [20, 40],
    "unlucky-once": [0, 1],
  });
  assert.deepEqual(names((await library.stub({ rank: "evidence" })).text), [
    "ninety-good",
    "lucky-once",
    "new-one",
    "unlucky-once",
    "often-lost",
  ]);
  const seed = await library.stub();
  assert.deepEqual(await library.stub({ rank: "seed" }), seed, "S1.22 is the default");
  assert.equal(names(seed.text)[0], "lucky-once", "nothing was read, so only the name decides there");
});

test("C12 with a task evidence orders what the task does not match", async () => {
  const { library } = await libraryOf({ "aa-lost": [0, 9], "bb-won": [9, 0], "cc-zeppelin": [0, 9] });
  const { text } = await library.stub({ rank: "evidence", task: "zeppelin" });
  assert.deepEqual(names(text), ["cc-zeppelin", "bb-won", "aa-lost"]);
});

test("design 7: by evidence every tenth line goes round among the skills behind, until each has had its day", async () => {
  const records: Record<string, readonly [number, number]> = {};
  for (let i = 0; i < 40; i++) records[`won-${String(i).padStart(2, "0")}`] = [40 - i, 0];
  for (let i = 0; i < 6; i++) records[`new-${i}`] = [0, 0];
  let now = 20_000 * DAY;
  const { library } = await libraryOf(records, () => now);
  const ask = async () => names((await library.stub({ rank: "evidence" })).text);
  const first = await ask();
  assert.equal(first.length, 30);
  assert.deepEqual(
    first.slice(0, 27),
    Array.from({ length: 27 }, (_, i) => `won-${String(i).padStart(2, "0")}`),
  );
  now += DAY - 1;
  assert.deepEqual(await ask(), first, "P10 the whole day gives the same");
  now = 20_000 * DAY;
  const seen = new Set<string>();
  for (let day = 0; day < 7; day++, now += DAY) for (const name of await ask()) seen.add(name);
  assert.equal(seen.size, 46, "three lines a day, 19 skills behind");
  assert.equal((await library.stub()).count, 30);
  now = 20_001 * DAY;
  assert.deepEqual(await library.stub(), await library.stub({ rank: "seed" }));
  const bySeed = names((await library.stub()).text);
  now += DAY;
  assert.deepEqual(names((await library.stub()).text), bySeed, "S1.22 the seed's order has no turns");
});

test("design 7: no turn is taken where all are shown or fewer than ten fit", async () => {
  const records: Record<string, readonly [number, number]> = {};
  for (let i = 0; i < 12; i++) records[`s-${String(i).padStart(2, "0")}`] = [12 - i, 0];
  let now = 0;
  const { library } = await libraryOf(records, () => now);
  for (const budget of [2_048, 100]) {
    const shown = new Set<string>();
    for (now = 0; now < 12 * DAY; now += DAY)
      shown.add(names((await library.stub({ rank: "evidence", budget })).text).join());
    assert.equal(shown.size, 1, String(budget));
  }
});
