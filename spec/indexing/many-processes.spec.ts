import assert from "node:assert/strict";
import { readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createContext } from "../../lib/core/context.ts";
import type { Library } from "../../lib/library.ts";
import { openVault } from "../../lib/vault/vault.ts";
import { writeTree } from "../support/home.ts";
import { canonFile, makeLibrary, openHeard, REPO } from "../support/library.ts";
import { FLUSH_STEPS, generationOf, oddNames, runLibrary, stoppedLibrary } from "./processes.ts";

const path = (name: string) => `${REPO}/canon/${name}.md`;
const about = (word: string) => ({ description: `"About ${word}"` });

/** So many that a close writes the index. */
function many(word: string, count = 16): Record<string, string> {
  const names = Array.from({ length: count }, (_, at) => `${word}-${at}`);
  return Object.fromEntries(names.map((name) => [path(name), canonFile(name, about(word))]));
}

function commit(home: string, name: string, word: string): void {
  const vault = openVault({ home, create: false, context: createContext() });
  vault.commit({
    kind: "put",
    fingerprint: REPO,
    name,
    target: path(name),
    content: canonFile(name, about(word)),
    base: null,
    by: "person",
    runId: "",
    version: 1,
    verdict: "",
  });
  vault.close();
}

const found = async (library: Library, query: string) =>
  (await library.search(query)).hits.map((hit) => hit.name);

const swept = (home: string) => openHeard({ home, clock: () => Date.now() + 61_000 });

test("B52 of two processes that loaded the same index and both add and close, neither loses anything", async () => {
  const { library, home } = await makeLibrary({ home: many("kettle") });
  await library.reindex();
  await library.close();
  const go = join(home, "..", "go");
  const runs = ["walrus", "zebra"].map((word) =>
    runLibrary({
      home,
      steps: [
        { do: "search", text: "kettle" },
        { do: "wait", text: go },
        { do: "search", text: word },
        { do: "read", text: `${word}-0` },
        { do: "reindex" },
      ],
    }),
  );
  writeTree(home, { ...many("walrus"), ...many("zebra") });
  writeFileSync(go, "");
  for (const [at, outcome] of (await Promise.all(runs)).entries()) {
    assert.equal(outcome?.found[1]?.length, 5, String(at));
    assert.deepEqual(outcome?.warnings, []);
  }
  const { library: next, heard } = await openHeard({ home });
  const rows = await next.list();
  assert.equal(rows.length, 48);
  assert.deepEqual(
    rows.filter((row) => row.uses > 0).map((row) => [row.name, row.uses]),
    [
      ["walrus-0", 1],
      ["zebra-0", 1],
    ],
  );
  assert.deepEqual(heard.warnings, []);
  assert.deepEqual(oddNames(home), []);
});

test("B52 what one process has written is in the index that the other writes over it", async () => {
  const { library: first, home } = await makeLibrary({ home: many("kettle") });
  await first.reindex();
  const { library: second } = await openHeard({ home });
  assert.deepEqual(await found(second, "walrus"), []);
  writeTree(home, many("walrus"));
  await first.reindex();
  writeTree(home, { [path("lone")]: canonFile("lone", about("zebra")) });
  await second.reindex();
  assert.equal(await generationOf(home), 3);
  for (const one of [first, second]) await one.close();
  const { library: third } = await openHeard({ home });
  const again = await third.reindex();
  assert.deepEqual([again.skills, again.added, again.changed, again.removed], [33, 0, 0, 0]);
});

test("design 5: one whose index somebody else flushed first goes on answering and flushes again", async () => {
  const { library: sleeper, home } = await makeLibrary({ home: many("kettle") });
  assert.equal((await found(sleeper, "kettle")).length, 5);
  const { library: other } = await openHeard({ home });
  await other.reindex();
  await other.close();
  assert.equal(await generationOf(home), 1);
  for (let round = 0; round < 3; round++) {
    writeTree(home, many(`round${round}`));
    assert.equal((await found(sleeper, `round${round}`)).length, 5);
    await sleeper.reindex();
    assert.equal(await generationOf(home), 2 + round);
  }
});

test("design 5: a change too small to flush is found by every process, and the sixteenth file writes the index", async () => {
  const { library, home } = await makeLibrary({ home: many("kettle", 1) });
  await library.reindex();
  await library.close();
  // The first skill is read again each time: it was young when it was flushed.
  writeTree(home, many("small", 13));
  for (const [name, generation] of [
    ["small-12", 1],
    ["walrus", 1],
    ["zebra", 2],
  ] as const) {
    if (name !== "small-12") commit(home, name, "lantern");
    const outcome = await runLibrary({ home, steps: [{ do: "search", text: name }] });
    assert.equal(outcome?.found[0]?.[0], name);
    assert.equal(await generationOf(home), generation, name);
  }
});

