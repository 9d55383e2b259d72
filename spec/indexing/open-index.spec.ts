import assert from "node:assert/strict";
import { readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createContext } from "../../lib/core/context.ts";
import { CanonryError } from "../../lib/core/errors.ts";
import type { DriverOptions } from "../../lib/drivers/driver.ts";
import openMemory from "../../lib/drivers/memory.ts";
import openSqljs from "../../lib/drivers/sqljs.ts";
import { openCatalog } from "../../lib/indexing/catalog.ts";
import { openVault } from "../../lib/vault/vault.ts";
import { temporaryFolder } from "../support/home.ts";
import { canonFile, makeLibrary, openHeard, REPO } from "../support/library.ts";

const damaged = () => new CanonryError("CANONRY_INDEX_DAMAGED", "It was found damaged.");

async function indexed() {
  const { library, home } = await makeLibrary({ home: { [`${REPO}/canon/aa.md`]: canonFile("aa") } });
  await library.reindex();
  await library.close();
  return { home, dsn: join(home, "index.sqlite") };
}

/** Opens the home's index; `meddle` is called before each try of the driver, and may throw instead of it. */
async function opened(home: string, meddle: (nth: number) => void) {
  const warnings: string[] = [];
  const context = createContext({ log: { warn: (line) => void warnings.push(line), note() {} } });
  const vault = openVault({ home, create: false, context });
  let tries = 0;
  const catalog = await openCatalog({
    vault,
    context,
    openDriver: async (options: DriverOptions) => {
      meddle(++tries);
      return openSqljs(options);
    },
    openMemory,
    dsn: join(home, "index.sqlite"),
    engine: undefined,
    readSeed: () => Promise.reject(new Error("there is no seed")),
  });
  await catalog.fresh();
  const [rows, { name }] = [await catalog.driver.count({}), catalog.driver];
  await catalog.close();
  return { warnings, rows, name, tries, names: readdirSync(home).filter((one) => one.startsWith("index")) };
}

test("design 5: an index that another process has mended before it could be set aside is used", async () => {
  const { home, dsn } = await indexed();
  const good = readFileSync(dsn);
  writeFileSync(dsn, "damaged");
  const found = await opened(home, (nth) => {
    if (nth > 1) return;
    // In place of the bad file, as a flush leaves it: another file altogether.
    writeFileSync(`${dsn}.new`, good);
    renameSync(`${dsn}.new`, dsn);
    throw damaged();
  });
  assert.deepEqual([found.rows, found.name, found.names, found.warnings], [1, "sqljs", ["index.sqlite"], []]);
});

test("C57 a disk that refuses a read does not cost the index its place: memory answers, and says why", async () => {
  const { home, dsn } = await indexed();
  const before = readFileSync(dsn);
  const found = await opened(home, () => {
    throw new CanonryError("CANONRY_DISK", "Could not read the index: EIO.");
  });
  assert.deepEqual([found.rows, found.name, found.names], [1, "memory", ["index.sqlite"]]);
  assert.match(found.warnings.join("\n"), /lives in memory: Could not read the index: EIO/);
  assert.deepEqual(readFileSync(dsn), before);
});

test("P9 an index that is found damaged again and again is looked at five times, and memory answers", async () => {
  const { home, dsn } = await indexed();
  const found = await opened(home, () => {
    writeFileSync(dsn, "damaged again");
    throw damaged();
  });
  assert.deepEqual([found.rows, found.name, found.tries], [1, "memory", 5]);
});

test("C57 two indexes of one name in different folders keep their checksums apart", async () => {
  const { home } = await indexed();
  const elsewhere = join(temporaryFolder(), "index.sqlite");
  for (let round = 0; round < 10; round++) {
    writeFileSync(join(home, REPO, "canon", `more-${round}.md`), canonFile(`more-${round}`));
    const { library } = await openHeard({ home, dsn: elsewhere });
    await library.reindex();
    await library.close();
  }
  for (const dsn of [undefined, elsewhere]) {
    const { library, heard } = await openHeard(dsn === undefined ? { home } : { home, dsn });
    assert.equal((await library.list()).length, 11);
    assert.deepEqual(heard.warnings, []);
  }
});
