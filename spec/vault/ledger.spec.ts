import assert from "node:assert/strict";
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { foldCounters } from "../../lib/schema/counters.ts";
import type { NewEvent } from "../../lib/schema/ledger-event.ts";
import { baselineEvents } from "../../lib/vault/baseline.ts";
import { writeTree } from "../support/home.ts";
import { namesIn, openStage } from "./stage.ts";

const at = (time: string) => ({ clock: () => Date.parse(time) });
const line = (id: string, more = "") =>
  `{"id":"${id}","ts":"2026-01-02T03:04:05.000Z","event":"hydrated"${more}}`;
const ids = (read: { events: readonly { id: string }[] }) => read.events.map((event) => event.id);

test("S1.18 an event is one line of the machine's file of the month, between newlines, and nothing before it changes", () => {
  const { home, vault } = openStage(at("2026-02-28T23:59:59.000Z"));
  const first = vault.append({
    event: "hydrated",
    skill: "a",
    fingerprint: "*",
    run_id: "r",
    wave: 2,
    agent: "a1",
    version: 3,
  });
  const file = join(home, "ledger", `${vault.machine}-2026-02.ndjson`);
  const before = readFileSync(file, "utf8");
  assert.equal(before, `\n${JSON.stringify(first)}\n`);
  assert.deepEqual(Object.keys(first ?? {}), [
    "id",
    "ts",
    "run_id",
    "wave",
    "agent",
    "fingerprint",
    "skill",
    "version",
    "model",
    "event",
    "value",
    "notes",
  ]);
  assert.equal(first?.ts, "2026-02-28T23:59:59.000Z");
  vault.append({ event: "win", run_id: "r" });
  assert.ok(readFileSync(file, "utf8").startsWith(before));
});

test("S1.18 a line of more than 4,096 bytes is refused, one of 4,096 is written", () => {
  const { vault } = openStage();
  const empty = vault.append({ event: "exposed" });
  const room = 4_096 - 2 - Buffer.byteLength(JSON.stringify(empty));
  assert.equal(vault.append({ event: "exposed", skill: "x".repeat(room) })?.skill.length, room);
  assert.throws(() => vault.append({ event: "exposed", skill: "x".repeat(room + 1) }), {
    code: "CANONRY_INVALID_RECORD",
  });
  assert.throws(() => vault.append({ event: "exposed", notes: "x".repeat(201) } as unknown as NewEvent), {
    code: "CANONRY_INVALID_RECORD",
  });
  assert.equal(vault.readLedger({}).problems.length, 0);
});

test("C10 reading goes on where it stopped, and what was read is not read again", () => {
  const { vault } = openStage();
  vault.append({ event: "hydrated", skill: "a" });
  const first = vault.readLedger({});
  assert.equal(first.events.length, 1);
  assert.deepEqual(vault.readLedger(first.offsets), {
    events: [],
    offsets: first.offsets,
    problems: [],
    reset: false,
  });
  vault.append({ event: "hydrated", skill: "b" });
  const second = vault.readLedger(JSON.parse(JSON.stringify(first.offsets)));
  assert.deepEqual(
    second.events.map((event) => event.skill),
    ["b"],
  );
});

test("C10 every cut of a ledger gives each whole line before it, once, and the rest after it is written", () => {
  const { home, vault } = openStage();
  const whole = `\n${line("one")}\n\n${line("two", ',"skill":"ü"')}\n`;
  const bytes = Buffer.from(whole);
  const file = join(home, "ledger", "m-2026-01.ndjson");
  mkdirSync(join(home, "ledger"));
  for (let cut = 0; cut <= bytes.length; cut++) {
    writeFileSync(file, bytes.subarray(0, cut));
    const first = vault.readLedger({});
    appendFileSync(file, bytes.subarray(cut));
    const second = vault.readLedger(first.offsets);
    assert.deepEqual([...ids(first), ...ids(second)], ["one", "two"], `cut at ${cut}`);
    assert.deepEqual([first.problems, second.problems, second.reset], [[], [], false], `cut at ${cut}`);
  }
});

test("C10 a torn tail of a killed process spoils no other line", () => {
  const { home, vault } = openStage();
  writeTree(home, { [`ledger/${vault.machine}-2026-01.ndjson`]: `${line("one")}\n{"id":"torn","ts":"20` });
  const { machine } = vault;
  const { vault: again } = { vault };
  appendFileSync(join(home, "ledger", `${machine}-2026-01.ndjson`), `\n${line("two")}\n`);
  const read = again.readLedger({});
  assert.deepEqual(ids(read), ["one", "two"]);
  assert.deepEqual(
    read.problems.map((problem) => [problem.line, problem.message]),
    [[2, "the line is not JSON; it was passed over"]],
  );
});

