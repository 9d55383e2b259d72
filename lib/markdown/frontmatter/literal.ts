import type { Line } from "./scan.ts";
import type { ScalarNode } from "./tree.ts";

const QUOTED = /^"[^"\\\t\r\n]*"$/;
const SIMPLE = /^[\p{L}\p{N}_](?:[^:#\t\r\n]|:(?=[^\s:]))*$/u;

/** A plain scalar of this text; NUL and halves of surrogate pairs go, as everywhere. */
export function scalar(text: string, start: number, end: number): ScalarNode {
  return { kind: "scalar", text: text.replaceAll("\0", "").toWellFormed(), style: "plain", start, end };
}

/** Words between two places that YAML reads as they stand, plain or in double quotes; else undefined. */
export function wordAt(text: string, start: number, end: number): ScalarNode | undefined {
  const value = text.slice(start, end).trimEnd();
  if (SIMPLE.test(value)) return scalar(value, start, start + value.length);
  if (!QUOTED.test(value)) return undefined;
  return { ...scalar(value.slice(1, -1), start, start + value.length), style: "quoted" };
}

/** What stands in these lines as one text, folded as YAML folds: line breaks become blanks, empty lines line breaks. */
export function foldLines(pieces: readonly string[]): string {
  let text = "";
  let gap = 0;
  for (const piece of pieces.map((one) => one.trim())) {
    if (piece === "") gap++;
    else {
      if (text !== "") text += gap > 0 ? "\n".repeat(gap) : " ";
      text += piece;
      gap = 0;
    }
  }
  return text;
}

/** The lines of a block scalar without their common indent, joined as its header says: `|` keeps lines, `>` folds. */
export function blockText(text: string, header: string, lines: readonly Line[]): string {
  const shown = lines.filter((line) => !line.blank);
  const indent = shown.reduce((least, line) => Math.min(least, line.indent), Number.POSITIVE_INFINITY);
  const pieces = lines.map((line) => (line.blank ? "" : text.slice(line.start + indent, line.end)));
  const joined = header.startsWith("|") ? pieces.join("\n").trimEnd() : foldLines(pieces);
  return joined === "" || header.includes("-") ? joined : `${joined}\n`;
}

/** Where the bracket that `value` begins with is closed: "never", "inside" with text after it, or at the "end". */
export function bracketEnd(value: string): "never" | "inside" | "end" {
  let depth = 0;
  let quote = "";
  for (let at = 0; at < value.length; at++) {
    const char = value.charAt(at);
    if (quote !== "") {
      if (char === "\\" && quote === '"') at++;
      else if (char === quote) quote = "";
    } else if (/["']/.test(char) && /[[{,:\s]/.test(value.charAt(at - 1))) quote = char;
    else if (char === "[" || char === "{") depth++;
    else if (char === "]" || char === "}") depth--;
    if (depth === 0) return value.slice(at + 1).trim() === "" ? "end" : "inside";
  }
  return "never";
}

/** The entries of `[a, b[c], "d"]`, cut at the commas outside brackets; quotes around an entry go. */
export function looseList(value: string): string[] {
  const items: string[] = [];
  let depth = 0;
  let from = 1;
  for (let at = 1; at < value.length; at++) {
    const char = value.charAt(at);
    if (char === "[" || char === "{") depth++;
    if (char === "]" || char === "}") depth--;
    if ((char === "," && depth === 0) || depth < 0) {
      items.push(unquote(value.slice(from, at).trim()));
      from = at + 1;
    }
    if (depth < 0) break;
  }
  return items.filter((one) => one !== "");
}

function unquote(text: string): string {
  return /^"[^"]*"$|^'[^']*'$/.test(text) ? text.slice(1, -1) : text;
}
