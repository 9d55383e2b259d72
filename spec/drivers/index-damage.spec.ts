import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { createContext } from "../../lib/core/context.ts";
import { samplePut } from "../../lib/drivers/conformance/samples.ts";
import type { DriverOptions } from "../../lib/drivers/driver.ts";
import { engines } from "../../lib/drivers/sqljs/engines.ts";
import { readSeedIndex } from "../../lib/drivers/sqljs/seed.ts";
import openSqljs from "../../lib/drivers/sqljs.ts";
import { temporaryFolder } from "../support/home.ts";

type Code = "CANONRY_INDEX_DAMAGED" | "CANONRY_INDEX_FOREIGN";

/** A flushed index of a few skills, and its bytes. */
async function flushed(
  engine = "sqlite-wasm",
): Promise<{ file: DriverOptions & { dsn: string; localDir: string }; bytes: Buffer }> {
  const folder = temporaryFolder();
  const file = {
    vaultId: "vault",
    context: createContext(),
    dsn: join(folder, "index.sqlite"),
    localDir: join(folder, "local"),
    engine,
  };
  const driver = await openSqljs(file);
  await driver.apply({
    put: Array.from({ length: 30 }, (_, at) => samplePut(`skill-${at}`, {}, "walrus zebra ".repeat(at))),
  });
  assert.equal(await driver.flush(), true);
  await driver.close();
  return { file, bytes: readFileSync(file.dsn) };
}

async function refused(
  file: DriverOptions & { dsn: string },
  bytes: Uint8Array,
  code: Code,
  what: string,
): Promise<void> {
  writeFileSync(file.dsn, bytes);
  await assert.rejects(openSqljs(file), (error: Error & { code?: string; data?: { path?: string } }) => {
    assert.equal(error.code, code, `${what}: ${error.message}`);
    assert.equal(error.data?.path, file.dsn);
    return true;
  });
  assert.deepEqual(readFileSync(file.dsn), Buffer.from(bytes), `${what}: the file is left as it is`);
}

function flip(bytes: Buffer, at: number, bit: number): Buffer {
  const copy = Buffer.from(bytes);
  copy.writeUInt8(copy.readUInt8(at) ^ (1 << bit), at);
  return copy;
}

test("C57 S2.1 S2.26 an empty file and a text are CANONRY_INDEX_DAMAGED", async () => {
  const { file } = await flushed();
  for (const [what, bytes] of [
    ["zero length", ""],
    ["a text", "# Not an index\n".repeat(700)],
    ["a short text", "x"],
    ["zeroes", "\u0000".repeat(8_192)],
    ["the magic alone", "SQLite format 3\u0000"],
    ["the magic and nonsense", `SQLite format 3\u0000${"x".repeat(4_080)}`],
  ] as const) {
    await refused(file, Buffer.from(bytes), "CANONRY_INDEX_DAMAGED", what);
  }
  rmSync(file.dsn);
  mkdirSync(file.dsn);
  await assert.rejects(openSqljs(file), { code: "CANONRY_INDEX_DAMAGED" });
});

test("C57 an index that was cut at any page, or within one, is CANONRY_INDEX_DAMAGED", async () => {
  const { file, bytes } = await flushed();
  const page = bytes.readUInt16BE(16);
  assert.ok(bytes.length / page > 10);
  for (let length = page; length < bytes.length; length += page) {
    await refused(file, bytes.subarray(0, length), "CANONRY_INDEX_DAMAGED", `cut at ${length}`);
  }
  await refused(file, bytes.subarray(0, bytes.length - 1), "CANONRY_INDEX_DAMAGED", "one byte short");
  await refused(
    file,
    Buffer.concat([bytes, Buffer.alloc(page)]),
    "CANONRY_INDEX_DAMAGED",
    "one page too many",
  );
});

test("C57 without checksums too a cut index is CANONRY_INDEX_DAMAGED", async () => {
  const { file, bytes } = await flushed();
  const page = bytes.readUInt16BE(16);
  for (const length of [page, page * 2, page * 3 + 1, bytes.length - page, bytes.length - 1]) {
    const bare = { ...file, localDir: undefined };
    await refused(bare, bytes.subarray(0, length), "CANONRY_INDEX_DAMAGED", `cut at ${length}`);
  }
});

