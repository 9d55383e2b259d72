import assert from "node:assert/strict";
import type { LedgerEvent } from "../../schema/ledger-event.ts";
import type { Row } from "../../schema/row.ts";
import type { IndexDriver } from "../driver.ts";
import type { Case } from "./case.ts";
import { putAll, sampleEvent, samplePut, sampleRow } from "./samples.ts";

const ALPHA = sampleRow("alpha");

async function countersOf(driver: IndexDriver, row: Row = ALPHA): Promise<unknown> {
  return (await driver.get(row))?.counters;
}

const NOBODY = { uses: 0, wins: 0, losses: 0, costSavedUsd: 0, lastUsedAt: null, lastWave: null };

export const COUNTERS: readonly Case[] = [
  {
    title:
      "S1.11 S2.3 uses, last use and wave come from hydrations, wins and losses from runs, dollars from cost_saved",
    async run({ driver }) {
      await driver.apply({
        put: [samplePut("alpha")],
        events: [
          sampleEvent("id-001", "hydrated", { wave: 1 }),
          sampleEvent("id-002", "hydrated", { wave: 2, ts: "2026-03-01T00:00:00.000Z" }),
          sampleEvent("id-003", "win", { run_id: "run-1" }),
          sampleEvent("id-004", "loss", { run_id: "run-2" }),
          sampleEvent("id-005", "cost_saved", { value: 0.25 }),
          sampleEvent("id-006", "something_new"),
          sampleEvent("id-007", "hydrated", { skill: "" }),
        ],
      });
      assert.deepEqual(await countersOf(driver), {
        uses: 2,
        wins: 1,
        losses: 1,
        costSavedUsd: 0.25,
        lastUsedAt: "2026-03-01T00:00:00.000Z",
        lastWave: 2,
      });
    },
  },
  {
    title: "C12 C11 a run counts once a skill, by its last verdict, and a trial's verdict does not count",
    async run({ driver }) {
      const verdict = (id: string, event: string, over: Partial<LedgerEvent> = {}) =>
        sampleEvent(id, event, over);
      await driver.apply({
        put: [samplePut("alpha")],
        events: [
          verdict("id-003", "win"),
          verdict("id-001", "win"),
          verdict("id-002", "loss"),
          verdict("id-004", "win", { source: "ab", run_id: "run-9" }),
          verdict("id-005", "loss", { run_id: "" }),
          verdict("id-006", "loss", { run_id: "" }),
        ],
      });
      assert.deepEqual(await countersOf(driver), { ...NOBODY, wins: 1, losses: 2 });
    },
  },
  {
    title: "design 2: an event counts once however often it comes, in one batch or in many",
    async run({ driver }) {
      const event = sampleEvent("id-001", "hydrated");
      await driver.apply({ put: [samplePut("alpha")], events: [event, event] });
      await driver.apply({ events: [{ ...event, wave: 9 }] });
      assert.deepEqual(await countersOf(driver), { ...NOBODY, uses: 1, lastUsedAt: event.ts, lastWave: 1 });
    },
  },
  {
    title: "C5 events are counted by fingerprint and name: the same name elsewhere is not moved",
    async run({ driver }) {
      const other = sampleRow("alpha", { place: "0123456789ab", fingerprint: "0123456789ab" });
      await driver.apply({
        put: [samplePut("alpha"), { row: other }],
        events: [sampleEvent("id-001", "hydrated", { fingerprint: "0123456789ab" })],
      });
      assert.deepEqual(await countersOf(driver), NOBODY);
      assert.equal((await driver.get(other))?.counters.uses, 1);
    },
  },
  {
    title:
      "C10 counters are the same whether rows or events come first, stay through a put, and follow a rename",
    async run({ driver }) {
      await driver.apply({
        events: [
          sampleEvent("id-001", "hydrated"),
          sampleEvent("id-002", "hydrated", { skill: "beta" }),
          sampleEvent("id-003", "hydrated", { skill: "beta" }),
        ],
      });
      await putAll(driver, samplePut("alpha"));
      assert.equal((await driver.get(ALPHA))?.counters.uses, 1);
      await putAll(driver, samplePut("alpha", { version: 2 }));
      assert.equal((await driver.get(ALPHA))?.counters.uses, 1);
      await putAll(driver, samplePut("beta", { path: ALPHA.path }));
      assert.equal((await driver.get(ALPHA))?.counters.uses, 2);
      await putAll(driver, samplePut("gamma", { path: ALPHA.path }));
      assert.deepEqual(await countersOf(driver), NOBODY);
    },
  },
  {
    title: "C60 the oldest baseline is what counters add to",
    async run({ driver }) {
      const baseline = {
        uses: 10,
        wins: 4,
        losses: 3,
        cost_saved_usd: 1.5,
        last_used_at: "2025-12-01T00:00:00.000Z",
        last_wave: 8,
      };
      await driver.apply({
        put: [samplePut("alpha")],
        events: [
          sampleEvent("id-002", "hydrated"),
          sampleEvent("id-001", "baseline", { baseline }),
          sampleEvent("id-003", "baseline", { baseline: { ...baseline, uses: 99 } }),
          sampleEvent("id-004", "cost_saved", { value: 0.1 }),
          sampleEvent("id-005", "cost_saved", { value: 0.2 }),
        ],
      });
      assert.deepEqual(await countersOf(driver), {
        uses: 11,
        wins: 4,
        losses: 3,
        costSavedUsd: 1.8,
        lastUsedAt: "2026-02-01T00:00:00.002Z",
        lastWave: 1,
      });
    },
  },
  {
    title: "C10 P1 a ledger read from its start again counts only what it holds now",
    async run({ driver }) {
      await driver.apply({
        put: [samplePut("alpha")],
        events: [sampleEvent("id-001", "hydrated"), sampleEvent("id-002", "win")],
      });
      await driver.apply({ forgetEvents: true, events: [sampleEvent("id-001", "win")] });
      assert.deepEqual(await countersOf(driver), { ...NOBODY, wins: 1 });
      await driver.apply({ forgetEvents: true });
      assert.deepEqual(await countersOf(driver), NOBODY);
    },
  },
];
