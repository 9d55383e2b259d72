import assert from "node:assert/strict";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { createContext } from "../core/context.ts";
import type { Bench, Case, DriverUnderTest } from "./conformance/case.ts";
import { COMPARISONS } from "./conformance/comparisons.ts";
import { COUNTERS } from "./conformance/counters.ts";
import { FILTERINGS } from "./conformance/filters.ts";
import { FULL_TEXT } from "./conformance/full-text.ts";
import { LIFECYCLE } from "./conformance/lifecycle.ts";
import { READS } from "./conformance/reads.ts";
import { WRITES } from "./conformance/writes.ts";
import type { DriverOptions, IndexDriver } from "./driver.ts";

export type { DriverUnderTest } from "./conformance/case.ts";

const CASES: readonly Case[] = [
  ...READS,
  ...FILTERINGS,
  ...FULL_TEXT,
  ...COMPARISONS,
  ...WRITES,
  ...COUNTERS,
  ...LIFECYCLE,
];

/**
 * Registers, with node:test, every case that a driver of `IndexDriver` must pass. A driver states what it has; cases
 * that need more are passed over, and a driver that says otherwise of itself fails.
 */
export function runDriverConformance(driver: DriverUnderTest): void {
  describe(`driver ${driver.name}`, () => {
    test("design 4: the driver says of itself what it is said to have", () =>
      onBench(driver, async ({ driver: open, folder, open: openMore }) => {
        assert.deepEqual({ ...open.supports }, { fullText: driver.fullText, persistent: false });
        assert.notEqual(open.name, "");
        assert.match(open.engine, /\d/);
        const kept = await openMore({ dsn: join(folder, "index") });
        assert.equal(kept.supports.persistent, driver.persistent);
      }));
    for (const { title, needs, run } of CASES) {
      const skip = needs !== undefined && !driver[needs] ? `the driver has no ${needs}` : false;
      test(title, { skip }, () => onBench(driver, run));
    }
  });
}

async function onBench(
  { open, engine }: DriverUnderTest,
  run: (bench: Bench) => Promise<void>,
): Promise<void> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "canonry-driver-")));
  const opened: IndexDriver[] = [];
  const openOne = async (options: Partial<DriverOptions> = {}) => {
    const made = await open({ vaultId: "vault-under-test", engine, context: createContext(), ...options });
    opened.push(made);
    return made;
  };
  try {
    await run({ driver: await openOne(), folder, open: openOne });
  } finally {
    for (const made of opened) await made.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
