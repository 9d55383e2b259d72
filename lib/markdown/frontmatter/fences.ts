import { contentEnd, nextLine } from "../lines.ts";

export interface Block {
  /** The lines between the fences. */
  readonly start: number;
  readonly end: number;
  /** After the closing fence's line; where there is no closing fence, the end of the text. */
  readonly bodyStart: number;
  readonly closed: boolean;
}

/** What the opening fence names as the block's language; "" for a plain fence. */
export interface Opening {
  readonly language: string;
  readonly start: number;
  /** Where the block's first line begins. */
  readonly next: number;
}

/**
 * The fence at `at`: three hyphens on a line of their own, trailing blanks allowed. A word after them is a
 * language; nothing in such a block is ever run (B105).
 */
export function openingAt(text: string, at: number): Opening | undefined {
  if (!text.startsWith("---", at)) return undefined;
  const found = /^---[ \t]*([A-Za-z][\w+.-]*)?[ \t]*$/.exec(
    text.slice(at, contentEnd(text, at, Math.min(text.length, at + 200))),
  );
  if (found === null) return undefined;
  return { language: (found[1] ?? "").toLowerCase(), start: at, next: nextLine(text, at) };
}

/** The block that begins at `start`: up to the first line of `---` or `...` in its first column, trailing blanks allowed (B32). */
export function blockAt(text: string, start: number): Block {
  // From the line break before the block on, so that a fence right at its start is found as well.
  const found = /[\r\n](?:---|\.\.\.)[ \t]*(?:\r\n?|\n|$)/.exec(text.slice(start - 1));
  if (found === null || start === 0)
    return { start, end: text.length, bodyStart: text.length, closed: false };
  const end = start + found.index;
  return { start, end, bodyStart: end - 1 + found[0].length, closed: true };
}

/** The place of the first character that is not white space, from `at` on. */
export function skipBlank(text: string, at: number): number {
  const mark = /\S/g;
  mark.lastIndex = at;
  return mark.exec(text)?.index ?? text.length;
}
