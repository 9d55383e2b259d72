import assert from "node:assert/strict";
import { test } from "node:test";
import { isCanonryError } from "../../lib/core/errors.ts";
import candidate from "../../lib/markdown/candidate.ts";
import { CANDIDATE_SECTIONS, missingSections } from "../../lib/markdown/sections.ts";
import type { Candidate } from "../../lib/schema/candidate.ts";

const RECORD: Candidate = {
  kind: "tool-recipe",
  proposedBy: "thinking-wave-2",
  wave: 2,
  runId: "run-2026-04-19T23-00-00Z",
  trigger: "fix failed after silent tsc error",
  status: "new",
  createdAt: "2026-04-19T23:04:12Z",
  body: "# Rerun\n\nOne sentence.\n\n## When to apply\n\nNow.\n\n## Steps / approach\n\n1. Run.\n\n## Caveats\n\nNone.\n",
};

const TEXT = `---
kind: "tool-recipe"
proposed_by: "thinking-wave-2"
wave: 2
run_id: "run-2026-04-19T23-00-00Z"
trigger: "fix failed after silent tsc error"
status: "new"
created_at: "2026-04-19T23:04:12Z"
---
${RECORD.body}`;

const invalid = (error: unknown) => isCanonryError(error, "CANONRY_INVALID_RECORD");

test("S1.2 a candidate has exactly seven keys", () => {
  assert.equal(candidate.serialise(RECORD), TEXT);
  const { record, diagnostics } = candidate.parse(TEXT, { file: "c.md" });
  assert.deepEqual(record, RECORD);
  assert.deepEqual(diagnostics, []);
});

test("S1.2 an eighth key is a warning on reading and cannot be written", () => {
  const text = TEXT.replace("wave: 2\n", "wave: 2\nmood: good\n");
  const { record, diagnostics } = candidate.parse(text, { file: "c.md" });
  assert.deepEqual(record, RECORD);
  assert.deepEqual(
    diagnostics.map((one) => [one.code, one.line, one.severity]),
    [["FIELD_UNKNOWN", 5, "warning"]],
  );
  assert.throws(() => candidate.serialise({ ...RECORD, mood: "good" } as Candidate), invalid);
});

test("S1.2 kind, wave, proposer and a trigger of one line and 120 characters are held to their rules", () => {
  candidate.serialise({ ...RECORD, wave: 0, trigger: "t".repeat(120) });
  for (const change of [
    { kind: "spell" },
    { wave: -1 },
    { wave: 1.5 },
    { proposedBy: "a b" },
    { trigger: "t".repeat(121) },
    { trigger: "a\nb" },
  ]) {
    assert.throws(
      () => candidate.serialise({ ...RECORD, ...change } as Candidate),
      invalid,
      JSON.stringify(change),
    );
  }
});

test("S1.3 a body has a heading and three sections; what is missing is named", async () => {
  assert.deepEqual(
    missingSections(await candidate.parse(TEXT, { file: "c.md" }).outline(), CANDIDATE_SECTIONS),
    [],
  );
  const poor = candidate.parse(TEXT.replace("# Rerun\n", "").replace("## Caveats", "## Notes"), {
    file: "c.md",
  });
  assert.deepEqual(missingSections(await poor.outline(), CANDIDATE_SECTIONS), ["#", "Caveats"]);
  assert.deepEqual(
    poor.diagnostics.map((one) => one.code),
    ["BODY_HEADING_MISSING"],
  );
});

test("S1.4 a body of 5,120 bytes is written and one of 5,121 refused, in UTF-8 bytes and without the frontmatter", () => {
  const full = { ...RECORD, body: `# T\n${"x".repeat(5_116)}` };
  assert.ok(candidate.serialise(full).length > 5_120);
  assert.throws(() => candidate.serialise({ ...full, body: `${full.body}x` }), /5121 bytes, at most 5120/);
  assert.throws(() => candidate.serialise({ ...full, body: `# T\n${"部".repeat(1_706)}` }), /5122 bytes/);
});

test("C1 an oversize body is read whole and named, not cut", () => {
  const { record, diagnostics } = candidate.parse(`${TEXT}${"x".repeat(6_000)}`, { file: "c.md" });
  assert.equal(record?.body.length, RECORD.body.length + 6_000);
  assert.deepEqual(
    diagnostics.map((one) => [one.code, one.line]),
    [["FIELD_TOO_LONG", 10]],
  );
});

test("S1.2 the librarian's change of status touches that line only", () => {
  assert.equal(
    candidate.serialise({ ...RECORD, status: "promoted" }, TEXT),
    TEXT.replace('status: "new"', 'status: "promoted"'),
  );
});
