import { queryTerms } from "../core/terms.ts";

/** What stands in quotation marks; an apostrophe inside a word is none. */
const QUOTED =
  /"([^"\n]{3,80})"|“([^“”\n]{3,80})”|‘([^‘’\n]{3,80})’|(?<![\p{L}\p{N}])'([^'\n]{3,80})'(?![\p{L}\p{N}])|「([^「」\n]{3,80})」|『([^『』\n]{3,80})』/gu;
/** One word alone is no phrase: many prompts have it. */
const LEAST_WORDS = 2;
const MOST_WORDS = 16;

/**
 * What a skill says that it is asked for with: its triggers, and what its description quotes ("when the user says 'tidy
 * up the repo'"). Each as its content words; those of one word are left out.
 */
export function phrasesOf(description: string, triggers: readonly string[]): string[][] {
  const quoted = Array.from(description.matchAll(QUOTED), (found) => found.slice(1).join(""));
  return [...quoted, ...triggers]
    .map((phrase) => queryTerms(phrase, MOST_WORDS))
    .filter((words) => words.length >= LEAST_WORDS);
}
