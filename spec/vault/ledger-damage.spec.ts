import assert from "node:assert/strict";
import { readFileSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createContext } from "../../lib/core/context.ts";
import { completeEvent, endsWithEvent } from "../../lib/vault/ledger.ts";
import { writeTree } from "../support/home.ts";
import { namesIn, openStage } from "./stage.ts";

const line = (id: string, more = "") =>
  `{"id":"${id}","ts":"2026-01-02T03:04:05.000Z","event":"hydrated"${more}}`;
const ids = (read: { events: readonly { id: string }[] }) => read.events.map((event) => event.id);

test("C10 events of years that no month can name are kept and read all the same", () => {
  const { home, vault } = openStage();
  for (const ts of [
    "+010000-01-01T00:00:00.000Z",
    "-000001-06-01T00:00:00.000Z",
    "0001-01-01T00:00:00.000Z",
  ]) {
    const event = vault.append({ event: "hydrated" });
    assert.ok(event !== undefined);
    vault.appendPast([{ ...event, id: `past ${ts}`, ts }]);
  }
  assert.equal(vault.readLedger({}).events.length, 6);
  assert.equal(namesIn(home, "ledger").length, 3);
});

test("C10 two lines on one, as git's union leaves them where a file did not end with a newline, are two events", () => {
  const { home, vault } = openStage();
  const glued = `${line("one")}${line("two", ',"notes":"a \\"{\\\\\\"id\\\\\\":\\" b"')}`;
  const torn = `{"id":"torn","ts":"20${line("three")}`;
  writeTree(home, { "ledger/m-2026-01.ndjson": `${glued}\r\n${torn}\n${line("four")}\n` });
  const read = vault.readLedger({});
  assert.deepEqual(ids(read), ["one", "two", "three", "four"]);
  assert.equal(read.events[1]?.notes, 'a "{\\"id\\":" b');
  assert.deepEqual(
    read.problems.map((problem) => [problem.line, problem.message]),
    [[2, "the line is not JSON; it was passed over"]],
  );
});

test("C10 a line with a thousand records is damage, not a merge, and costs one word", () => {
  const { home, vault } = openStage();
  writeTree(home, { "ledger/m-2026-01.ndjson": `${'{"id":'.repeat(100_000)}\n${line("next")}\n` });
  const read = vault.readLedger({});
  assert.deepEqual([ids(read), read.problems.length], [["next"], 1]);
});

test("P2 a torn line that holds an event's id is not taken for the event", () => {
  const { home, vault } = openStage();
  const room = { layout: vault.layout, machine: vault.machine, context: createContext() };
  const event = { ...completeEvent({ event: "promoted" }, room), ts: "2026-01-02T03:04:05.000Z" };
  const file = `ledger/${vault.machine}-2026-01.ndjson`;
  const whole = JSON.stringify(event);
  for (const [text, stands] of [
    [`\n${whole.slice(0, 90)}`, false],
    [`\n${whole}`, false],
    [`\n${whole.slice(0, 90)}\n`, false],
    [`\n${whole}\n`, true],
    [`{"id":"torn","ts":"20${whole}\n`, true],
  ] as const) {
    writeTree(home, { [file]: text });
    assert.equal(endsWithEvent(room, event), stands, JSON.stringify(text));
  }
});

test("C60 the counters of a home without a ledger are written all at once: no kill leaves some of them", () => {
  const { home, vault } = openStage();
  const none = { losses: 0, costSavedUsd: 0, lastUsedAt: null, lastWave: null };
  const records = [1, 2, 3].map((uses) => ({
    fingerprint: "*",
    name: `s${uses}`,
    counters: { ...none, uses, wins: 0 },
  }));
  vault.appendBaselines(records);
  const [name = ""] = namesIn(home, "ledger");
  const text = readFileSync(join(home, "ledger", name), "utf8");
  assert.equal(text.split("\n").filter((one) => one !== "").length, 3);
  // as it would be had a process been killed in the middle of appending them one by one
  truncateSync(join(home, "ledger", name), text.indexOf("\n", 1) + 1);
  assert.equal(vault.readLedger({}).events.length, 1);
  vault.appendBaselines(records);
  assert.equal(vault.readLedger({}).events.length, 3);
  assert.equal(new Set(ids(vault.readLedger({}))).size, 3);
});

test("C10 an offset that is no number is as good as none", () => {
  const { home, vault } = openStage();
  writeTree(home, { "ledger/m-2026-01.ndjson": `${line("one")}\n` });
  for (const offset of ["x:1", "-1:x", "1.5:x", ""]) {
    const read = vault.readLedger({ "m-2026-01.ndjson": offset });
    assert.deepEqual([ids(read), read.problems], [["one"], []], offset);
  }
});
