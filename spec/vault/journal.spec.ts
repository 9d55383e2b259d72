import assert from "node:assert/strict";
import { readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createContext } from "../../lib/core/context.ts";
import type { Claim } from "../../lib/schema/claim.ts";
import { appendLine, endsWithLine } from "../../lib/vault/journal.ts";
import { createLayout } from "../../lib/vault/layout.ts";
import { once } from "../../lib/vault/once.ts";
import { blankSecondCopy } from "../../lib/vault/second-copy.ts";
import { temporaryFolder, writeTree } from "../support/home.ts";

const LINE = "promote   a — seen twice ^0123456789abcdef";
const CLAIM: Claim = {
  id: "0123456789abcdef",
  seq: 1,
  fingerprint: "*",
  name: "a",
  token: ".a.1.tmp-1-0123456789ab",
  base: null,
  next: null,
  at: "2026-01-01T00:00:00.000Z",
  steps: [],
};

function makeStage(files: Record<string, string>) {
  const home = temporaryFolder();
  writeTree(home, { "local/commit/universal/a.1": "{}", ...files });
  const room = { layout: createLayout(home), machine: "m-1", context: createContext() };
  const { journal } = room.layout;
  const finish = () =>
    once(room, CLAIM, "journal", {
      file: journal,
      text: LINE,
      stands: () => endsWithLine(journal, LINE),
      write: () => appendLine(journal, LINE),
    });
  return { home, finish, read: () => readFileSync(journal, "utf8") };
}

test("S2.29 a line is written once by however many, and after a person's text without a line end", () => {
  const { finish, read } = makeStage({ "LIBRARIAN.md": "### by hand" });
  finish();
  finish();
  finish();
  assert.equal(read(), `### by hand\n${LINE}\n`);
});

test("S2.29 a line whose writer was killed between mark and write is written by the next one", () => {
  const { home, finish, read } = makeStage({ "local/commit/universal/a.1.journal": "" });
  utimesSync(join(home, "local/commit/universal/a.1.journal"), 0, Date.now() / 1_000 - 60);
  finish();
  finish();
  assert.equal(read(), `${LINE}\n`);
});

test("S2.29 a process that wakes when the claim is over writes nothing and leaves no mark", () => {
  for (const over of ["a.1.done", "a.2"]) {
    const { home, finish } = makeStage({ [`local/commit/universal/${over}`]: "", "LIBRARIAN.md": "other\n" });
    finish();
    assert.equal(readFileSync(join(home, "LIBRARIAN.md"), "utf8"), "other\n");
    assert.throws(() => readFileSync(join(home, "local/commit/universal/a.1.journal")));
  }
});

test("S2.29 a line that only holds another as its beginning is another line", () => {
  const { finish, read } = makeStage({ "LIBRARIAN.md": `${LINE}0\n` });
  finish();
  assert.equal(read(), `${LINE}0\n${LINE}\n`);
});

test("S2.29 only the end of a long journal is read", () => {
  const { home } = makeStage({});
  const journal = join(home, "LIBRARIAN.md");
  writeFileSync(journal, `${LINE}\n${"x".repeat(299)}\n`.repeat(1_000));
  appendLine(journal, "last");
  assert.ok(endsWithLine(journal, "last"));
  assert.ok(readFileSync(journal, "utf8").endsWith(`${"x".repeat(299)}\nlast\n`));
});

test("S2.29 of two equal lines the later one is blanked, also by several who look at once, and others stay", () => {
  const { home } = makeStage({});
  const journal = join(home, "LIBRARIAN.md");
  writeFileSync(journal, `${LINE}\n${LINE}0\nx${LINE}\n`);
  assert.equal(
    blankSecondCopy(journal, LINE, 262_144),
    false,
    "neither as a beginning nor as an end of another line",
  );
  writeFileSync(journal, `${LINE}\nbetween\n${LINE}\nafter\n`);
  assert.equal(blankSecondCopy(journal, LINE, 262_144), true);
  assert.equal(blankSecondCopy(journal, LINE, 262_144), false);
  assert.equal(
    readFileSync(journal, "utf8"),
    `${LINE}\nbetween\n${" ".repeat(Buffer.byteLength(LINE))}\nafter\n`,
  );
});
