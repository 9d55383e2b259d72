import assert from "node:assert/strict";
import { test } from "node:test";
import { isCanonryError } from "../../lib/core/errors.ts";
import { summaryOf } from "../../lib/core/text.ts";
import canon, { assertCanonFits, canonSizeVerdict } from "../../lib/markdown/canon.ts";
import { CANON_SECTIONS, missingSections } from "../../lib/markdown/sections.ts";
import { digestOf } from "../../lib/schema/digest.ts";
import type { SkillRecord } from "../../lib/schema/skill.ts";

const BODY =
  "# Rerun tsc\n\nIt helps.\n\n## When to apply\n\nStale.\n\n## Steps\n\n1. Run.\n\n## Caveats\n\nNone.\n";
const RECORD: SkillRecord = {
  name: "rerun-tsc",
  description: "Re-run tsc after cleaning dist/",
  version: 3,
  appliesTo: { fingerprint: "0123456789ab", languages: ["typescript", "tsx"], toolsets: ["*"] },
  requiresTools: ["git"],
  triggers: ["tsc", "stale build", "ghost files"],
  references: ["references/tsc.md"],
  createdAt: "2026-04-19T23:04:12.000Z",
  lastUsedAt: null,
  telemetry: { uses: 4, wins: 2, losses: 1, costSavedUsd: 0.25, lastWave: null },
  source: {
    candidateIds: ["a.md"],
    promotedBy: "librarian",
    promotedAt: "2026-04-20T00:00:00.000Z",
    patchedAt: null,
  },
  quarantined: false,
  body: BODY,
};

const TEXT = `---
name: "rerun-tsc"
description: "Re-run tsc after cleaning dist/"
version: 3
applies_to:
  repo_fingerprint: "0123456789ab"
  languages: ["typescript", "tsx"]
  toolsets: ["*"]
requires_tools: ["git"]
triggers: ["tsc", "stale build", "ghost files"]
references: ["references/tsc.md"]
created_at: "2026-04-19T23:04:12.000Z"
last_used_at: null
telemetry:
  uses: 4
  wins: 2
  losses: 1
  cost_saved_usd: 0.25
  last_wave: null
source:
  candidate_ids: ["a.md"]
  promoted_by: "librarian"
  promoted_at: "2026-04-20T00:00:00.000Z"
  patched_at: null
quarantined: false
---
${BODY}`;

const invalid = (error: unknown) => isCanonryError(error, "CANONRY_INVALID_RECORD");

test("S1.10 a canon file has the seed's keys, field for field and in its order", () => {
  assert.equal(canon.serialise(RECORD), TEXT);
  assert.deepEqual(canon.parse(TEXT, { file: "rerun-tsc.md" }).record, RECORD);
  assert.deepEqual(canon.parse(TEXT, { file: "rerun-tsc.md" }).diagnostics, []);
});

test("S1.10 three to ten triggers: two and eleven are refused on writing and named on reading", () => {
  for (const count of [2, 11]) {
    const triggers = Array.from({ length: count }, (_, at) => `t${at}`);
    assert.throws(() => canon.serialise({ ...RECORD, triggers }), invalid);
    const text = TEXT.replace('["tsc", "stale build", "ghost files"]', JSON.stringify(triggers));
    const { record, diagnostics } = canon.parse(text, { file: "x.md" });
    assert.equal(record?.triggers.length, count);
    assert.deepEqual(
      diagnostics.map((one) => [one.code, one.line]),
      [["FIELD_COUNT", 10]],
    );
  }
  for (const count of [3, 10]) canon.serialise({ ...RECORD, triggers: Array(count).fill("t") });
});

test("S1.10 a version from 1, a fingerprint of twelve hex digits or a star, times in ISO 8601", () => {
  for (const change of [
    { version: 0 },
    { version: 1.5 },
    { appliesTo: { ...RECORD.appliesTo, fingerprint: "0123456789AB" } },
    { createdAt: "last week" },
    { telemetry: { ...RECORD.telemetry, uses: -1 } },
  ]) {
    assert.throws(() => canon.serialise({ ...RECORD, ...change }), invalid, JSON.stringify(change));
  }
  assert.throws(() => canon.serialise({ ...RECORD, version: 0 }), {
    message: /version: [^;]*(?:>=|least|minimum|Invalid)/,
  });
  canon.serialise({ ...RECORD, appliesTo: { ...RECORD.appliesTo, fingerprint: "*" } });
});

test("S1.10 the checkpoint of the counters touches its own lines and is no part of the digest", () => {
  const used = {
    ...RECORD,
    lastUsedAt: "2026-05-01T00:00:00.000Z",
    telemetry: { ...RECORD.telemetry, uses: 5 },
  };
  const text = canon.serialise(used, TEXT);
  assert.equal(
    text,
    TEXT.replace("last_used_at: null", 'last_used_at: "2026-05-01T00:00:00.000Z"').replace(
      "uses: 4",
      "uses: 5",
    ),
  );
  assert.equal(digestOf(used), digestOf(RECORD));
  assert.notEqual(digestOf({ ...RECORD, description: "other" }), digestOf(RECORD));
});