test("C57 one flipped bit anywhere in the file is found", async () => {
  const { file, bytes } = await flushed("fts5-sql-bundle");
  for (let sample = 0; sample < 200; sample++) {
    const at = Math.floor((sample * bytes.length) / 200) + (sample % 7);
    writeFileSync(file.dsn, flip(bytes, Math.min(at, bytes.length - 1), sample % 8));
    const found = await openSqljs(file).then(
      () => "opened",
      (error: { code?: string }) => String(error.code),
    );
    assert.match(found, /^CANONRY_INDEX_(?:DAMAGED|FOREIGN)$/, `bit ${sample % 8} of byte ${at}`);
  }
  for (let at = 0; at < 100; at++) {
    writeFileSync(file.dsn, flip(bytes, at, 0));
    await assert.rejects(openSqljs(file), { name: "CanonryError" }, `byte ${at} of the header`);
  }
  writeFileSync(file.dsn, bytes);
  const driver = await openSqljs(file);
  assert.equal(await driver.count({}), 30);
  await driver.close();
});

test("C57 a database of another program is CANONRY_INDEX_FOREIGN, and not the seed's", async () => {
  const { file } = await flushed();
  const { Database } = await engines.get("sqlite-wasm")();
  const db = new Database();
  db.exec(
    "CREATE TABLE bookmarks(id INTEGER PRIMARY KEY, url TEXT); INSERT INTO bookmarks(url) VALUES ('https://example.org')",
  );
  const bytes = Buffer.from(db.export());
  await refused(file, bytes, "CANONRY_INDEX_FOREIGN", "bookmarks");
  await assert.rejects(openSqljs(file), (error: { data?: { seed?: boolean } }) => error.data?.seed === false);
});

test("C57 an index of a newer Canonry is CANONRY_INDEX_FOREIGN, and so is one made before its terms were of today", async () => {
  const { file, bytes } = await flushed();
  assert.equal(bytes.readInt32BE(60), 2);
  for (const version of [3, 1]) {
    const other = Buffer.from(bytes);
    other.writeInt32BE(version, 60);
    await refused(file, other, "CANONRY_INDEX_FOREIGN", `user_version ${version}`);
  }
});

test("C57 an index of another home is CANONRY_INDEX_FOREIGN, with or without checksums", async () => {
  const [mine, theirs] = [await flushed(), await flushed()];
  await refused({ ...mine.file, vaultId: "other" }, mine.bytes, "CANONRY_INDEX_FOREIGN", "another vault id");
  await refused(
    { ...mine.file, vaultId: "other", localDir: undefined },
    mine.bytes,
    "CANONRY_INDEX_FOREIGN",
    "without checksums",
  );
  await refused(
    mine.file,
    flip(theirs.bytes, theirs.bytes.length - 1, 0),
    "CANONRY_INDEX_DAMAGED",
    "not what was written here",
  );
});

test("C57 an index that came from another machine is CANONRY_INDEX_FOREIGN", async () => {
  const { file, bytes } = await flushed();
  await refused(
    { ...file, localDir: join(temporaryFolder(), "local") },
    bytes,
    "CANONRY_INDEX_FOREIGN",
    "no claim on this machine",
  );
});

test("design 5: without a folder for checksums a whole index of this home opens", async () => {
  const { file } = await flushed();
  const driver = await openSqljs({ ...file, localDir: undefined });
  assert.equal(await driver.count({}), 30);
  await driver.close();
});

test("P1 no file is an empty index, and a flush after that writes the next generation", async () => {
  const { file } = await flushed();
  rmSync(file.dsn);
  const driver = await openSqljs(file);
  assert.equal(await driver.count({}), 0);
  await driver.apply({ put: [samplePut("alpha")] });
  assert.equal(await driver.flush(), true);
  await driver.close();
  const again = await openSqljs(file);
  assert.equal(await again.count({}), 1);
  await again.close();
});

/** A pipe with a late visitor, so that who waits for it fails the spec instead of holding it up for ever. */
function makePipe(t: TestContext, path: string): void {
  execFileSync("mkfifo", [path]);
  const visits = 'sleep 20; : > "$0.visited"; while :; do exec 3<>"$0"; sleep 1; exec 3>&-; done';
  const visitor = spawn("sh", ["-c", visits, path], { stdio: "ignore" });
  t.after(() => visitor.kill());
}

