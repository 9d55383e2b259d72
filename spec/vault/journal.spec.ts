import assert from "node:assert/strict";
import { readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { appendJournal } from "../../lib/vault/journal.ts";
import { temporaryFolder } from "../support/home.ts";

const LINE = "promote   a — seen twice ^0123456789abcdef";

function makeJournal(text?: string): { journal: string; marker: string; read: () => string } {
  const folder = temporaryFolder();
  const [journal, marker] = [join(folder, "LIBRARIAN.md"), join(folder, "a.1.journal")];
  if (text !== undefined) writeFileSync(journal, text);
  return { journal, marker, read: () => readFileSync(journal, "utf8") };
}

test("S2.29 a line is written once, with or without its marker, and after a person's text without a line end", () => {
  const { journal, marker, read } = makeJournal("### by hand");
  appendJournal(journal, LINE, marker);
  appendJournal(journal, LINE, marker);
  appendJournal(journal, LINE, `${marker}-swept`);
  assert.equal(read(), `### by hand\n${LINE}\n`);
});

test("S2.29 a line whose writer was killed between marker and write is written by the next one", () => {
  const { journal, marker, read } = makeJournal();
  writeFileSync(marker, "");
  utimesSync(marker, 0, Date.now() / 1_000 - 60);
  appendJournal(journal, LINE, marker);
  assert.equal(read(), `${LINE}\n`);
});

test("S2.29 a line that only holds another as its beginning is another line", () => {
  const { journal, marker, read } = makeJournal(`${LINE}0\n`);
  appendJournal(journal, LINE, marker);
  assert.equal(read(), `${LINE}0\n${LINE}\n`);
});
