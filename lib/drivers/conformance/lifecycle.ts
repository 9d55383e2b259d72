import assert from "node:assert/strict";
import { join } from "node:path";
import type { IndexDriver } from "../driver.ts";
import type { Case } from "./case.ts";
import { putAll, sampleEvent, samplePut, sampleRow } from "./samples.ts";
import { all } from "./writes.ts";

const ALPHA = sampleRow("alpha");

/** Every method but close, called with a signal. */
const CALLS: Readonly<Record<string, (driver: IndexDriver, signal?: AbortSignal) => Promise<unknown>>> = {
  apply: (driver, signal) => driver.apply({ state: { touched: "1" } }, signal),
  get: (driver, signal) => driver.get(ALPHA, signal),
  list: (driver, signal) => driver.list({}, "name", 1, 0, signal),
  count: (driver, signal) => driver.count({}, signal),
  search: (driver, signal) => driver.search({ kind: "exact", text: "alpha" }, {}, 1, signal),
  digests: (driver, signal) => driver.digests({}, signal),
  standing: (driver, signal) => driver.standing(signal),
  flush: (driver, signal) => driver.flush(signal),
};

export const LIFECYCLE: readonly Case[] = [
  {
    title: "S3.21 close may be called again, and every other call after it is CANONRY_CLOSED",
    async run({ driver }) {
      await driver.close();
      await driver.close();
      for (const [name, call] of Object.entries(CALLS)) {
        await assert.rejects(call(driver), { code: "CANONRY_CLOSED" }, name);
      }
    },
  },
  {
    title: "design 4: a signal that has fired ends every call as CANONRY_ABORTED, and nothing is changed",
    async run({ driver }) {
      const signal = AbortSignal.abort(new Error("enough"));
      for (const [name, call] of Object.entries(CALLS)) {
        await assert.rejects(call(driver, signal), { code: "CANONRY_ABORTED" }, name);
      }
      assert.deepEqual((await driver.digests({}, new AbortController().signal)).state, {});
    },
  },
  {
    title: "S3.21 one index can be used by many callers at once",
    async run({ driver }) {
      const events = Array.from({ length: 50 }, (_, at) =>
        sampleEvent(`id-${String(at).padStart(3, "0")}`, "hydrated"),
      );
      await Promise.all([
        putAll(driver, samplePut("alpha")),
        ...events.map((event) => driver.apply({ events: [event] })),
        ...events.map(() => driver.list({}, "seed")),
      ]);
      assert.equal((await driver.get(ALPHA))?.counters.uses, 50);
    },
  },
  {
    title: "S3.23 an index without a file, or in :memory:, keeps nothing and has nothing to flush",
    async run({ driver, open }) {
      const other = await open({ dsn: ":memory:" });
      await putAll(driver, samplePut("alpha"));
      assert.equal(await other.count({}), 0);
      assert.equal(await driver.flush(), false);
      assert.equal(other.supports.persistent, false);
    },
  },
  {
    title: "P1 what was flushed is there for the next process: rows, full text, counters, state",
    needs: "persistent",
    async run({ folder, open }) {
      const file = { dsn: join(folder, "index"), localDir: join(folder, "local") };
      const first = await open(file);
      assert.equal(first.supports.persistent, true);
      await first.apply({
        put: [samplePut("alpha", {}, "walrus"), samplePut("beta", { tags: ["Größe"] }, "zebra walrus")],
        events: [sampleEvent("id-001", "hydrated"), sampleEvent("id-002", "win")],
        state: { ledger: "7" },
      });
      const before = await all(first);
      assert.equal(await first.flush(), true);
      assert.equal(await first.flush(), false);
      assert.deepEqual(await all(first), before);
      await first.close();
      const second = await open(file);
      assert.deepEqual(await all(second), before);
      assert.equal(await second.flush(), false);
      await second.apply({ remove: [ALPHA], events: [sampleEvent("id-001", "hydrated")] });
      assert.equal(await second.flush(), true);
      await second.close();
      assert.equal(await (await open(file)).count({}), 1);
    },
  },
  {
    title:
      "design 5: of two that opened the same index the first flush wins; the second is told, and writes nothing",
    needs: "persistent",
    async run({ folder, open }) {
      const file = { dsn: join(folder, "index"), localDir: join(folder, "local") };
      const [first, second] = [await open(file), await open(file)];
      await putAll(first, samplePut("alpha"));
      await putAll(second, samplePut("beta"));
      assert.equal(await first.flush(), true);
      assert.equal(await second.flush(), false);
      const third = await open(file);
      assert.deepEqual(
        (await third.list({}, "name")).map((row) => row.name),
        ["alpha"],
      );
    },
  },
  {
    title: "design 5: who has caught up after another's flush may write over it, and over nothing newer",
    needs: "persistent",
    async run({ folder, open }) {
      const file = { dsn: join(folder, "index"), localDir: join(folder, "local") };
      const [first, second] = [await open(file), await open(file)];
      await putAll(first, samplePut("alpha"));
      assert.equal(await first.flush(), true);
      const seen = await second.standing();
      await putAll(second, samplePut("alpha"), samplePut("beta"));
      assert.equal(await second.flush(undefined, seen), true);
      await putAll(first, samplePut("gamma"));
      assert.equal(await first.flush(undefined, seen), false);
      assert.equal(await (await open(file)).count({}), 2);
    },
  },
  {
    title: "C57 an index of another home is CANONRY_INDEX_FOREIGN, and its file stays",
    needs: "persistent",
    async run({ folder, open }) {
      const file = { dsn: join(folder, "index"), localDir: join(folder, "local") };
      const first = await open(file);
      await putAll(first, samplePut("alpha"));
      await first.flush();
      await first.close();
      await assert.rejects(open({ ...file, vaultId: "another-vault" }), { code: "CANONRY_INDEX_FOREIGN" });
      assert.equal(await (await open(file)).count({}), 1);
    },
  },
];
