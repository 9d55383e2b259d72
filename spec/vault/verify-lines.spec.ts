import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { writeTree } from "../support/home.ts";
import { canonFile } from "../support/library.ts";
import { age, edit, eventLine, finds, LEDGER, makeHome, write } from "./verify-stage.ts";

const whole = await makeHome();

test("trust 4a skills and candidates that cannot be read are named with their diagnostics, and others are not touched by it", async () => {
  await finds(
    whole,
    (home) =>
      writeTree(home, { "universal/quarantine/a.md": "", "universal/archive/b.md": "no frontmatter\n" }),
    [
      "problem universal/archive/b.md:1 FRONTMATTER_MISSING",
      "problem universal/quarantine/a.md:1 FILE_EMPTY",
    ],
    /mend the file/,
  );
  await finds(
    whole,
    write("universal/canon/other.md", canonFile("another")),
    ["note universal/canon/other.md:1 NAME_MISMATCH"],
    /calls itself another/,
  );
  await finds(
    whole,
    write("universal/candidates/x.md", "no frontmatter\n"),
    ["problem universal/candidates/x.md:1 FRONTMATTER_MISSING"],
    /mend the file/,
  );
  await finds(
    whole,
    (home) => writeTree(home, { "universal/canon/notes.txt": "x", "universal/candidates/notes.txt": "x" }),
    ["note universal/candidates/notes.txt:1 FILE_FOREIGN", "note universal/canon/notes.txt:1 FILE_FOREIGN"],
    /nothing reads it/,
  );
});

test("trust 4a conflict markers of git are named in skills, ledger and journal; inside a fence they may be meant", async () => {
  const conflict = "<<<<<<< ours\none\n=======\ntwo\n>>>>>>> theirs\n";
  await finds(
    whole,
    write("universal/canon/merged.md", canonFile("merged", {}, `Text.\n\n${conflict}`)),
    ["problem universal/canon/merged.md:32 CONFLICT_MARKERS"],
    /both sides of a merge stand in the file/,
  );
  await finds(
    whole,
    write("universal/canon/merged.md", canonFile("merged", {}, `Text.\n\n\`\`\`\n${conflict}\`\`\``)),
    ["note universal/canon/merged.md:33 CONFLICT_MARKERS"],
    /inside a fence/,
  );
  await finds(
    whole,
    (home) =>
      appendFileSync(join(home, LEDGER), `<<<<<<< ours\n${eventLine("e3")}\n=======\n>>>>>>> theirs\n`),
    [5, 7, 8].map((line) => `problem ${LEDGER}:${line} CONFLICT_MARKERS`),
    /keep the lines of both sides/,
  );
  await finds(
    whole,
    (home) => appendFileSync(join(home, "LIBRARIAN.md"), conflict),
    ["problem LIBRARIAN.md:3 CONFLICT_MARKERS", "problem LIBRARIAN.md:7 CONFLICT_MARKERS"],
    /stands in LIBRARIAN\.md/,
  );
});

