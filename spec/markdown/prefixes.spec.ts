import assert from "node:assert/strict";
import { test } from "node:test";
import { readPrefixes, skillsToCut } from "./prefixes.ts";

test("T-R6 two hundred skills, cut at every seventeenth byte, are each read or refused, never an exception", () => {
  const skills = skillsToCut(200);
  assert.equal(skills.length, 200);
  for (const [at, bytes] of skills.entries()) {
    const { read, thrown } = readPrefixes(bytes, 17);
    assert.deepEqual(thrown, [], `skill ${at}`);
    assert.equal(read, Math.floor(bytes.length / 17) + 1);
  }
});
