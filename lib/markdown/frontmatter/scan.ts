import { contentEnd, nextLine } from "../lines.ts";

export interface Line {
  readonly start: number;
  /** Before the line break. */
  readonly end: number;
  /** Where the next line begins. */
  readonly next: number;
  /** Blanks and tabs before the first other character. */
  readonly indent: number;
  readonly blank: boolean;
}

/** `key: value` as our own scanner sees it, where YAML does not. */
export interface KeyLine {
  readonly key: string;
  readonly keyStart: number;
  readonly keyEnd: number;
  /** After the colon and the blanks behind it. */
  readonly valueStart: number;
}

/** One key of a map with the lines that belong to it. */
export interface Chunk {
  readonly head: KeyLine;
  readonly lines: readonly Line[];
  /** How many of the lines a quoted value takes up, the first one included. */
  readonly quoted: number;
}

const KEY =
  /^[ \t]*(?:"([^"\\\r\n]{1,200})"|'([^'\r\n]{1,200})'|([A-Za-z_$][\w$.-]{0,199}))[ \t]*:(?:[ \t]+|$|(?=[^\s/:]))/;

/** The lines from `start` to `end`, at most `most` of them. */
export function linesOf(text: string, start: number, end: number, most = Number.POSITIVE_INFINITY): Line[] {
  const lines: Line[] = [];
  for (let at = start; at < end && lines.length < most; ) {
    const stop = contentEnd(text, at, end);
    let first = at;
    while (first < stop && (text[first] === " " || text[first] === "\t")) first++;
    const next = nextLine(text, stop, end);
    lines.push({ start: at, end: stop, next, indent: first - at, blank: first === stop });
    at = next;
  }
  return lines;
}

/**
 * The key that a line begins with: a word of ASCII letters or a quoted text, then a colon. A blank behind the colon
 * is not insisted on, because `name:x` is a usual slip; `https://x` is no key.
 */
export function keyLine(text: string, line: Line): KeyLine | undefined {
  const found = KEY.exec(text.slice(line.start, Math.min(line.end, line.start + 420)));
  if (found === null) return undefined;
  const key = found[1] ?? found[2] ?? found[3] ?? "";
  const keyStart = line.start + line.indent;
  const quotes = found[3] === undefined ? 2 : 0;
  return { key, keyStart, keyEnd: keyStart + key.length + quotes, valueStart: line.start + found[0].length };
}

export function isComment(text: string, line: Line): boolean {
  return text[line.start + line.indent] === "#";
}

export function isListLine(text: string, line: Line): boolean {
  return /^-(?:[ \t]|$)/.test(
    text.slice(line.start + line.indent, Math.min(line.end, line.start + line.indent + 2)),
  );
}

/**
 * The lines cut into keys of one map: a key that stands at `indent` begins a chunk, everything up to the next one
 * belongs to it. `stray` are lines before the first key that are neither blank nor a comment.
 */
export function cutKeys(
  text: string,
  lines: readonly Line[],
  indent: number,
): { chunks: Chunk[]; stray: Line[] } {
  const chunks: { head: KeyLine; lines: Line[]; quoted: number }[] = [];
  const stray: Line[] = [];
  const quotes = new QuoteScan(text, lines);
  let openUntil = -1;
  for (const [at, line] of lines.entries()) {
    const head = at > openUntil && !line.blank && line.indent === indent ? keyLine(text, line) : undefined;
    if (head !== undefined) {
      openUntil = quotes.endOf(at, head.valueStart);
      chunks.push({ head, lines: [line], quoted: openUntil - at + 1 });
    } else if (chunks.length > 0) chunks.at(-1)?.lines.push(line);
    else if (!line.blank && !isComment(text, line)) stray.push(line);
  }
  return { chunks, stray };
}

/** A quoted value may run over lines that look like keys. Each line is looked at once for each kind of quote. */
class QuoteScan {
  private readonly text: string;
  private readonly lines: readonly Line[];
  /** Up to this line no quote of the kind ends a line. */
  private readonly barren = new Map<string, number>();

  constructor(text: string, lines: readonly Line[]) {
    this.text = text;
    this.lines = lines;
  }

  /** The line whose end closes the quote that line `at` opens, if one comes before a lower-case key; else `at`. */
  endOf(at: number, valueStart: number): number {
    const quote = this.text.charAt(valueStart);
    const first = this.lines[at];
    if (first === undefined || (quote !== '"' && quote !== "'")) return at;
    if (this.closes(first, valueStart + 1, quote) || at < (this.barren.get(quote) ?? -1)) return at;
    for (let below = at + 1; below < this.lines.length; below++) {
      const line = this.lines[below];
      if (line === undefined) break;
      if (this.closes(line, line.start, quote)) return below;
      const head = line.indent === first.indent ? keyLine(this.text, line) : undefined;
      this.barren.set(quote, below);
      if (head !== undefined && /^[a-z]/.test(head.key)) break;
    }
    return at;
  }

  private closes(line: Line, from: number, quote: string): boolean {
    const shown = this.text.slice(from, line.end).trimEnd();
    return shown.endsWith(quote) && !shown.endsWith(`\\${quote}`);
  }
}

/** Without the blank lines and comments at the end, which belong to nobody. */
export function trimLines(text: string, lines: readonly Line[]): readonly Line[] {
  let count = lines.length;
  for (; count > 1; count--) {
    const last = lines[count - 1];
    if (last === undefined || !(last.blank || isComment(text, last))) break;
  }
  return lines.slice(0, count);
}
