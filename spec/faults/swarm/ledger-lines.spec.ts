import assert from "node:assert/strict";
import { test } from "node:test";
import { takeApart, writerFindings } from "./ledger-lines.ts";

const line = (nth: number, id = nth) =>
  `{"id":"${String(id).padStart(36, "0")}","ts":"2026-01-02T03:04:05.000Z","run_id":"run-a-${nth}","wave":${nth},"agent":"a","fingerprint":"*","skill":"skill-${nth % 7}","version":null,"model":"","event":"hydrated","value":null,"notes":""}`;
const ids = (count: number) => Array.from({ length: count }, (_, n) => String(n).padStart(36, "0"));

test("C10 the harness finds a line that is cut, glued to another, or written in two parts", () => {
  const apart = (text: string) => {
    const { lines, odd } = takeApart(Buffer.from(text));
    return [lines.length, odd.map((one) => one.text)];
  };
  const [a, b, c] = [line(0), line(1), line(2)];
  assert.deepEqual(apart(`\n${a}\n\n${b}\n`), [2, []]);
  assert.deepEqual(
    apart(`\n${a}\n\n{"id":"to\n${b}\n`),
    [2, ['{"id":"to']],
    "a torn line spoils none after it",
  );
  assert.deepEqual(apart(`\n${a}\n${b}\n\n`), [1, [b, ""]], "two writes for one line, mixed with another's");
  assert.deepEqual(apart(`\n${a.slice(0, 50)}\n${b}\n${a.slice(50)}\n`), [
    1,
    [a.slice(0, 50), a.slice(50), ""],
  ]);
  assert.deepEqual(apart(`${a}\n\n${b}\n`), [1, [a]], "no break before it");
  assert.deepEqual(apart(`\n${a}\n\n${c}`), [1, [c]], "no break after it");
});

test("C10 the harness finds a line that is lost, doubled, changed, or that nobody was told of", () => {
  const found = (told: number, ...lines: string[]) => writerFindings("a", ids(told), lines).length;
  assert.equal(found(2, line(0), line(1)), 0);
  assert.equal(found(1, line(0), line(1)), 0, "killed before it could tell");
  assert.equal(found(0, line(0), line(1)), 1, "two of which nobody was told");
  assert.equal(found(3, line(0), line(1)), 1, "the last is lost");
  assert.equal(found(3, line(0), line(2)), 2, "one in the middle is lost");
  assert.equal(found(1, line(0), line(1, 0)), 1, "doubled");
  assert.equal(found(1, line(0).replace("skill-0", "skill-1")), 1, "changed");
  assert.equal(found(1, line(0, 7)), 1, "another id than it was told");
});
