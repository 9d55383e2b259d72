import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { writeTemp } from "../../lib/core/atomic.ts";
import { createContext } from "../../lib/core/context.ts";
import { sha256 } from "../../lib/core/hash.ts";
import { samplePut } from "../../lib/drivers/conformance/samples.ts";
import type { DriverOptions, IndexDriver } from "../../lib/drivers/driver.ts";
import { openImage } from "../../lib/drivers/sqljs/image.ts";
import openSqljs from "../../lib/drivers/sqljs.ts";
import { temporaryFolder } from "../support/home.ts";

const run = promisify(execFile);

type File = DriverOptions & { readonly dsn: string; readonly localDir: string };

function newFile(): File {
  const folder = temporaryFolder();
  return {
    vaultId: "vault",
    context: createContext(),
    dsn: join(folder, "index.sqlite"),
    localDir: join(folder, "local"),
    engine: "fts5-sql-bundle",
  };
}

async function write(file: File, ...names: string[]): Promise<boolean> {
  const driver = await openSqljs(file);
  try {
    await driver.apply({ put: names.map((name) => samplePut(name)) });
    return await driver.flush();
  } finally {
    await driver.close();
  }
}

async function namesIn(file: File): Promise<string[]> {
  const driver: IndexDriver = await openSqljs(file);
  const rows = await driver.list({}, "name");
  await driver.close();
  return rows.map((row) => row.name);
}

const claims = (file: File) =>
  readdirSync(join(file.localDir, "index")).sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
const temps = (file: File) => readdirSync(join(file.dsn, "..")).filter((name) => name.includes(".tmp-"));

/** A claim and its finished temporary file, as a flush leaves them that was killed before its rename. */
function claimOf(file: File, generation: number, image: Buffer): string {
  const temp = writeTemp(file.dsn, image);
  const claim = { sha256: sha256(image), bytes: image.length, temp: temp.split("/").at(-1) };
  mkdirSync(join(file.localDir, "index"), { recursive: true });
  writeFileSync(join(file.localDir, "index", `index.sqlite.${generation}.json`), JSON.stringify(claim));
  return temp;
}

test("design 5: a flush leaves one whole file, its claim with checksum and size, and nothing else", async () => {
  const file = newFile();
  assert.equal(await write(file, "alpha"), true);
  const bytes = readFileSync(file.dsn);
  const claim = JSON.parse(readFileSync(join(file.localDir, "index", "index.sqlite.1.json"), "utf8"));
  assert.equal(claim.sha256, sha256(bytes));
  assert.equal(claim.bytes, bytes.length);
  assert.deepEqual(temps(file), []);
  assert.deepEqual(readdirSync(join(file.dsn, "..")).sort(), ["index.sqlite", "local"]);
});

test("design 5: nothing changed is nothing flushed: no new row, no new event, an empty batch", async () => {
  const file = newFile();
  await write(file, "alpha");
  const driver = await openSqljs(file);
  await driver.apply({});
  await driver.apply({
    remove: [{ place: "universal", path: "not/there.md" }],
    state: { absent: undefined },
  });
  assert.equal(await driver.flush(), false);
  await driver.close();
  assert.deepEqual(claims(file), ["index.sqlite.1.json"]);
});

test("design 5: the newest eight claims are kept, and numbers go on", async () => {
  const file = newFile();
  for (let at = 1; at <= 11; at++) assert.equal(await write(file, `skill-${at}`), true);
  assert.deepEqual(
    claims(file),
    [4, 5, 6, 7, 8, 9, 10, 11].map((n) => `index.sqlite.${n}.json`),
  );
  assert.equal((await namesIn(file)).length, 11);
});

test("P2 a flush that was killed between claim and rename is finished by whoever opens next", async () => {
  const [file, other] = [newFile(), newFile()];
  await write(file, "alpha");
  const old = readFileSync(file.dsn);
  await write(file, "beta");
  const image = readFileSync(file.dsn);
  writeFileSync(file.dsn, old);
  const temp = claimOf(file, 2, image);
  assert.deepEqual(await namesIn(file), ["alpha", "beta"]);
  assert.equal(existsSync(temp), false);
  assert.equal(await write(file, "gamma"), true);
  assert.deepEqual(await namesIn(file), ["alpha", "beta", "gamma"]);
  assert.deepEqual(await namesIn(other), []);
});