test("S1.18 each ledger line that is torn, no event, too long or without an end is named by its number", async () => {
  const long = eventLine("e3", `,"notes":"${"x".repeat(5_000)}"`);
  for (const [text, line, severity, code, says] of [
    ['{"id":"e3","ts":"2026-01-0\n', 5, "problem", "LEDGER_LINE_TORN", /breaks off after 26 characters/],
    ['{"id":"e3","ts":"2026-01-0', 5, "problem", "LEDGER_LINE_TORN", /breaks off after 26 characters/],
    ["word\n", 5, "problem", "LEDGER_LINE_BAD", /The line is not JSON\./],
    ["[]\n", 5, "problem", "LEDGER_LINE_BAD", /The line is not a JSON object\./],
    [
      '{"ts":"2026-01-02T03:04:05Z","event":"win"}\n',
      5,
      "problem",
      "LEDGER_LINE_BAD",
      /The line has no id\./,
    ],
    [`${"\0".repeat(512)}\n`, 5, "problem", "LEDGER_LINE_BAD", /NUL bytes, as a power cut leaves them/],
    [`${"x".repeat(1_048_577)}\n`, 5, "problem", "LEDGER_LINE_BAD", /longer than 1 MiB/],
    [`${long}\n`, 5, "note", "LEDGER_LINE_LONG", /has 5074 bytes; Canonry writes 4096 at most/],
    [eventLine("e3"), 5, "note", "LEDGER_LINE_OPEN", /no newline at its end/],
    [`${eventLine("e3", ',"event":"of-a-later-version"')}\n`, 0, "", "", /^$/],
  ] as const)
    await finds(
      whole,
      (home) => {
        appendFileSync(join(home, LEDGER), text);
        age(join(home, LEDGER));
      },
      line === 0 ? [] : [`${severity} ${LEDGER}:${line} ${code}`],
      says,
    );
  await finds(
    whole,
    write("gate/m-1.ndjson", '{"verdict":"pass"}\n{"verdict":\n7\n'),
    ["problem gate/m-1.ndjson:2 LEDGER_LINE_TORN", "problem gate/m-1.ndjson:3 LEDGER_LINE_BAD"],
    /is not a JSON object/,
  );
  await finds(
    whole,
    write("ledger/m-1-2026-01 (copy).ndjson", `${eventLine("e9")}\n`),
    ["problem ledger/m-1-2026-01 (copy).ndjson:1 LEDGER_FILE_NAME"],
    /nothing in it counts/,
  );
});

test("S1.18 an append that may be under way is no torn line, and no healthy one: a note says that nobody can judge it yet", async () => {
  await finds(
    whole,
    (home) => appendFileSync(join(home, LEDGER), '{"id":"e3",'),
    [`note ${LEDGER}:5 LEDGER_LINE_OPEN`],
    /breaks off after 11 characters, .* may be under way, or was cut off\. → verify once more in a few seconds/,
  );
  await finds(
    whole,
    (home) => appendFileSync(join(home, LEDGER), eventLine("e3")),
    [`note ${LEDGER}:5 LEDGER_LINE_OPEN`],
    /no newline at its end/,
  );
});

test("S1.18 an event that stands twice in the vault is a note, two events of one id are a problem", async () => {
  const other = "ledger/m-2-2026-01.ndjson";
  await finds(
    whole,
    write(other, `${eventLine("e4")}\n${eventLine("e1")}\n`),
    [`note ${other}:2 LEDGER_ID_TWICE`],
    /The same event as .*m-1-2026-01\.ndjson:2; it counts once/,
  );
  await finds(
    whole,
    write(other, `${eventLine("e1", ',"skill":"another"')}\n`),
    [`problem ${other}:1 LEDGER_ID_CLASH`],
    /only one of the two counts/,
  );
});

test("D1 a line of the journal that stands twice is a note, NUL bytes in it are a problem", async () => {
  await finds(
    whole,
    edit("LIBRARIAN.md", (text) => `${text}${text.split("\n")[0]}\n`),
    ["note LIBRARIAN.md:3 JOURNAL_LINE_TWICE"],
    /The same line as LIBRARIAN\.md:1/,
  );
  await finds(
    whole,
    (home) => appendFileSync(join(home, "LIBRARIAN.md"), "\0\0\0\n"),
    ["problem LIBRARIAN.md:3 FILE_HAS_NUL"],
    /as a power cut leaves them/,
  );
});

test("C10 events that a merge glued together on one line are each looked at, and are no fault", async () => {
  const glue = (home: string) =>
    appendFileSync(join(home, LEDGER), `${eventLine("g1")}${eventLine("g2")}\n${eventLine("g2")}\n`);
  await finds(whole, glue, [`note ${LEDGER}:6 LEDGER_ID_TWICE`], /counts once/);
});
