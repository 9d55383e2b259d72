import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { sampleRow } from "../../lib/drivers/conformance/samples.ts";
import { isPoor, measureOf, strengthOf } from "../../lib/retrieval/poor.ts";
import { canonFile, makeLibrary, REPO, skill } from "../support/library.ts";

const SUBJECTS =
  "invoice kettle branch router ledger garden camera budget tunnel engine violin glacier harbour lantern meadow orchard pepper quarry saddle timber".split(
    " ",
  );
const SKILLS = Object.fromEntries([
  ...SUBJECTS.map((word) => [
    `${word}-care/SKILL.md`,
    skill(
      `${word}-care`,
      `Looks after a ${word} and mends it. Use when a ${word} is broken`,
      "Test it again.",
    ),
  ]),
  ["retry-flaky-test/SKILL.md", skill("retry-flaky-test", "Finds out why a test fails only sometimes")],
  ["kubernetes-crashloop/SKILL.md", skill("kubernetes-crashloop", "A pod restarts again and again")],
]);

for (const driver of ["sqljs", "memory"])
  test(`I4 whether the best hit answers poorly is said, with the ${driver} driver, and nothing is hidden for it`, async () => {
    const { library } = await makeLibrary({ skills: SKILLS }, { driver });
    const good = await library.search("a test fails sometimes");
    assert.deepEqual(
      [good.hits[0]?.name, "poor" in good, "suggestions" in good],
      ["retry-flaky-test", false, false],
    );
    const poor = await library.search(
      "which wine goes with a roast, before guests test it on Sunday evening",
    );
    assert.deepEqual([poor.state, poor.poor, poor.hits.length], ["ok", true, 5]);
    const first = await library.search(poor.query, { limit: 1 });
    assert.deepEqual([first.poor, first.hits.length], [true, 1], "whatever the limit");
    assert.ok(!("suggestions" in poor), "a sentence is no name with a slip in it");
    for (const short of ["failing", "tests failing", "restarting pods"]) {
      const said = await library.search(short);
      assert.ok(!("poor" in said), `its best hit says every word of "${short}"`);
    }
    const partly = await library.search("pizza with kettles, branches, routers and cameras");
    assert.equal(partly.poor, true, "no skill has every word");
    const called = await library.search("kettle care");
    assert.deepEqual([called.hits[0]?.name, "poor" in called], ["kettle-care", false]);
  });

test("I4 names that may have been meant are offered where nothing is found, or nothing good", async () => {
  const { library } = await makeLibrary({ skills: SKILLS });
  const slip = await library.search("kuberntes");
  assert.deepEqual([slip.state, slip.hits, slip.suggestions], ["no_match", [], ["kubernetes-crashloop"]]);
  assert.deepEqual((await library.search("falky")).suggestions, ["retry-flaky-test"]);
  assert.deepEqual((await library.search("ketle cares")).suggestions, ["kettle-care"]);
  assert.ok(!("suggestions" in (await library.search("xylophone"))));
  assert.ok(!("suggestions" in (await library.search("kuberntes", { regex: true }))));
  const empty = await (await makeLibrary({})).library.search("kuberntes");
  assert.deepEqual(empty, { query: "kuberntes", path: "fts5", state: "index_empty", hits: [] });
});

test("I4 at most three names are offered, and to a query of at most six words", async () => {
  const skills = Object.fromEntries(
    [1, 2, 3, 4].map((at) => [`kettle-${at}/SKILL.md`, skill(`kettle-${at}`, "Boils water")]),
  );
  const { library } = await makeLibrary({ skills });
  assert.deepEqual((await library.search("ketle")).suggestions, ["kettle-1", "kettle-2", "kettle-3"]);
  const six = await library.search("ketle qqqqa qqqqb qqqqc qqqqd qqqqe");
  assert.deepEqual(six.suggestions, ["kettle-1", "kettle-2", "kettle-3"]);
  assert.ok(!("suggestions" in (await library.search(`${six.query} qqqqf`))));
});

test("I4 no name is offered that a search would not find: quarantined ones, and those of another repository", async () => {
  const { library } = await makeLibrary({
    home: {
      [`${REPO}/quarantine/kettle-one.md`]: canonFile("kettle-one", { quarantined: "true" }),
      "ffffffffffff/canon/kettle-two.md": canonFile("kettle-two"),
      [`${REPO}/canon/deploy.md`]: canonFile("deploy"),
    },
  });
  assert.deepEqual(await library.search("ketle"), {
    query: "ketle",
    path: "fts5",
    state: "no_match",
    hits: [],
  });
  assert.deepEqual((await library.search("dploy")).suggestions, ["deploy"]);
});

test("B21 no name is offered of a skill that is gone since the last sweep", async () => {
  const { library, folder } = await makeLibrary({
    skills: { ...SKILLS, "zebra-crossing/SKILL.md": skill("zebra-crossing", "Stripes on a road") },
  });
  // Fewer hits than the limit have a sweep of their own.
  const ask = async () => (await library.search("zebrs with kettles and branches", { limit: 1 })).suggestions;
  assert.deepEqual(await ask(), ["zebra-crossing"]);
  rmSync(join(folder, "zebra-crossing"), { recursive: true });
  assert.equal(await ask(), undefined);
});

test("I4 strength grows with the fit of the best and with how far the second is behind, and is asked of words alone", () => {
  const row = { ...sampleRow("a"), counters: { uses: 0, wins: 0, losses: 0, lastUsedAt: null } } as never;
  const hits = (...fits: number[]) => fits.map((fit) => ({ row, score: 1, fit }));
  const strength = (...fits: number[]): number => strengthOf(hits(...fits)) ?? Number.NaN;
  assert.ok(strength(10) > strength(10, 5) && strength(10, 5) > strength(10, 10));
  assert.ok(strength(10, 5) > strength(8, 4));
  assert.equal(strength(0), 0);
  assert.equal(strengthOf([]), undefined);
  assert.equal(strengthOf([{ row, score: 1 }]), undefined);
  assert.equal(isPoor([{ row, score: 1 }]), false);
  assert.deepEqual([isPoor(hits(5, 5)), isPoor(hits(30, 5))], [true, false]);
  assert.equal(measureOf([{ term: "a", weight: 4, translated: false }], 4_096), 4);
});