test("P9 NUL, half surrogates, wrong shapes and a line of 50 MB are named and spoil no neighbour", () => {
  const { home, vault } = openStage();
  const bad = [
    "\0",
    "[]",
    "null",
    '"text"',
    "{}",
    '{"id":"x"}',
    '{"id":"x","ts":"never","event":"win"}',
    '{"id":1,"ts":2,"event":3}',
    "\u001b[31m",
  ];
  const odd = [
    line("unknown").replace("hydrated", "from_the_future"),
    line("half", ',"skill":"\\ud800"'),
    line("proto", ',"__proto__":{"x":1}'),
  ];
  writeTree(home, {
    "ledger/m-2026-01.ndjson": [
      line("first"),
      ...bad,
      ...odd,
      `"${"x".repeat(50_000_000)}"`,
      line("last"),
      "",
    ].join("\n"),
  });
  const read = vault.readLedger({});
  assert.deepEqual(ids(read), ["first", "unknown", "half", "proto", "last"]);
  assert.equal(read.events[1]?.event, "from_the_future");
  assert.equal(read.events[2]?.skill, "\uFFFD");
  assert.equal(read.problems.length, bad.length + 1);
  assert.equal(read.problems.at(-1)?.message, "is a line over 1 MiB; it was passed over");
  assert.equal(read.problems.at(-1)?.line, 14);
  assert.equal("x" in {}, false);
});

test("C10 a file that shrank, went, or holds other text before the offset is read anew and said so", () => {
  const { home, vault } = openStage();
  const file = join(home, "ledger", "m-2026-01.ndjson");
  writeTree(home, {
    "ledger/m-2026-01.ndjson": `${line("one")}\n${line("two")}\n`,
    "ledger/n-2026-01.ndjson": `${line("three")}\n`,
  });
  const first = vault.readLedger({});
  assert.deepEqual(ids(first), ["one", "two", "three"]);
  truncateSync(file, line("one").length + 1);
  const shrunk = vault.readLedger(first.offsets);
  assert.deepEqual([shrunk.reset, ids(shrunk)], [true, ["one", "three"]]);
  writeFileSync(file, `${line("zero")}\n${line("one")}\n${line("two")}\n`);
  const merged = vault.readLedger(first.offsets);
  assert.deepEqual([merged.reset, ids(merged)], [true, ["zero", "one", "two", "three"]]);
  rmSync(file);
  const gone = vault.readLedger(first.offsets);
  assert.deepEqual([gone.reset, ids(gone)], [true, ["three"]]);
});

test("B110 a ledger that is a link or a folder is named, and the others are read", () => {
  const { home, vault } = openStage();
  writeTree(home, {
    "ledger/m-2026-01.ndjson": `${line("one")}\n`,
    "ledger/folder-2026-01.ndjson/x": "",
    "ledger/notes.txt": "no ledger",
  });
  symlinkSync("/etc/passwd", join(home, "ledger", "link-2026-01.ndjson"));
  const read = vault.readLedger({});
  assert.deepEqual(ids(read), ["one"]);
  assert.deepEqual(
    read.problems.map((problem) => problem.file),
    ["folder", "link"].map((name) => join(home, "ledger", `${name}-2026-01.ndjson`)),
  );
  assert.equal(read.reset, false);
});

test("C60 two machines that take over one home write the same baseline, and it counts once", () => {
  const counters = {
    uses: 7,
    wins: 3,
    losses: 1,
    costSavedUsd: 0.5,
    lastUsedAt: "2026-01-02T03:04:05.000Z",
    lastWave: 4,
  };
  const none = { uses: 0, wins: 0, losses: 0, costSavedUsd: 0, lastUsedAt: null, lastWave: null };
  const records = [
    { fingerprint: "0123456789ab", name: "a", counters },
    { fingerprint: "0123456789ab", name: "unused", counters: none },
  ];
  const [one] = baselineEvents(records);
  assert.deepEqual(baselineEvents(records), [one], "the same line, and none for what was never used");
  assert.match(one?.id ?? "", /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  const { home, vault } = openStage();
  assert.equal(vault.appendBaselines(records), 1);
  assert.equal(vault.appendBaselines(records), 1);
  assert.equal(namesIn(home, "ledger").length, 1);
  assert.deepEqual(foldCounters(vault.readLedger({}).events), counters);
  const [other] = baselineEvents([{ fingerprint: "0123456789ab", name: "b", counters }]);
  assert.notEqual(other?.id, one?.id);
});
