import type { Scored, WeighedTerm } from "./rank.ts";

/** Below this the best hit is a poor answer; docs/decisions/poor-answers.md has how it was found, and how often it errs. */
export const LEAST = 5.2;
/** What it counts that the best stands out from the second: the third root of a tenth and of how much it does. */
const FLOOR = 0.1;
const STANDING_OUT = 1 / 3;
/** In a larger library something fits a little better by chance. */
const BY_CHANCE = 1 / 12;

/** What a query asks for: the root of what all of its words weigh, those that no skill has too, by the size of the library. */
export function measureOf(words: readonly WeighedTerm[], rows: number): number {
  const total = words.reduce((sum, { weight }) => sum + weight, 0);
  return Math.sqrt(total) * Math.max(1, rows) ** BY_CHANCE;
}

/**
 * How much speaks for the best hit: how well it fits, and how far the second is behind. Hits that are near-identical are
 * one. Undefined where hits are no answer to words, infinite where the best says every word of the query of itself.
 */
export function strengthOf([best, second]: readonly Scored[]): number | undefined {
  if (best?.fit === undefined) return undefined;
  if (best.isWhole === true) return Number.POSITIVE_INFINITY;
  const margin = best.fit === 0 ? 0 : (best.fit - (second?.fit ?? 0)) / best.fit;
  return best.fit * (FLOOR + margin) ** STANDING_OUT;
}

/** Whether even the best hit answers the query poorly. Never hides anything: a good answer is called poor now and then. */
export function isPoor(hits: readonly Scored[]): boolean {
  const strength = strengthOf(hits);
  return strength !== undefined && strength < LEAST;
}
