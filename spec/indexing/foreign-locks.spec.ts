import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { writeTree } from "../support/home.ts";
import { canonFile, makeLibrary, openHeard, REPO } from "../support/library.ts";
import { generationOf } from "./processes.ts";

const path = (name: string) => `${REPO}/canon/${name}.md`;

/** Why there is none here, or false. */
const lacks = (program: string) =>
  spawnSync(program, ["--version"], { stdio: "ignore" }).error !== undefined && `there is no ${program} here`;

async function aHome() {
  const { library, home } = await makeLibrary({ home: { [path("aa")]: canonFile("aa") } });
  await library.reindex();
  await library.close();
  return { home, dsn: join(home, "index.sqlite") };
}

/** Two libraries at once over the home open, find what is new, and write the index. */
async function bothWork(home: string, word: string): Promise<void> {
  const before = await generationOf(home);
  const [one, two] = [await openHeard({ home }), await openHeard({ home })];
  writeTree(home, { [path(word)]: canonFile(word) });
  for (const { library } of [one, two]) {
    assert.deepEqual((await library.search(word)).hits[0]?.name, word);
    await library.reindex();
    await library.close();
  }
  assert.equal(await generationOf(home), before + 2);
  assert.deepEqual([...one.heard.warnings, ...two.heard.warnings], []);
}

/** Resolves once the process has said that it holds the lock. */
async function holding(t: TestContext, program: string, args: readonly string[]): Promise<void> {
  const child: ChildProcess = spawn(program, args, { stdio: ["ignore", "pipe", "inherit"] });
  t.after(() => child.kill());
  await new Promise<void>((resolve, reject) => {
    child.stdout?.once("data", () => resolve());
    child.once("close", (code) => reject(new Error(`${program} ended with ${code}`)));
  });
}

test("B89 another program's SQLite lock on the index stops nobody", { skip: lacks("python3") }, async (t) => {
  const { home, dsn } = await aHome();
  const script = `
import sqlite3, sys, time
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("BEGIN EXCLUSIVE")
print("held", flush=True)
time.sleep(60)
`;
  await holding(t, "python3", ["-c", script, dsn]);
  await bothWork(home, "walrus");
});

test("B89 a lock of flock on the index or its home stops nobody", { skip: lacks("flock") }, async (t) => {
  const { home, dsn } = await aHome();
  for (const held of [dsn, home])
    await holding(t, "flock", ["-F", "-x", held, "sh", "-c", "echo held; exec sleep 60"]);
  await bothWork(home, "walrus");
});

const DAYS_3 = 3 * 86_400;
const STALE: readonly [string, string, number][] = [
  ["of zero bytes", "", 0],
  ["with the pid of init", "1", 0],
  ["of a dead process", "999999\n", 0],
  ["of another host", '{"pid":4242,"host":"elsewhere.example"}', 0],
  ["three days old", `${process.pid}`, DAYS_3],
];

test("B90 a stale lock beside the index, in whatever form, stops nobody and is nobody's to remove", async () => {
  const { home, dsn } = await aHome();
  const names = [".lock", "-lock", ".lck", "-journal", "-wal", "-shm"].map((end) => dsn + end);
  for (const [at, [, text, seconds]] of STALE.entries()) {
    const then = Date.now() / 1_000 - seconds;
    for (const name of names) {
      writeFileSync(name, text);
      utimesSync(name, then, then);
    }
    await bothWork(home, `walrus${at}`);
    for (const name of names) assert.equal(readFileSync(name, "utf8"), text, name);
  }
});

test("B90 a lock folder that a killed process of another library left stops nobody", async () => {
  const { home, dsn } = await aHome();
  for (const end of [".lock", "-journal", "-wal"]) mkdirSync(dsn + end);
  await bothWork(home, "walrus");
});

test("C57 what SQLite left beside a damaged index goes aside with it, and is not played into the new one", async () => {
  const { home, dsn } = await aHome();
  for (const end of ["", "-wal", "-shm", "-journal"]) writeFileSync(dsn + end, `old${end}`);
  const { library } = await openHeard({ home });
  assert.equal((await library.list()).length, 1);
  for (const end of ["", "-wal", "-shm", "-journal"])
    assert.equal(readFileSync(`${dsn}${end}.bak`, "utf8"), `old${end}`);
  rmSync(`${dsn}.bak`);
});
