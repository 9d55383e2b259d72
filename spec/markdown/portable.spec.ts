import assert from "node:assert/strict";
import { test } from "node:test";
import canon from "../../lib/markdown/canon.ts";
import portable from "../../lib/markdown/portable.ts";
import type { SkillRecord } from "../../lib/schema/skill.ts";

const RECORD: SkillRecord = {
  name: "rerun-tsc",
  description: "Re-run tsc",
  version: 3,
  appliesTo: { fingerprint: "0123456789ab", languages: ["typescript"], toolsets: ["*"] },
  requiresTools: ["git"],
  triggers: ["flaky test", "retry", "it's red"],
  references: ["references/tsc.md"],
  createdAt: "2026-04-19T23:04:12.000Z",
  lastUsedAt: "2026-05-01T00:00:00.000Z",
  telemetry: { uses: 4, wins: 2, losses: 1, costSavedUsd: 0.25, lastWave: 7 },
  source: {
    candidateIds: ["a.md"],
    promotedBy: "librarian",
    promotedAt: "2026-04-20T00:00:00.000Z",
    patchedAt: "2026-04-21T00:00:00.000Z",
  },
  quarantined: true,
  title: "Rerun",
  tags: ["build"],
  license: "MIT",
  compatibility: "needs git",
  allowedTools: "Read Grep",
  disableModelInvocation: true,
  recipe: { language: "bash", testedWith: "bash 5.2" },
  metadata: { author: "someone" },
  body: "# Rerun\n\nText.\n",
};

const GOLDEN = `---
name: "rerun-tsc"
description: "Re-run tsc"
license: "MIT"
compatibility: "needs git"
allowed-tools: "Read Grep"
metadata:
  canonry.version: "3"
  canonry.repo-fingerprint: "0123456789ab"
  canonry.languages: '["typescript"]'
  canonry.requires-tools: '["git"]'
  canonry.triggers: '["flaky test","retry","it''s red"]'
  canonry.references: '["references/tsc.md"]'
  canonry.created-at: "2026-04-19T23:04:12.000Z"
  canonry.candidate-ids: '["a.md"]'
  canonry.promoted-by: "librarian"
  canonry.promoted-at: "2026-04-20T00:00:00.000Z"
  canonry.quarantined: "true"
  canonry.title: "Rerun"
  canonry.tags: '["build"]'
  canonry.disable-model-invocation: "true"
  canonry.recipe-language: "bash"
  canonry.recipe-tested-with: "bash 5.2"
  author: "someone"
---
# Rerun

Text.
`;

test("design 8: the portable form has these bytes: six keys, ours as quoted strings, no telemetry, last use or patch time", () => {
  assert.equal(portable.serialise(RECORD), GOLDEN);
  const fewest = {
    ...portable.parse("---\nname: a\ndescription: b\n---\nB\n", { file: "x.md" }).record,
  } as SkillRecord;
  assert.equal(
    portable.serialise(fewest),
    '---\nname: "a"\ndescription: "b"\nmetadata:\n  canonry.version: "1"\n---\nB\n',
  );
});

test("design 8: the portable form reads back to the record without what it does not carry", () => {
  const { record, diagnostics } = portable.parse(GOLDEN, { file: "rerun-tsc/SKILL.md" });
  assert.deepEqual(record, {
    ...RECORD,
    lastUsedAt: null,
    telemetry: { uses: 0, wins: 0, losses: 0, costSavedUsd: 0, lastWave: null },
    source: { ...RECORD.source, patchedAt: null },
  });
  assert.deepEqual(diagnostics, []);
});

test("design 8: a use counted in canon changes no byte of the portable form", () => {
  const used = {
    ...RECORD,
    lastUsedAt: "2027-01-01T00:00:00.000Z",
    telemetry: { ...RECORD.telemetry, uses: 99 },
  };
  assert.equal(portable.serialise(used), GOLDEN);
  assert.equal(portable.serialise(used, GOLDEN), GOLDEN);
});

test("design 8: canon keys at the top of a SKILL.md are read, and edited where they stand", () => {
  const text = canon.serialise(RECORD).replace("allowed_tools:", "allowed-tools:");
  assert.deepEqual(portable.parse(text, { file: "x/SKILL.md" }).record, RECORD);
  assert.equal(
    portable.serialise({ ...RECORD, version: 4, triggers: ["a", "b", "c"] }, text),
    text
      .replace("version: 3", "version: 4")
      .replace('["flaky test", "retry", "it\'s red"]', '["a", "b", "c"]'),
  );
});

test("design 8: a key of ours is added below metadata, whatever metadata has already", () => {
  const add = (metadata: string) => {
    const text = `---\nname: a\ndescription: b\n${metadata}---\nB\n`;
    const record = { ...portable.parse(text, { file: "x.md" }).record, version: 2 } as SkillRecord;
    return portable
      .serialise(record, text)
      .slice("---\nname: a\ndescription: b\n".length, -"---\nB\n".length);
  };
  assert.equal(add(""), 'metadata:\n  canonry.version: "2"\n');
  assert.equal(add("metadata:\n    x: y # z\n"), 'metadata:\n    x: y # z\n    canonry.version: "2"\n');
  assert.equal(add("metadata: {x: y, z: [1]} # w\n"), 'metadata: {x: y, z: [1], canonry.version: "2"} # w\n');
  assert.equal(add("metadata:\n"), 'metadata:\n  canonry.version: "2"\n');
});

test("ecosystem 1.2: what hosts write besides is read: tool lists, when_to_use, nested metadata, person-only skills", () => {
  const { record, diagnostics } = portable.parse(
    "---\nname: a\ndescription: b\nallowed-tools:\n  - Read\n  - Bash(git add:*)\nwhen_to_use: before a release, always\ndisable-model-invocation: true\nmetadata:\n  host:\n    tags: [x]\nx-unknown: {a: 1}\n---\nB\n",
    { file: "a/SKILL.md" },
  );
  assert.equal(record?.allowedTools, "Read Bash(git add:*)");
  assert.deepEqual(record?.triggers, ["before a release, always"]);
  assert.equal(record?.disableModelInvocation, true);
  assert.deepEqual(record?.metadata, { host: '{"tags":["x"]}' });
  assert.deepEqual(diagnostics, []);
});

test("C33 a file over 15,360 bytes is read, and said to be over", () => {
  const head = "---\nname: a\ndescription: b\n---\n";
  const at = (bytes: number) =>
    portable.parse(head + "x".repeat(bytes - head.length), { file: "a/SKILL.md" });
  assert.deepEqual(at(15_360).diagnostics, []);
  assert.deepEqual(
    at(15_361).diagnostics.map((one) => [one.code, one.severity]),
    [["FILE_OVERSIZE", "warning"]],
  );
  assert.notEqual(at(15_361).record, undefined);
});
