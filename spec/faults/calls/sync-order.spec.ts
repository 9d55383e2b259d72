import assert from "node:assert/strict";
import { test } from "node:test";
import { findsNothing, unlessItCannot } from "../short-form.ts";
import { syncFindings, syncOrder } from "./sync-order.ts";

test(
  "P2 what is acknowledged, and what a claim counts on, was brought to the disk before: bytes and names",
  unlessItCannot(syncOrder),
  (t) => findsNothing(t, syncOrder),
);

test("P2 a claim whose token, text or folder was not synced is found, and so is a missing sync of the answer", () => {
  const call = (text: string, nth: number) => ({
    call: text.slice(0, text.indexOf("(")),
    nth,
    at: nth,
    changes: true,
    text,
  });
  const calls = [
    'openat(AT_FDCWD, "local/commit/a/.b.1.tmp-*", O_WRONLY|O_CREAT|O_EXCL, 0644)',
    "write(<local/commit/a/.b.1.tmp-*>)",
    "fsync(<local/commit/a/.b.1.tmp-*>)",
    'openat(AT_FDCWD, "a/canon/.b.md.tmp-*", O_WRONLY|O_CREAT|O_EXCL, 0644)',
    "write(<a/canon/.b.md.tmp-*>)",
    "fsync(<a/canon/.b.md.tmp-*>)",
    "fsync(<a/canon>)",
    'link("local/commit/a/.b.1.tmp-*", "local/commit/a/b.1")',
    "fsync(<local/commit/a>)",
    'rename("a/canon/.b.md.tmp-*", "a/canon/b.md")',
    "fsync(<a/canon>)",
    'openat(AT_FDCWD, "local/commit/a/b.1.done", O_WRONLY|O_CREAT|O_EXCL, 0644)',
    "writev(<outcome>)",
  ];
  const without = (nth: number) => syncFindings(calls.filter((_, n) => n !== nth).map(call));
  assert.deepEqual(syncFindings(calls.map(call)), []);
  assert.deepEqual(without(2), [
    "claim: the bytes of the token local/commit/a/.b.1.tmp-* are not synced",
    "answer: the bytes of local/commit/a/b.1 are not synced",
  ]);
  assert.deepEqual(without(5).slice(0, 1), ["claim: the bytes of a/canon/.b.md.tmp-* are not synced"]);
  assert.deepEqual(without(6), ["claim: the name a/canon/.b.md.tmp-* is not synced"]);
  assert.deepEqual(without(8), ["answer: the name local/commit/a/b.1 is not synced"]);
  assert.deepEqual(without(10), [
    "done: the name a/canon/b.md is not synced",
    "answer: the name a/canon/b.md is not synced",
  ]);
});
