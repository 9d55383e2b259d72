import { nameKey } from "../core/names.ts";
import type { Row } from "../schema/row.ts";

/** What the steps after full text compare: as names are, and on one line. */
export function fold(text: string): string {
  return nameKey(text).replace(/[^\S ]/gu, " ");
}

/**
 * One text to look into: title, triggers and tags on a line each between newlines, then, after an empty line, the
 * description. A label *is* a text where the text stands between two newlines.
 */
export function foldedText(row: Row): string {
  return `\n${[row.title, ...row.triggers, ...row.tags].map(fold).join("\n")}\n\n${fold(row.description)}`;
}

/** The second step's scores, best first (S3.15, C51). */
export const LITERAL = Object.freeze({ isName: 0.95, beginsName: 0.9, inName: 0.85, inText: 0.75 });
/** The third step's (S3.16). */
export const EXACT_SCORE = 1;

/** 0 where nothing matches. `key` is the row's `nameKey`, `text` its `foldedText`, `tokens` are folded. */
export function literalScore(key: string, text: string, tokens: readonly string[]): number {
  return Math.max(0, ...tokens.map((token) => one(key, text, token)));
}

function one(key: string, text: string, token: string): number {
  if (token === "") return 0;
  if (key === token) return LITERAL.isName;
  if (key.startsWith(token)) return LITERAL.beginsName;
  if (key.includes(token)) return LITERAL.inName;
  return text.includes(token) ? LITERAL.inText : 0;
}

export function exactScore(key: string, text: string, wanted: string): number {
  if (wanted === "") return 0;
  return key === wanted || text.includes(`\n${wanted}\n`) ? EXACT_SCORE : 0;
}
