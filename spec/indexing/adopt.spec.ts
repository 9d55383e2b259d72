import assert from "node:assert/strict";
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder, writeTree } from "../support/home.ts";
import { canonFile, makeLibrary, openHeard, REPO } from "../support/library.ts";
import { ROOT } from "../support/root.ts";

const TOLD = {
  telemetry: "\n  uses: 7\n  wins: 3\n  losses: 1\n  cost_saved_usd: 0.5\n  last_wave: 4",
  last_used_at: '"2026-05-01T00:00:00.000Z"',
};
const counters = (one: { uses: number; wins: number; losses: number } | undefined) => [
  one?.uses,
  one?.wins,
  one?.losses,
];

test("C60 the index of an earlier program gives its counters to the ledger once and is kept as .seed", async () => {
  const root = temporaryFolder();
  const home = join(root, "home");
  writeTree(home, { "LIBRARIAN.md": "# Journal\n" });
  for (const side of ["index.sqlite", "index.sqlite-wal"])
    copyFileSync(join(ROOT, "fixtures/seed-home", side), join(home, side));
  const { readSeedIndex } = await import("../../lib/drivers/sqljs/seed.ts");
  const seed = await readSeedIndex(join(home, "index.sqlite"));
  const used = seed.skills.filter((skill) => skill.uses > 0);
  assert.ok(used.length > 0 && seed.events.length > 0, "the fixture has something to take over");
  for (const skill of used)
    writeTree(home, { [`${skill.fingerprint}/canon/${skill.name}.md`]: canonFile(skill.name) });
  const fingerprint = used[0]?.fingerprint ?? "";
  const told = new Map(
    used
      .filter((one) => one.fingerprint === fingerprint)
      .map((one) => [one.name, [one.uses, one.wins, one.losses]]),
  );
  const { library, heard } = await openHeard({ home, fingerprint });
  assert.deepEqual(
    new Map(
      (await library.list()).filter((one) => told.has(one.name)).map((one) => [one.name, counters(one)]),
    ),
    told,
  );
  assert.ok(existsSync(join(home, "index.sqlite.seed")) && existsSync(join(home, "index.sqlite-wal.seed")));
  assert.match(heard.warnings.join("\n"), /kept as .*index\.sqlite\.seed/);
  await library.close();
  for (const name of ["index.sqlite", "index.sqlite-wal"])
    copyFileSync(join(home, `${name}.seed`), join(home, name));
  const { library: again } = await openHeard({ home, fingerprint });
  assert.deepEqual(
    new Map((await again.list()).filter((one) => told.has(one.name)).map((one) => [one.name, counters(one)])),
    told,
    "taken over twice, counted once",
  );
});

test("C10 a home that came without a ledger keeps the counters of its canon files, and new uses add to them", async () => {
  const { library, home } = await makeLibrary({ home: { [`${REPO}/canon/own.md`]: canonFile("own", TOLD) } });
  assert.deepEqual(counters((await library.list())[0]), [7, 3, 1]);
  await library.read("own");
  assert.deepEqual(counters((await library.list())[0]), [8, 3, 1]);
  await library.close();
  for (const name of readdirSync(home)) if (name.startsWith("index")) rmSync(join(home, name));
  const { library: second } = await openHeard({ home });
  assert.deepEqual(counters((await second.list())[0]), [8, 3, 1]);
});

test("C10 counters in a canon file that comes to a home with a ledger are a checkpoint of it, not more uses", async () => {
  const { library, home } = await makeLibrary({ home: { [`${REPO}/canon/a.md`]: canonFile("a") } });
  await library.read("a");
  writeTree(home, { [`${REPO}/canon/own.md`]: canonFile("own", TOLD) });
  const own = (await library.list()).find((one) => one.name === "own");
  assert.deepEqual(counters(own), [0, 0, 0]);
  assert.equal(readFileSync(join(home, REPO, "canon/own.md"), "utf8"), canonFile("own", TOLD));
});
