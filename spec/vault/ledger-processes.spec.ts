import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { foldCounters } from "../../lib/schema/counters.ts";
import { temporaryFolder } from "../support/home.ts";
import { namesIn, openStage } from "./stage.ts";

const CHILD = fileURLToPath(new URL("./ledger-child.js", import.meta.url));

function write(home: string, acknowledged: string, count: number, who: string, clock = ""): Promise<void> {
  return new Promise((resolve, reject) => {
    const args = [CHILD, home, acknowledged, String(count), who, clock];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
    child.on("error", reject);
    child.on("close", (code) => (code === 0 ? resolve() : reject(new Error(`the writer left with ${code}`))));
  });
}

const idsOf = (file: string) => readFileSync(file, "utf8").split("\n").filter(Boolean);

test("C10 eight processes with 2,000 events each leave no line torn, lost or doubled, and a reader meanwhile sees none of it", async () => {
  const { home, vault } = openStage();
  const folder = temporaryFolder();
  const writers = Array.from({ length: 8 }, (_, i) => write(home, join(folder, `w${i}`), 2_000, `w${i}`));
  const ended = { yes: false };
  const all = Promise.all(writers).finally(() => {
    ended.yes = true;
  });
  const seen: string[] = [];
  let { offsets } = vault.readLedger({});
  for (let last = false; !last; ) {
    last = ended.yes;
    const read = vault.readLedger(offsets);
    assert.deepEqual([read.problems, read.reset], [[], false]);
    seen.push(...read.events.map((event) => event.id));
    offsets = read.offsets;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await all;
  const acknowledged = namesIn(folder).flatMap((name) => idsOf(join(folder, name)));
  assert.equal(acknowledged.length, 16_000);
  assert.deepEqual([...seen].sort(), [...acknowledged].sort(), "read in parts while it grew");
  const whole = vault.readLedger({});
  assert.deepEqual(whole.problems, []);
  assert.deepEqual(whole.events.map((event) => event.id).sort(), [...acknowledged].sort());
  assert.equal(foldCounters(whole.events).uses, 16_000);
  const [file = "", ...others] = namesIn(home, "ledger");
  assert.deepEqual(others, [], "one machine, one month, one file");
  const lines = readFileSync(join(home, "ledger", file), "utf8").split("\n");
  assert.equal(lines.filter((line) => line !== "").length, 16_000);
});

test("C10 a clock that goes back, and a month that ends between two events, lose nothing", async () => {
  const { home, vault } = openStage();
  const folder = temporaryFolder();
  const clocks = ["2026-02-28T23:59:59.990Z", "2026-01-31T23:59:59.995Z", "1970-01-01T00:00:00.000Z"];
  for (const [i, clock] of clocks.entries())
    await write(home, join(folder, `w${i}`), 20, `w${i}`, String(Date.parse(clock)));
  assert.deepEqual(
    namesIn(home, "ledger").map((name) => name.slice(-14, -7)),
    ["1970-01", "2026-01", "2026-02", "2026-03"],
  );
  const read = vault.readLedger({});
  assert.deepEqual(read.problems, []);
  assert.equal(new Set(read.events.map((event) => event.id)).size, 60);
  assert.match(foldCounters(read.events).lastUsedAt ?? "", /^2026-03-01T00:00:00\.0/);
});
