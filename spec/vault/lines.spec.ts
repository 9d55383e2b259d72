import assert from "node:assert/strict";
import fs, { appendFileSync, closeSync, openSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { createContext } from "../../lib/core/context.ts";
import { createLayout } from "../../lib/vault/layout.ts";
import { readLedger } from "../../lib/vault/ledger.ts";
import { readLines } from "../../lib/vault/lines.ts";
import { checkLedger } from "../../lib/vault/verify/ledger.ts";
import { createScene } from "../../lib/vault/verify/scene.ts";
import { temporaryFolder, writeTree } from "../support/home.ts";
import { age, eventLine, LEDGER } from "./verify-stage.ts";

/** An event whose line has that many bytes, without its newline. */
function lineOf(id: string, bytes: number): string {
  const bare = eventLine(id, ',"notes":""').length;
  return eventLine(id, `,"notes":"${"x".repeat(bytes - bare)}"`);
}

/** Does something once the end of a file was read, and before anybody has judged what stands there. */
function whileAtItsEnd<T>(act: () => void, look: () => T): T {
  const { readSync } = fs;
  let ends = 0;
  fs.readSync = ((...args: Parameters<typeof readSync>) => {
    const got = readSync(...args);
    // the first ends the last piece of the file, the second says that there is none after it
    if (got === 0 && ++ends === 2) act();
    return got;
  }) as typeof readSync;
  syncBuiltinESMExports();
  try {
    return look();
  } finally {
    fs.readSync = readSync;
    syncBuiltinESMExports();
  }
}

function bothOf(text: string): { counted: string[]; passedOver: number[]; called: string[] } {
  const home = temporaryFolder();
  writeTree(home, { [LEDGER]: text });
  age(join(home, LEDGER));
  const layout = createLayout(home);
  const read = readLedger({ layout, machine: "m", context: createContext() }, {});
  const found = [...checkLedger(createScene(layout, Date.now()), { ids: false })].flatMap((one) => one ?? []);
  return {
    counted: read.events.map((event) => event.id),
    passedOver: read.problems.map((problem) => problem.line ?? 0),
    called: found
      .filter((one) => one.code !== "LEDGER_LINE_LONG")
      .map((one) => `${one.line} ${one.code} ${one.message.includes("longer than 1 MiB")}`),
  };
}

test("S1.18 who reads the ledger and who verifies it pass over the same lines: those over 1 MiB, wherever they stand", () => {
  const MIB = 1_048_576;
  for (const before of [0, 1, 1_000, MIB - 10, MIB, MIB + 1])
    for (const [bytes, counts] of [
      [MIB - 1, true],
      [MIB, true],
      [MIB + 1, false],
      [MIB + MIB / 2, false],
      [2 * MIB - 1, false],
      [3 * MIB, false],
    ] as const) {
      const text = `${"\n".repeat(before)}${lineOf("long", bytes)}\n${eventLine("next")}\n`;
      const says = `${before} newlines, then ${bytes} bytes`;
      assert.deepEqual(
        bothOf(text),
        {
          counted: counts ? ["long", "next"] : ["next"],
          passedOver: counts ? [] : [before + 1],
          called: counts ? [] : [`${before + 1} LEDGER_LINE_BAD true`],
        },
        says,
      );
    }
});

test("S1.18 a line behind a byte order mark counts, and is no fault", () => {
  assert.deepEqual(bothOf(`\uFEFF${eventLine("one")}\r\n${eventLine("two")}\r\n`), {
    counted: ["one", "two"],
    passedOver: [],
    called: [],
  });
});

test("S1.18 each line comes with its offset, and reading goes on from any of them", () => {
  const file = join(temporaryFolder(), "lines");
  writeFileSync(file, "\none\n\nzwei \u00fc\nlast");
  const fd = openSync(file, "r");
  const all = [...readLines(fd)];
  assert.deepEqual(
    all.map((one) => [one.line, one.at, one.bytes, one.text, one.ended]),
    [
      [1, 0, 0, "", true],
      [2, 1, 3, "one", true],
      [3, 5, 0, "", true],
      [4, 6, 7, "zwei \u00fc", true],
      [5, 14, 4, "last", false],
    ],
  );
  for (const [i, { at }] of all.entries())
    assert.deepEqual(
      [...readLines(fd, at)].map((one) => one.text),
      all.slice(i).map((one) => one.text),
    );
  assert.deepEqual(
    [...readLines(fd, 1, 5)].map((one) => one.text),
    ["one"],
  );
  closeSync(fd);
});

test("S1.18 an append that comes to its end while the file is looked at is no fault, a second one after a torn line is", () => {
  for (const [rest, called] of [
    ['"ts":"2026-01-02T03:04:05.000Z","event":"win"}\n', []],
    [`\n${eventLine("two")}\n`, ["2 LEDGER_LINE_TORN"]],
    ["", ["2 LEDGER_LINE_OPEN"]],
  ] as const) {
    const home = temporaryFolder();
    writeTree(home, { [LEDGER]: `${eventLine("one")}\n{"id":"e3",` });
    const found = whileAtItsEnd(
      () => appendFileSync(join(home, LEDGER), rest),
      () => [...checkLedger(createScene(createLayout(home), Date.now()), { ids: true })],
    );
    assert.deepEqual(
      found.flatMap((one) => (one === undefined ? [] : [`${one.line} ${one.code}`])),
      called,
    );
  }
});