function assertNotWaited(path: string): void {
  assert.equal(existsSync(`${path}.visited`), false, "the pipe was waited for");
}

const notWindows = { skip: process.platform === "win32" && "Windows has no named pipes" };

test(
  "C57 a pipe, a device or a file over 2 GiB in the index's place is CANONRY_INDEX_DAMAGED",
  notWindows,
  async (t) => {
    const { file } = await flushed();
    for (const [fault, make] of [
      [/not a regular file/, () => makePipe(t, file.dsn)],
      [/not a regular file/, () => symlinkSync("/dev/zero", file.dsn)],
      [/2147487744 bytes, and at most 2147483648/, () => writeFileSync(file.dsn, "")],
    ] as const) {
      rmSync(file.dsn);
      make();
      if (fault.source.startsWith("2147487744")) truncateSync(file.dsn, 2_147_487_744);
      for (const localDir of [file.localDir, undefined])
        await assert.rejects(openSqljs({ ...file, localDir }), {
          code: "CANONRY_INDEX_DAMAGED",
          message: fault,
        });
      await assert.rejects(readSeedIndex(file.dsn), { code: "CANONRY_INDEX_DAMAGED", message: fault });
    }
    assertNotWaited(file.dsn);
  },
);

test("C60 a pipe in the place of the seed's log is not waited for", notWindows, async (t) => {
  const { file } = await flushed();
  makePipe(t, `${file.dsn}-wal`);
  await assert.rejects(readSeedIndex(file.dsn), {
    code: "CANONRY_INDEX_DAMAGED",
    message: /-wal cannot be used: it is not a regular file/,
  });
  assertNotWaited(`${file.dsn}-wal`);
});

test("C57 an index that is a link to a file opens", notWindows, async () => {
  const { file, bytes } = await flushed();
  writeFileSync(`${file.dsn}.elsewhere`, bytes);
  rmSync(file.dsn);
  symlinkSync(`${file.dsn}.elsewhere`, file.dsn);
  const driver = await openSqljs(file);
  assert.equal(await driver.count({}), 30);
  await driver.close();
});

test("C57 a link that leads to itself is CANONRY_INDEX_DAMAGED", notWindows, async () => {
  const { file } = await flushed();
  rmSync(file.dsn);
  symlinkSync(file.dsn, file.dsn);
  for (const localDir of [file.localDir, undefined])
    await assert.rejects(openSqljs({ ...file, localDir }), { code: "CANONRY_INDEX_DAMAGED" });
});

test("C57 without checksums an index whose pages are swapped is CANONRY_INDEX_DAMAGED", async () => {
  const { file, bytes } = await flushed();
  const page = bytes.readUInt16BE(16);
  const swapped = Buffer.from(bytes);
  bytes.copy(swapped, page * 2, page * 3, page * 4);
  bytes.copy(swapped, page * 3, page * 2, page * 3);
  await refused({ ...file, localDir: undefined }, swapped, "CANONRY_INDEX_DAMAGED", "swapped pages");
});

test("C57 a claim that is a pipe, or longer than 64 KiB, is ignored", notWindows, async (t) => {
  const { file, bytes } = await flushed();
  const folder = join(file.localDir, "index");
  assert.deepEqual(readdirSync(folder), ["index.sqlite.1.json"]);
  const claim = JSON.parse(readFileSync(join(folder, "index.sqlite.1.json"), "utf8")) as object;
  makePipe(t, join(folder, "index.sqlite.2.json"));
  const driver = await openSqljs(file);
  assert.equal(await driver.count({}), 30);
  await driver.close();
  assertNotWaited(join(folder, "index.sqlite.2.json"));
  const long = (length: number) => `${JSON.stringify(claim)}${" ".repeat(length)}`.slice(0, length);
  writeFileSync(join(folder, "index.sqlite.1.json"), long(65_536));
  await (await openSqljs(file)).close();
  writeFileSync(join(folder, "index.sqlite.1.json"), long(65_537));
  await refused(file, bytes, "CANONRY_INDEX_DAMAGED", "no claim that can be read");
});
