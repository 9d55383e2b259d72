import assert from "node:assert/strict";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { createContext } from "../../lib/core/context.ts";
import { samplePut } from "../../lib/drivers/conformance/samples.ts";
import { type ImageFile, openImage } from "../../lib/drivers/sqljs/image.ts";
import openSqljs from "../../lib/drivers/sqljs.ts";
import { temporaryFolder } from "../support/home.ts";

/** An image of generation 1, and as many that have loaded it as are asked for. */
async function imageAnd(count: number) {
  const folder = temporaryFolder();
  const [dsn, localDir] = [join(folder, "index.sqlite"), join(folder, "local")];
  const driver = await openSqljs({ vaultId: "vault", context: createContext(), dsn, localDir });
  await driver.apply({ put: [samplePut("alpha")] });
  assert.equal(await driver.flush(), true);
  await driver.close();
  const image = fs.readFileSync(dsn);
  const other = Buffer.from(image);
  other.writeUInt8(1, other.length - 1);
  const files = Array.from({ length: count }, () => openImage(dsn, localDir, Date.now));
  for (const file of files) file.load();
  const [first, second] = files;
  if (first === undefined || second === undefined) throw new Error("ask for two");
  return { dsn, localDir, image, other, first, second };
}

const flush = (file: ImageFile, image: Uint8Array, over?: string) => file.flush(() => image, over);

/** Does `act` once, right after the first such call of the file system: of any path, or of this one. */
function after<T>(call: "linkSync" | "openSync", act: () => void, work: () => T, path?: string): T {
  const original = fs[call] as (...args: unknown[]) => unknown;
  const restore = () => {
    Object.assign(fs, { [call]: original });
    syncBuiltinESMExports();
  };
  const hooked = (...args: unknown[]) => {
    const result = original(...args);
    if (path !== undefined && args[0] !== path) return result;
    restore();
    act();
    return result;
  };
  Object.assign(fs, { [call]: hooked });
  syncBuiltinESMExports();
  try {
    return work();
  } finally {
    restore();
  }
}

test("design 5: a reader whose image was replaced ten times before it knew its checksum finds no damage", async () => {
  const { dsn, localDir, image, other, first } = await imageAnd(2);
  const last = Buffer.from(image);
  last.writeUInt8(2, last.length - 1);
  const slow = openImage(dsn, localDir, Date.now);
  const flushTen = () => {
    for (let at = 0; at < 10; at++) assert.equal(flush(first, at % 2 === 0 ? other : last), true);
  };
  const loaded = after("openSync", flushTen, () => slow.load(), dsn);
  assert.deepEqual(Buffer.from(loaded?.bytes ?? []), last);
  assert.equal(loaded?.checksum, "known");
});

test("design 5: a flush whose temporary file was swept under its claim says that it wrote nothing; the next one writes", async () => {
  const { dsn, image, other, first } = await imageAnd(2);
  const sweep = () => {
    for (const name of fs.readdirSync(join(dsn, "..")))
      if (name.includes(".tmp-")) fs.unlinkSync(join(dsn, "..", name));
  };
  assert.equal(
    after("linkSync", sweep, () => flush(first, other)),
    false,
  );
  assert.deepEqual(fs.readFileSync(dsn), image);
  assert.equal(flush(first, other), true);
  assert.deepEqual(fs.readFileSync(dsn), other);
});

test("design 5: a flush that somebody else has finished counts as written", async () => {
  const { dsn, other, first, second } = await imageAnd(2);
  assert.equal(
    after(
      "linkSync",
      () => void second.standing(),
      () => flush(first, other),
    ),
    true,
  );
  assert.deepEqual(fs.readFileSync(dsn), other);
});

test("design 5: a flush over what stood when a catch-up began needs no reload, and nothing newer is written over", async () => {
  const { image, first, second } = await imageAnd(2);
  assert.equal(flush(first, image), true);
  const seen = second.standing();
  assert.equal(flush(second, image), false);
  assert.equal(flush(second, image, seen), true);
  assert.equal(flush(first, image, seen), false);
  assert.equal(flush(first, image, first.standing()), true);
});

test("design 5: a temporary file that is another's claim is not swept by who only reads, nor by who has no claims", async () => {
  const { dsn, localDir, other, first } = await imageAnd(2);
  const temps = () => fs.readdirSync(join(dsn, "..")).filter((name) => name.includes(".tmp-"));
  fs.writeFileSync(join(dsn, "..", ".index.sqlite.tmp-1-aaaaaaaaaaaa"), "half");
  openImage(dsn, undefined, () => Date.now() + 3_600_000).load();
  assert.equal(temps().length, 1);
  assert.equal(flush(first, other), true);
  openImage(dsn, localDir, () => Date.now() + 3_600_000).load();
  assert.deepEqual(temps(), []);
});