test("P2 a flush that was killed before its claim leaves the old index and harms nobody", async () => {
  const file = newFile();
  await write(file, "alpha");
  writeTemp(file.dsn, Buffer.from("half"));
  assert.deepEqual(await namesIn(file), ["alpha"]);
  assert.equal(await write(file, "beta"), true);
});

test("design 5: one that opened before somebody else flushed writes nothing over the newer index", async () => {
  const file = newFile();
  await write(file, "alpha");
  const sleeper = await openSqljs(file);
  await sleeper.apply({ put: [samplePut("sleeper")] });
  assert.equal(await write(file, "beta"), true);
  assert.equal(await sleeper.flush(), false);
  await sleeper.close();
  assert.deepEqual(await namesIn(file), ["alpha", "beta"]);
  assert.deepEqual(temps(file), []);
});

/** The file itself, without an engine: any image is as good as another here. */
async function openTwo() {
  const file = newFile();
  await write(file, "alpha");
  const image = readFileSync(file.dsn);
  const [sleeper, other] = [
    openImage(file.dsn, file.localDir, Date.now),
    openImage(file.dsn, file.localDir, Date.now),
  ];
  sleeper.load();
  other.load();
  return { file, image, sleeper, other };
}

test("design 5: no image is made where somebody has flushed since", async () => {
  const { image, sleeper, other } = await openTwo();
  assert.equal(
    other.flush(() => image),
    true,
  );
  assert.equal(
    sleeper.flush(() => assert.fail("made an image for nothing")),
    false,
  );
});

test("design 5: one that sleeps between looking and claiming loses to who claims first", async () => {
  const { file, image, sleeper, other } = await openTwo();
  const made = sleeper.flush(() => {
    assert.equal(
      other.flush(() => image),
      true,
    );
    return Buffer.concat([image, image]);
  });
  assert.equal(made, false);
  assert.deepEqual(readFileSync(file.dsn), image);
  assert.deepEqual(temps(file), []);
});

test("design 5: one that sleeps until its number was used and swept withdraws when it sees a newer one", async () => {
  const { file, image, sleeper, other } = await openTwo();
  const made = sleeper.flush(() => {
    for (let at = 0; at < 12; at++)
      assert.equal(
        other.flush(() => image),
        true,
      );
    return Buffer.concat([image, image]);
  });
  assert.equal(made, false);
  assert.deepEqual(readFileSync(file.dsn), image);
  assert.deepEqual(
    claims(file),
    [6, 7, 8, 9, 10, 11, 12, 13].map((n) => `index.sqlite.${n}.json`),
  );
  assert.deepEqual(temps(file), []);
});

test("P2 a claim whose temporary file is torn is not finished: the old index stays", async () => {
  const file = newFile();
  await write(file, "alpha");
  const image = readFileSync(file.dsn);
  const temp = claimOf(file, 2, Buffer.concat([image, image]));
  writeFileSync(temp, "torn");
  assert.deepEqual(await namesIn(file), ["alpha"]);
  assert.deepEqual(readFileSync(file.dsn), image);
  assert.deepEqual(temps(file), []);
  assert.equal(await write(file, "beta"), true);
  assert.deepEqual(claims(file), ["index.sqlite.1.json", "index.sqlite.2.json", "index.sqlite.3.json"]);
});

test("design 5: a reader that meets the moment between claim and rename takes the old image", async () => {
  const file = newFile();
  await write(file, "alpha");
  const old = readFileSync(file.dsn);
  await write(file, "beta");
  const image = readFileSync(file.dsn);
  writeFileSync(file.dsn, old);
  // The temporary file is out of reach, as for a reader that may not rename.
  const temp = claimOf(file, 2, image);
  renameSync(temp, `${temp}.elsewhere`);
  assert.deepEqual(await namesIn(file), ["alpha"]);
});

test("P1 an older index that somebody put back is used and can be flushed over", async () => {
  const file = newFile();
  await write(file, "alpha");
  const old = readFileSync(file.dsn);
  await write(file, "beta");
  writeFileSync(file.dsn, old);
  assert.equal(await write(file, "gamma"), true);
  assert.deepEqual(await namesIn(file), ["alpha", "gamma"]);
});

