import assert from "node:assert/strict";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { verifyHome } from "../lib/library.ts";
import { foldCounters } from "../lib/schema/counters.ts";
import { openVault } from "../lib/vault/vault.ts";
import { temporaryFolder, writeTree } from "./support/home.ts";
import { openHeard } from "./support/library.ts";
import {
  commitAll,
  counted,
  eventsOf,
  git,
  idsOf,
  merge,
  patch,
  TEXT,
  twoClones,
  use,
  usesOf,
} from "./support/two-clones.ts";
import { namesIn } from "./vault/stage.ts";

test("C10 two clones that both went on merge through git without a conflict, and count the same on both sides", async () => {
  const { ours, theirs, a, b } = twoClones();
  use(a, "one", "ours", 5);
  use(b, "one", "theirs", 4);
  use(b, "two", "theirs", 2);
  patch(a, "one", TEXT("one", "Better."), TEXT("one"), 2, "ours");
  patch(b, "three", TEXT("three", "Better."), TEXT("three"), 2, "theirs");
  const wanted = idsOf([...eventsOf(ours), ...eventsOf(theirs)]);
  commitAll(ours);
  commitAll(theirs);
  assert.deepEqual([merge(ours, theirs).status, merge(theirs, ours).status], [0, 0]);
  for (const home of [ours, theirs]) {
    assert.equal(git(home, "status", "--porcelain"), "");
    const events = eventsOf(home);
    assert.deepEqual(idsOf(events), wanted);
    assert.equal(events.length, wanted.length, "none twice");
    const journal = readFileSync(join(home, "LIBRARIAN.md"), "utf8").split("\n").filter(Boolean);
    assert.deepEqual([journal.length, new Set(journal).size], [5, 5]);
    assert.deepEqual(
      git(home, "ls-files")
        .split("\n")
        .filter((path) => /^(?:local|index)/.test(path)),
      [],
    );
  }
  const both = await counted(ours);
  assert.deepEqual(await counted(theirs), both);
  assert.deepEqual(
    both.find((one) => (one as { name: string }).name === "one"),
    { name: "one", version: 1, uses: 12, wins: 7, losses: 5 },
  );
});

test("C10 one ledger file that grew on both sides, with torn and open ends, merges by union of its events", async () => {
  for (const ending of ["", "\n", `\n{"id":"torn","ts":"20`] as const) {
    const { ours, theirs, a } = twoClones();
    // the machine's id is copied when a home is: then both sides write files of the same name
    cpSync(join(ours, "local", "machine.json"), join(theirs, "local", "machine.json"));
    const twin = openVault({ home: theirs });
    assert.equal(twin.machine, a.machine);
    const [name = ""] = namesIn(ours, "ledger");
    use(a, "one", "ours", 3);
    use(twin, "one", "theirs", 2);
    for (const home of [ours, theirs]) {
      const file = join(home, "ledger", name);
      writeFileSync(file, `${readFileSync(file, "utf8").replace(/\n$/, "")}${ending}`);
    }
    const wanted = 6 + 6 + 4 + 3;
    commitAll(ours);
    commitAll(theirs);
    assert.deepEqual(
      [merge(ours, theirs).status, merge(theirs, ours).status],
      [0, 0],
      JSON.stringify(ending),
    );
    for (const home of [ours, theirs]) {
      // the next event ends what has no end, as it does after a kill
      openVault({ home }).append({ event: "read_miss" });
      const { events } = openVault({ home }).readLedger({});
      const ids = idsOf(events.filter((event) => event.event !== "read_miss"));
      assert.equal(ids.length, wanted, `${JSON.stringify(ending)} in ${home.slice(-6)}`);
      assert.equal(foldCounters(events.filter((event) => event.skill === "one")).uses, 8);
    }
    assert.deepEqual(await counted(ours), await counted(theirs));
  }
});

test("P1 two homes copied over each other, each with the ledger of its machine, count the same", async () => {
  const root = temporaryFolder();
  const [ours, theirs] = [join(root, "ours"), join(root, "theirs")];
  const [a, b] = [openVault({ home: ours, create: true }), openVault({ home: theirs, create: true })];
  patch(a, "one", TEXT("one"), null, 1, "ours");
  patch(b, "one", TEXT("one"), null, 1, "theirs");
  patch(b, "two", TEXT("two"), null, 1, "theirs");
  use(a, "one", "ours", 4);
  use(b, "one", "theirs", 6);
  const wanted = idsOf([...eventsOf(ours), ...eventsOf(theirs)]);
  const { library } = await openHeard({ home: ours });
  assert.equal(await usesOf(library, "one"), 4);
  const notLocal = (path: string) => !/\/(?:local|index\.[^/]*)$/.test(path);
  for (const [from, to] of [
    [theirs, ours],
    [ours, theirs],
  ] as const)
    cpSync(from, to, { recursive: true, filter: notLocal });
  for (const home of [ours, theirs]) {
    assert.equal(namesIn(home, "ledger").length, 2);
    assert.deepEqual(idsOf(eventsOf(home)), wanted);
  }
  assert.equal(await usesOf(library, "one"), 10, "an index that was open sees the copied file too");
  assert.deepEqual(await counted(ours), await counted(theirs));
});