test("design 5: an index of five hundred new files is written at once, not at a close that may never come", async () => {
  const { library, home } = await makeLibrary({ home: many("kettle", 499) });
  assert.equal((await found(library, "kettle")).length, 5);
  assert.equal(await generationOf(home), 0);
  writeTree(home, many("walrus", 1));
  assert.deepEqual(await found(library, "walrus"), ["walrus-0"]);
  assert.equal(await generationOf(home), 1);
});

for (const [step, hook] of FLUSH_STEPS.filter((_, at) => [1, 2, 5].includes(at)))
  test(`T-R3 while a process stands still in a flush where ${step}, others open, search, add and flush`, async () => {
    const { library, home } = await makeLibrary({ home: many("kettle") });
    await library.reindex();
    writeTree(home, many("walrus"));
    const stopped = await stoppedLibrary({ home, steps: [{ do: "reindex" }] }, hook);
    const { library: other, heard } = await openHeard({ home });
    assert.equal((await found(other, "walrus")).length, 5);
    commit(home, "late", "zebra");
    assert.deepEqual(await found(library, "zebra"), ["late"]);
    assert.deepEqual(await found(other, "zebra"), ["late"]);
    await other.reindex();
    await library.reindex();
    const reached = await generationOf(home);
    assert.ok(reached > 1);
    assert.deepEqual((await stopped.go())?.warnings, []);
    assert.ok((await generationOf(home)) >= reached);
    for (const one of [library, other]) await one.close();
    const { library: next } = await openHeard({ home });
    const again = await next.reindex();
    assert.deepEqual([again.skills, again.added, again.changed, again.removed], [33, 0, 0, 0]);
    assert.deepEqual(heard.warnings, []);
    assert.deepEqual(oddNames(home), []);
  });

for (const [step, hook] of FLUSH_STEPS.slice(0, 3))
  test(`T-R1 a process killed in a flush where ${step} leaves an index that opens, and nothing a minute later`, async () => {
    const { library, home } = await makeLibrary({ home: many("kettle") });
    await library.reindex();
    await library.close();
    writeTree(home, many("walrus"));
    assert.equal(
      await runLibrary({ home, steps: [{ do: "reindex" }], hook: { ...hook, act: "die" } }),
      undefined,
    );
    const { library: next, heard } = await openHeard({ home });
    assert.equal((await found(next, "walrus")).length, 5);
    await next.reindex();
    await next.close();
    assert.ok((await generationOf(home)) > 1);
    const { library: later, heard: heardLater } = await swept(home);
    assert.equal((await later.list()).length, 32);
    assert.deepEqual([...heard.warnings, ...heardLater.warnings], []);
    assert.deepEqual(oddNames(home), []);
  });

test("T-R3 a flush whose temporary file was swept while it slept writes nothing, and the next one does", async () => {
  const { library, home } = await makeLibrary({ home: many("kettle") });
  await library.reindex();
  const before = readFileSync(join(home, "index.sqlite"));
  writeTree(home, many("walrus"));
  const [, whole] = FLUSH_STEPS[1] ?? [];
  assert.ok(whole);
  const stopped = await stoppedLibrary({ home, steps: [{ do: "reindex" }, { do: "reindex" }] }, whole);
  const { library: sweeper } = await swept(home);
  assert.deepEqual(oddNames(home), []);
  await stopped.go();
  assert.notDeepEqual(readFileSync(join(home, "index.sqlite")), before);
  await sweeper.close();
  const { library: next, heard } = await openHeard({ home });
  const again = await next.reindex();
  assert.deepEqual([again.skills, again.added], [32, 0]);
  assert.deepEqual(heard.warnings, []);
});

test("design 5: a temporary file of a flush is left alone for a minute", async () => {
  const { library, home } = await makeLibrary({ home: many("kettle") });
  await library.reindex();
  const names = [".index.sqlite.tmp-77-aaaaaaaaaaaa", "local/index/.index.sqlite.9.json.tmp-77-aaaaaaaaaaaa"];
  for (const name of names) writeFileSync(join(home, name), "half");
  for (const [seconds, left] of [
    [50, 2],
    [61, 0],
  ] as const) {
    const at = Date.now() / 1_000 - seconds;
    for (const name of names) utimesSync(join(home, name), at, at);
    await openHeard({ home });
    assert.equal(oddNames(home).length, left, String(seconds));
  }
});