test("design 5: claims that cannot be read keep their numbers and finish nothing", async () => {
  const file = newFile();
  await write(file, "alpha");
  const outside = join(file.dsn, "..", ".x.tmp-1-aaaaaaaaaaaa");
  writeFileSync(outside, "text");
  for (const [at, text] of [
    "{",
    "null",
    '{"temp":"../.x.tmp-1-aaaaaaaaaaaa"}',
    '{"temp":"index.sqlite"}',
  ].entries()) {
    writeFileSync(join(file.localDir, "index", `index.sqlite.${at + 2}.json`), text);
  }
  assert.deepEqual(await namesIn(file), ["alpha"]);
  assert.equal(await write(file, "beta"), true);
  assert.ok(claims(file).includes("index.sqlite.6.json"));
});

test("design 5: without a folder for claims a file that somebody else replaced is not written over", async () => {
  const file = { ...newFile(), localDir: undefined };
  const [first, second] = [await openSqljs(file), await openSqljs(file)];
  await first.apply({ put: [samplePut("alpha")] });
  await second.apply({ put: [samplePut("beta")] });
  assert.equal(await first.flush(), true);
  assert.equal(await second.flush(), false);
  await first.apply({ put: [samplePut("gamma")] });
  assert.equal(await first.flush(), true);
  for (const driver of [first, second]) await driver.close();
});

test("C57 a folder that cannot be written is CANONRY_READ_ONLY at the flush, and reading goes on", {
  skip: process.getuid?.() === 0 && "the superuser may write anywhere",
}, async () => {
  const file = newFile();
  await write(file, "alpha");
  const driver = await openSqljs(file);
  await driver.apply({ put: [samplePut("beta")] });
  chmodSync(join(file.dsn, ".."), 0o555);
  try {
    await assert.rejects(driver.flush(), { code: "CANONRY_READ_ONLY" });
    assert.equal(await driver.count({}), 2);
  } finally {
    chmodSync(join(file.dsn, ".."), 0o755);
  }
  assert.equal(await driver.flush(), true);
  await driver.close();
});

test("C57 a flush into a folder that is not there is a typed error, and a later one may succeed", async () => {
  const folder = temporaryFolder();
  const dsn = join(folder, "later", "index.sqlite");
  const driver = await openSqljs({
    vaultId: "vault",
    context: createContext(),
    dsn,
    localDir: join(folder, "local"),
  });
  await driver.apply({ put: [samplePut("alpha")] });
  await assert.rejects(driver.flush(), { code: "CANONRY_DISK" });
  mkdirSync(join(folder, "later"));
  assert.equal(await driver.flush(), true);
  await driver.close();
});

test("P3 of processes that flush at once each generation has one winner, and the file is always whole", async () => {
  const file = newFile();
  const script = `
    const { default: open } = await import(${JSON.stringify(new URL("../../lib/drivers/sqljs.js", import.meta.url).href)});
    const { samplePut } = await import(${JSON.stringify(new URL("../../lib/drivers/conformance/samples.js", import.meta.url).href)});
    let won = 0;
    for (let round = 0; round < 15; round++) {
      const driver = await open({ ...${JSON.stringify({ ...file, context: undefined })}, context: { clock: Date.now } });
      const seen = await driver.count({});
      await driver.apply({ put: [samplePut(process.argv[1] + "-" + round)] });
      if (await driver.flush()) won++;
      else if ((await driver.count({})) !== seen + 1) throw new Error("the index lost its own row");
      await driver.close();
    }
    console.log(won);
  `;
  const runs = ["a", "b", "c"].map((name) =>
    run(process.execPath, ["--input-type=module", "-e", script, name]),
  );
  const won = (await Promise.all(runs)).map(({ stdout }) => Number(stdout));
  const total = won.reduce((sum, one) => sum + one, 0);
  assert.equal(claims(file).at(-1), `index.sqlite.${total}.json`);
  assert.equal((await namesIn(file)).length, total);
  assert.deepEqual(temps(file), []);
});