test("P1 a ledger file that is copied over a diverged one is read anew, and backups of both sides bring back the union", async () => {
  const { ours, theirs, a } = twoClones();
  cpSync(join(ours, "local", "machine.json"), join(theirs, "local", "machine.json"));
  const twin = openVault({ home: theirs });
  use(a, "one", "ours", 4);
  use(twin, "one", "theirs", 6);
  const { library } = await openHeard({ home: ours });
  const { library: other } = await openHeard({ home: theirs });
  assert.deepEqual([await usesOf(library, "one"), await usesOf(other, "one")], [7, 9]);
  const archives = temporaryFolder();
  for (const [name, one] of [
    ["ours", library],
    ["theirs", other],
  ] as const)
    await one.backup(join(archives, name));
  // the copy loses what only our side had
  const [name = ""] = namesIn(ours, "ledger");
  cpSync(join(theirs, "ledger", name), join(ours, "ledger", name));
  assert.equal(await usesOf(library, "one"), 9);
  for (const one of [library, other])
    for (const archive of ["ours", "theirs"]) await one.restoreBackup(join(archives, archive));
  assert.deepEqual([await usesOf(library, "one"), await usesOf(other, "one")], [13, 13]);
});

test("C47 events that this version does not know merge and are kept, and count for nothing", async () => {
  const { ours, theirs, a } = twoClones();
  use(a, "one", "ours", 1);
  writeTree(theirs, {
    "ledger/m-future-2031-05.ndjson": `{"id":"f1","ts":"2031-05-01T00:00:00.000Z","event":"danced","skill":"one","fingerprint":"*","steps":4}\n`,
  });
  commitAll(ours);
  commitAll(theirs);
  assert.equal(merge(ours, theirs).status, 0);
  assert.ok(eventsOf(ours).some((event) => event.event === "danced"));
  assert.match(readFileSync(join(ours, "ledger/m-future-2031-05.ndjson"), "utf8"), /"steps":4/);
});

test("P1 a canon file that git could not merge is named, all other skills are as they were", async () => {
  const { ours, theirs, a, b } = twoClones();
  const twin = (text: string, says: string) =>
    text.replace(/description: .*/, `description: "${says}"`).replace("version: 1", "version: 2");
  patch(a, "one", twin(TEXT("one"), "ours"), TEXT("one"), 2, "ours");
  patch(b, "one", twin(TEXT("one"), "theirs"), TEXT("one"), 2, "theirs");
  patch(a, "two", TEXT("two", "Ours."), TEXT("two"), 2, "ours");
  patch(b, "two", TEXT("two", "Theirs."), TEXT("two"), 2, "theirs");
  commitAll(ours);
  commitAll(theirs);
  assert.equal(merge(ours, theirs).status, 1);
  assert.deepEqual(
    git(ours, "diff", "--name-only", "--diff-filter=U").trim().split("\n"),
    ["universal/canon/one.md", "universal/canon/two.md"],
    "ledger, journal and versions merge by themselves",
  );
  const { library } = await openHeard({ home: ours });
  const { unreadable } = await library.reindex();
  assert.deepEqual(
    unreadable.map((one) => one.file),
    [join(ours, "universal/canon/one.md")],
  );
  assert.deepEqual(
    (await library.list()).map((one) => one.name),
    ["three", "two"],
  );
  assert.equal((await library.search("three")).hits[0]?.name, "three");
  const { findings } = await verifyHome({ home: ours });
  const marked = findings.filter((one) => one.code === "CONFLICT_MARKERS").map((one) => one.file);
  assert.deepEqual(marked.map((file) => file.slice(-6)).sort(), ["one.md", "two.md"]);
  // both texts are kept in either case (P3), and each side's version stands
  assert.equal(namesIn(ours, "versions/universal/one").length, 3);
  patch(
    a,
    "one",
    twin(TEXT("one"), "both"),
    readFileSync(join(ours, "universal/canon/one.md"), "utf8"),
    3,
    "person",
  );
  assert.deepEqual(
    (await library.list()).map((one) => one.name),
    ["one", "three", "two"],
  );
});
