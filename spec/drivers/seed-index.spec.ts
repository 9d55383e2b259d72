import assert from "node:assert/strict";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createContext } from "../../lib/core/context.ts";
import { isSeedIndex, readSeedIndex } from "../../lib/drivers/sqljs/seed.ts";
import openSqljs from "../../lib/drivers/sqljs.ts";
import { temporaryFolder } from "../support/home.ts";
import { ROOT } from "../support/root.ts";

const SEED = join(ROOT, "fixtures", "seed-home", "index.sqlite");
const options = { vaultId: "vault", context: createContext() };

/** A copy of the fixture, its log changed or left out. */
function copySeed(wal?: (bytes: Buffer) => Buffer): string {
  const path = join(temporaryFolder(), "index.sqlite");
  copyFileSync(SEED, path);
  if (wal !== undefined) writeFileSync(`${path}-wal`, wal(readFileSync(`${SEED}-wal`)));
  return path;
}

test("C60 counters and events of a seed's index are read with what stands in its log only", async () => {
  const { skills, events } = await readSeedIndex(SEED);
  assert.deepEqual(skills, [
    {
      name: "clean-before-build",
      fingerprint: "0123456789ab",
      uses: 4,
      wins: 2,
      losses: 1,
      cost_saved_usd: 0.75,
      last_used_at: "2026-01-07T11:00:00.000Z",
      last_wave: 3,
    },
    {
      name: "restart-the-proxy",
      fingerprint: "0123456789ab",
      uses: 0,
      wins: 0,
      losses: 0,
      cost_saved_usd: 0,
      last_used_at: null,
      last_wave: null,
    },
    {
      name: "quiet-the-linter",
      fingerprint: "ba9876543210",
      uses: 0,
      wins: 0,
      losses: 0,
      cost_saved_usd: 0,
      last_used_at: null,
      last_wave: null,
    },
  ]);
  assert.deepEqual(events, [
    {
      ts: "2026-01-06T09:00:00.000Z",
      run_id: "run-a",
      wave: 1,
      skill_name: "clean-before-build",
      event: "hydrated",
      value: null,
      notes: "",
    },
    {
      ts: "2026-01-07T11:00:00.000Z",
      run_id: "run-b",
      wave: 3,
      skill_name: "clean-before-build",
      event: "hydrated",
      value: null,
      notes: "",
    },
    {
      ts: "2026-01-07T11:05:00.000Z",
      run_id: "run-b",
      wave: 3,
      skill_name: "clean-before-build",
      event: "win",
      value: null,
      notes: "verifier passed",
    },
    {
      ts: "2026-01-07T11:06:00.000Z",
      run_id: "run-b",
      wave: 3,
      skill_name: "clean-before-build",
      event: "cost_saved",
      value: 0.75,
      notes: "~ est.",
    },
  ]);
});

test("C60 without its log, or with one of another database, the state of the main file counts", async () => {
  for (const path of [
    copySeed(),
    copySeed(() => Buffer.from("no log")),
    copySeed((wal) => wal.fill(0, 0, 4)),
  ]) {
    const { skills, events } = await readSeedIndex(path);
    assert.deepEqual(
      skills.map((skill) => [skill.name, skill.uses]),
      [
        ["clean-before-build", 1],
        ["restart-the-proxy", 0],
      ],
    );
    assert.equal(events.length, 1);
  }
});

test("C60 a log that was cut, or altered in its last transaction, counts up to the commit before", async () => {
  const altered = (wal: Buffer) => {
    wal.writeUInt8(wal.readUInt8(wal.length - 5) ^ 1, wal.length - 5);
    return wal;
  };
  for (const change of [(wal: Buffer) => wal.subarray(0, wal.length - 1), altered]) {
    const { skills, events } = await readSeedIndex(copySeed(change));
    assert.deepEqual(
      skills.map((skill) => [skill.name, skill.uses]),
      [
        ["clean-before-build", 4],
        ["restart-the-proxy", 0],
      ],
    );
    assert.equal(events.length, 4);
  }
});

test("C60 reading changes neither file", async () => {
  const path = copySeed((wal) => wal);
  const files = () => [readFileSync(path), readFileSync(`${path}-wal`)];
  const before = files();
  assert.ok(
    before.every((bytes) => bytes.length > 4_000),
    "there is something to change",
  );
  await readSeedIndex(path);
  assert.deepEqual(files(), before);
});

test("C60 open tells a seed's index from other foreign files, and leaves it", async () => {
  const path = copySeed((wal) => wal);
  await assert.rejects(
    openSqljs({ ...options, dsn: path, localDir: join(path, "..", "local") }),
    (error: Error & { code?: string; data?: { seed?: boolean } }) => {
      assert.equal(error.code, "CANONRY_INDEX_FOREIGN");
      assert.equal(error.data?.seed, true);
      return true;
    },
  );
  assert.deepEqual(readFileSync(path), readFileSync(SEED));
});

test("C60 what is no seed's index is told so", async () => {
  assert.equal(await isSeedIndex(readFileSync(SEED)), true);
  assert.equal(await isSeedIndex(Buffer.from("# a text\n")), false);
  assert.equal(await isSeedIndex(new Uint8Array()), false);
  const path = join(temporaryFolder(), "index.sqlite");
  writeFileSync(path, "# a text\n");
  await assert.rejects(readSeedIndex(path), { code: "CANONRY_INDEX_DAMAGED" });
});
