import assert from "node:assert/strict";
import { test } from "node:test";
import { findAlike } from "../../lib/library/demo/alike.ts";

const words = (from: number, count: number): string =>
  Array.from({ length: count }, (_, at) => `word${from + at}`).join(" ");

test("C17 texts that are nearly the same are found with how much they share; others are not", () => {
  const texts = [
    { name: "a", text: words(0, 300) },
    { name: "b", text: `${words(0, 290)} and an end of its own` },
    { name: "c", text: words(1_000, 300) },
    { name: "d", text: `${words(0, 100)} ${words(2_000, 200)}` },
  ];
  const found = findAlike(texts, 0.6);
  assert.deepEqual(
    found.map(({ a, b }) => [a, b]),
    [["a", "b"]],
  );
  assert.ok((found[0]?.likeness ?? 0) > 0.9);
  assert.deepEqual(findAlike([...texts].reverse(), 0.6), found);
});

test("C17 Chinese texts are compared letter by letter, short and empty ones not at all", () => {
  const text = "先安全腾出空间恢复服务，再找出真正的占用者，包括已删除仍被占用的文件和容器日志。";
  const found = findAlike(
    [
      { name: "甲", text },
      { name: "乙", text: `${text}完。` },
      { name: "empty", text: "" },
      { name: "short", text: "two words" },
      { name: "short too", text: "two words" },
    ],
    0.6,
  );
  assert.deepEqual(
    found.map(({ a, b }) => [a, b].sort()),
    [["乙", "甲"].sort()],
  );
});

test("C17 a phrase that everybody has makes nobody alike", () => {
  const same = "use this skill when it is needed and not before";
  const texts = Array.from({ length: 200 }, (_, at) => ({
    name: `n${at}`,
    text: `${same} ${words(at * 100, 60)}`,
  }));
  assert.deepEqual(findAlike(texts, 0.6), []);
});