test("S1.8 a canon file of 15,360 bytes fits and one of 15,361 does not", () => {
  assertCanonFits("x".repeat(15_360));
  assert.throws(
    () => assertCanonFits("x".repeat(15_361)),
    (error) => isCanonryError(error, "CANONRY_FILE_TOO_LARGE"),
  );
});

test("C33 the size is that of the whole file in UTF-8 bytes", () => {
  assertCanonFits("部".repeat(5_120));
  assert.throws(() => assertCanonFits(`${"部".repeat(5_120)}x`), /15361 bytes, at most 15360/);
  const long = `${TEXT}${"x".repeat(15_360 - TEXT.length)}`;
  assert.deepEqual(canon.parse(long, { file: "x.md" }).diagnostics, []);
  assert.deepEqual(
    canon.parse(`${long}x`, { file: "x.md" }).diagnostics.map((one) => one.code),
    ["FILE_OVERSIZE"],
  );
});

test("C34 a new file is held to the limit, a change only may not grow beyond it, and the rule is named", () => {
  assert.deepEqual(canonSizeVerdict(15_361), {
    fits: false,
    rule: "strict",
    bytes: 15_361,
    limitBytes: 15_360,
  });
  assert.deepEqual(canonSizeVerdict(20_000, 20_000), {
    fits: true,
    rule: "ratchet",
    bytes: 20_000,
    limitBytes: 15_360,
  });
  assert.equal(canonSizeVerdict(19_999, 20_000).fits, true);
  assert.equal(canonSizeVerdict(20_001, 20_000).fits, false);
  assert.equal(canonSizeVerdict(15_360, 100).fits, true);
  assertCanonFits("x".repeat(16_000), "y".repeat(16_000));
  assert.throws(() => assertCanonFits("x".repeat(16_001), "y".repeat(16_000)), /at most 16000/);
});

test("S1.12 a body has a heading, When to apply, Steps and Caveats; what is missing is named", async () => {
  const outline = await canon.parse(TEXT, { file: "x.md" }).outline();
  assert.deepEqual(missingSections(outline, CANON_SECTIONS), []);
  const poor = await canon
    .parse(TEXT.replace("# Rerun tsc", "Rerun").replace("## Steps", "Steps:"), { file: "x.md" })
    .outline();
  assert.deepEqual(missingSections(poor, CANON_SECTIONS), ["#", "Steps"]);
  const { diagnostics } = canon.parse(TEXT.replace("# Rerun tsc", "```\n# Rerun tsc\n```"), { file: "x.md" });
  assert.deepEqual(
    diagnostics.map((one) => [one.code, one.line]),
    [["BODY_HEADING_MISSING", 27]],
  );
});

test("S1.13 quarantined is a state of the file that an edit sets on its own line", () => {
  const before = TEXT.replace("quarantined: false", "# ask Ann\nquarantined:   false   # for now").replace(
    'languages: ["typescript", "tsx"]',
    "languages:\n    - typescript\n    - 'tsx'",
  );
  const { record } = canon.parse(before, { file: "x.md" });
  assert.ok(record);
  const text = canon.serialise({ ...record, quarantined: true }, before);
  assert.equal(text, before.replace("quarantined:   false", "quarantined:   true"));
  assert.equal(canon.parse(text, { file: "x.md" }).record?.quarantined, true);
});

test("C64 a recipe has its language and what it was tested with", () => {
  const recipe = { language: "bash", testedWith: "bash 5.2" };
  const text = canon.serialise({ ...RECORD, recipe }, TEXT);
  assert.equal(
    text,
    TEXT.replace(
      "quarantined: false\n",
      'quarantined: false\nrecipe:\n  language: "bash"\n  tested_with: "bash 5.2"\n',
    ),
  );
  assert.deepEqual(canon.parse(text, { file: "x.md" }).record?.recipe, recipe);
  const { recipe: _gone, ...without } = { ...RECORD, recipe };
  assert.equal(canon.serialise(without, text), TEXT);
});

test("C31 a description of up to 1,024 bytes is kept whole, and a summary of its own is kept beside it", () => {
  const description = "d".repeat(1_024);
  const record = { ...RECORD, description, summary: "Short." };
  assert.deepEqual(canon.parse(canon.serialise(record), { file: "x.md" }).record, record);
  assert.throws(() => canon.serialise({ ...RECORD, description: `${description}d` }), invalid);
});

test("C66 the derived summary is the first sentence, else a cut at a word with an ellipsis", () => {
  assert.equal(summaryOf("Short enough."), "Short enough.");
  assert.equal(
    summaryOf(`Runs the build again when it is red. ${"And more. ".repeat(20)}`),
    "Runs the build again when it is red.",
  );
  const cut = summaryOf("word ".repeat(60));
  assert.ok(cut.length <= 120 && cut.endsWith("word…"), cut);
});

test("S1.32 a key that is not ours is kept and means nothing", () => {
  const text = TEXT.replace("quarantined: false\n", "quarantined: false\nmood: good # yes\n");
  assert.deepEqual(canon.parse(text, { file: "x.md" }).record, RECORD);
  assert.equal(canon.serialise({ ...RECORD, version: 4 }, text), text.replace("version: 3", "version: 4"));
});
