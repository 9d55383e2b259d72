import assert from "node:assert/strict";
import fc from "fast-check";
import { isCanonryError } from "../../lib/core/errors.ts";
import type { Library } from "../../lib/library.ts";
import { type Fuzz, fuzz, noise } from "../support/fuzz.ts";
import { NAUGHTY } from "./naughty.ts";

const STATES = ["ok", "no_match", "index_empty", "index_unavailable"];

/** Any query gets one of the four states, hits of this home alone, and no error. */
export async function answers(library: Library, query: string, state?: string): Promise<void> {
  const answer = await library.search(query);
  assert.ok(STATES.includes(answer.state), answer.state);
  if (state !== undefined) assert.equal(answer.state, state);
  assert.notEqual(answer.state, "index_unavailable", "no query makes the index fail");
  assert.equal(answer.state === "ok", answer.hits.length > 0);
  assert.ok(answer.hits.length <= 5 && answer.hits.every((hit) => hit.score >= 0 && hit.score <= 1));
}

const OPERATORS = [
  "AND",
  "OR",
  "NOT",
  "NEAR(",
  ")",
  "(",
  '"',
  "*",
  "^",
  ":",
  "+",
  "-",
  "{",
  "}",
  "name:",
  ", 5)",
  "'",
];
const WORDS = ["deploy", "flaky", "test", "rollback", "pdf", "部署", "don't", "parseConfig", "x".repeat(70)];

const queries = fc.oneof(
  fc.constantFrom(...NAUGHTY),
  fc
    .array(fc.constantFrom(...NAUGHTY, ...OPERATORS, ...WORDS), { maxLength: 40 })
    .chain((parts) => fc.constantFrom(" ", "").map((gap) => parts.join(gap))),
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.string({ unit: "grapheme", maxLength: 60 }),
  noise,
);

async function typed(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    assert.ok(isCanonryError(error), String(error));
    assert.notEqual(error.code, "CANONRY_INTERNAL");
    assert.doesNotMatch(error.message, /[\0\u202e]|SQLITE|fts5/i);
  }
}

/** Over a library that holds a few skills. */
export function retrievalFuzz(library: Library): Fuzz[] {
  return [
    fuzz("queries", queries, (query) => answers(library, query), 0.2),
    fuzz("names to read", queries, (name) => typed(() => library.read(name, { record: false })), 0.05),
    fuzz(
      "files to read",
      queries,
      (file) => typed(() => library.read("pdf-merge", { file, record: false })),
      0.05,
    ),
    fuzz(
      "wrong options",
      fc.tuple(fc.anything(), fc.anything()),
      ([query, options]) => typed(() => library.search(query as string, options as object)),
      0.1,
    ),
  ];
}
