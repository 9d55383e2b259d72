import { LIMITS } from "../core/limits.ts";
import { nearest, withinEdits } from "../core/nearest.ts";
import { queryTerms } from "../core/terms.ts";
import { byteLength } from "../core/text.ts";
import type { Filter, IndexDriver } from "../drivers/driver.ts";

/** Shorter words have too many neighbours. */
const SHORT = 4;
const LONG = 8;

export interface Missed {
  readonly query: string;
  /** Names that the answer has already. */
  readonly shown: readonly string[];
  readonly signal?: AbortSignal | undefined;
}

/**
 * Names that may have been meant: those near to the whole query, then those with a word that is near to one of the
 * query that no skill has. At most three; none where the query has no such word, or is a sentence.
 */
export async function suggestNames(
  driver: IndexDriver,
  filter: Filter,
  { query, shown, signal }: Missed,
): Promise<string[]> {
  const words = byteLength(query) > LIMITS.literalBytes ? [] : queryTerms(query);
  if (words.length === 0 || words.length > LIMITS.suggestedWords) return [];
  const { holding } = await driver.frequencies(words, "all", signal);
  const strange = words.filter((word, at) => holding[at] === 0 && word.length >= SHORT);
  if (strange.length === 0) return [];
  const left = new Set(shown);
  const names = (await driver.names(filter, signal)).filter((name) => !left.has(name));
  const whole = nearest(query.trim().replace(/\s+/g, "-"), names, LIMITS.searchSuggestions);
  return [...new Set([...whole, ...namesWith(strange, words, names)])].slice(0, LIMITS.searchSuggestions);
}

/** Names with a word that is nearly a strange one, first those that have most of the other words of the query too. */
function namesWith(strange: readonly string[], words: readonly string[], names: readonly string[]): string[] {
  const holders = new Map<string, string[]>();
  for (const name of names)
    for (const word of new Set(name.toLowerCase().split(/[^\p{L}\p{N}]+/u))) {
      const list = holders.get(word);
      if (list === undefined) holders.set(word, [name]);
      else list.push(name);
    }
  const counts = new Map<string, number>();
  for (const word of strange)
    for (const near of withinEdits(word, holders.keys(), word.length < LONG ? 1 : 2))
      for (const name of near.length < SHORT ? [] : (holders.get(near) ?? []))
        counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const word of words)
    for (const name of holders.get(word) ?? []) {
      const count = counts.get(name);
      if (count !== undefined) counts.set(name, count + 1);
    }
  return [...counts]
    .sort(([a, one], [b, other]) => other - one || a.length - b.length || (a < b ? -1 : 1))
    .map(([name]) => name);
}
