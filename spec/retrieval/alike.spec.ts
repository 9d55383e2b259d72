import assert from "node:assert/strict";
import { test } from "node:test";
import { sampleRow } from "../../lib/drivers/conformance/samples.ts";
import { groupAlike } from "../../lib/retrieval/alike.ts";
import { createRowReader } from "../../lib/retrieval/row-words.ts";
import type { IndexedRow } from "../../lib/schema/row.ts";

const reader = createRowReader(() => []);
const counters = { uses: 0, wins: 0, losses: 0, costSavedUsd: 0, lastUsedAt: null, lastWave: null };

/** Nine words that no other skill's description has. */
const wordsOf = (at: number) => Array.from({ length: 9 }, (_, word) => `w${at}x${word}`).join(" ");
const rowOf = (at: string, description: string) => {
  const row = sampleRow("deploy", { path: `${at}/SKILL.md`, digest: at, description });
  return { row: { ...row, counters } as unknown as IndexedRow };
};

test("P9 of a hundred different skills of one name sixteen are compared with what comes later, not all with all", () => {
  const different = Array.from({ length: 100 }, (_, at) => rowOf(`own-${at}`, wordsOf(at)));
  const copies = [15, 16].map((at) => rowOf(`copy-${at}`, `${wordsOf(at)} more`));
  const groups = groupAlike([...different, ...copies], reader);
  const folded = groups.filter(({ others }) => others.length > 0);
  assert.deepEqual(
    folded.map(({ first, others }) => [first.row.path, others.map(({ row }) => row.path)]),
    [["own-15/SKILL.md", ["copy-15/SKILL.md"]]],
  );
  assert.equal(groups.length, 101);
});
