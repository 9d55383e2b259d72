import assert from "node:assert/strict";
import { test } from "node:test";
import { nearest, withinEdits } from "../../lib/core/nearest.ts";
import { createChance } from "../support/chance.ts";

/** Edits as they are defined, without any short cut. */
function edits(a: string, b: string): number {
  const table = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (_, j) => (i === 0 ? j : j === 0 ? i : 0)),
  );
  const at = (i: number, j: number): number => table[i]?.[j] ?? 0;
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++) {
      const swap = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const crossed = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const best = Math.min(swap, at(i - 1, j) + 1, at(i, j - 1) + 1, crossed ? at(i - 2, j - 2) + 1 : 99);
      (table[i] as number[])[j] = best;
    }
  return at(a.length, b.length);
}

test("I4 the words within so many edits are found, whatever the short cuts: as many as by the definition", () => {
  const chance = createChance(7);
  const word = (): string =>
    Array.from({ length: chance.upTo(9) }, () => chance.of(["a", "b", "c", "é", "部", "-"])).join("");
  const words = [...new Set(Array.from({ length: 400 }, word))];
  for (const wanted of words.slice(0, 60))
    for (const most of [0, 1, 2, 4]) {
      const expected = words.filter((other) => edits(wanted, other) <= most).sort();
      assert.deepEqual(withinEdits(wanted, words, most).sort(), expected, `${wanted}, ${most}`);
    }
});

test("I4 a slip finds its name, neighbours that changed places are one, and what begins alike comes first", () => {
  const names = ["flaky-test-repair", "flask-setup", "pdf-merge", "deploy", "C", "go"];
  assert.deepEqual(nearest("falky-test-repair", names), ["flaky-test-repair"]);
  assert.deepEqual(nearest("PDF-merg", names), ["pdf-merge"]);
  assert.deepEqual(nearest("dpeloy", names), ["deploy"]);
  assert.deepEqual(withinEdits("dpeloy", names, 1), ["deploy"]);
  assert.deepEqual(nearest("cart", ["card", "dart", "cars"], 3), ["card", "cars", "dart"]);
});

test("I4 a part of a name is enough, a letter that stands in anything is not", () => {
  assert.deepEqual(nearest("merge", ["pdf-merge", "C", "go"]), ["pdf-merge"]);
  assert.deepEqual(nearest("kuberntes-crashlop", ["C", "go", "kubernetes-crashloop"]), [
    "kubernetes-crashloop",
  ]);
  assert.deepEqual(nearest("please-merge-my-two-branches", ["merge", "pdf"]), []);
  assert.deepEqual(nearest("", ["pdf-merge"]), []);
});
