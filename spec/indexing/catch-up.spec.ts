import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createContext } from "../../lib/core/context.ts";
import type { Batch, IndexDriver } from "../../lib/drivers/driver.ts";
import openMemory from "../../lib/drivers/memory.ts";
import openSqljs from "../../lib/drivers/sqljs.ts";
import { type Catalog, openCatalog } from "../../lib/indexing/catalog.ts";
import { openVault } from "../../lib/vault/vault.ts";
import { writeTree } from "../support/home.ts";
import { canonFile, makeLibrary, openHeard, REPO } from "../support/library.ts";
import { generationOf } from "./processes.ts";

const tree = (...names: string[]) =>
  Object.fromEntries(names.map((name) => [`${REPO}/canon/${name}.md`, canonFile(name)]));

/** A catalog whose driver does something of the spec's before the first batch of a catch-up. */
async function meddled(
  home: string,
  meddle: () => Promise<void>,
): Promise<{ catalog: Catalog; catchUps: () => number; close: () => Promise<void> }> {
  const context = createContext();
  const vault = openVault({ home, create: false, context });
  let [catchUps, spent] = [0, false];
  const around = (driver: IndexDriver): IndexDriver => ({
    ...driver,
    async standing(signal) {
      catchUps++;
      return driver.standing(signal);
    },
    async apply(batch: Batch, signal) {
      const first = !spent && (batch.put ?? []).length > 0;
      spent ||= first;
      if (first) await meddle();
      await driver.apply(batch, signal);
    },
  });
  const catalog = await openCatalog({
    vault,
    context,
    openDriver: async (options) => around(await openSqljs(options)),
    openMemory,
    dsn: join(home, "index.sqlite"),
    engine: undefined,
    readSeed: () => Promise.reject(new Error("there is no seed")),
  });
  return { catalog, catchUps: () => catchUps, close: () => catalog.close().then(() => vault.close()) };
}

test("design 5: a catch-up is relied on for 250 ms from its beginning, however long it took", async () => {
  const { library, home } = await makeLibrary({ home: tree("aa") });
  const { catalog, close } = await meddled(home, () => sleep(300));
  assert.equal((await catalog.fresh()).added, 1);
  writeTree(home, tree("bb"));
  assert.equal((await catalog.fresh()).added, 1);
  assert.equal(catalog.relied, false);
  await close();
  await library.close();
});

test("design 5: who asks before a catch-up begins shares it, who asks while it runs gets another", async () => {
  const { library, home } = await makeLibrary({ home: tree("aa") });
  const started: Promise<unknown>[] = [];
  const { catalog, catchUps, close } = await meddled(home, async () => {
    writeTree(home, tree("bb"));
    for (let at = 0; at < 10; at++) started.push(catalog.fresh({ force: true }));
  });
  await catalog.fresh({ force: true });
  await Promise.all(started);
  assert.equal(catchUps(), 2);
  assert.equal(await catalog.driver.count({}), 2);
  await close();
  await library.close();
});

test("design 5: a mount, or whatever else makes the index stale, is not missed by the catch-up that it meets", async () => {
  const { library, home } = await makeLibrary({ home: tree("aa") });
  const { catalog, catchUps, close } = await meddled(home, async () => catalog.stale());
  await catalog.fresh();
  await catalog.fresh();
  assert.equal(catchUps(), 2);
  await close();
  await library.close();
});

test("design 5: an index that was flushed while a catch-up ran is not written over by it", async () => {
  const { library, home } = await makeLibrary({ home: tree("aa") });
  const { catalog, close } = await meddled(home, async () => {
    const { library: other } = await openHeard({ home });
    writeTree(home, tree("bb"));
    await other.reindex();
    await other.close();
  });
  await catalog.reindex({});
  const { library: next } = await openHeard({ home });
  assert.equal((await next.reindex()).added, 0);
  assert.equal(await generationOf(home), 1);
  await catalog.reindex({});
  assert.equal(await generationOf(home), 2);
  await close();
  for (const one of [next, library]) await one.close();
});
