import { contentEnd, nextLine } from "./lines.ts";

/** A title that comes later than this, in UTF-16 units, is none. */
const WITHIN_CHARS = 65_536;

/**
 * The text of the first first-level heading, found without the Markdown parser: fences are stepped over. Good
 * enough for a title or a warning, and only the beginning of a long body is looked at; edits by section take `outlineOf`.
 */
export function topHeading(body: string): string | undefined {
  let fence = "";
  let above = "";
  for (let at = 0, next = 0; at < Math.min(body.length, WITHIN_CHARS); at = next) {
    const end = contentEnd(body, at);
    next = nextLine(body, end);
    const line = body.slice(at, end);
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? "";
    if (fence !== "") {
      if (mark.startsWith(fence) && line.trim() === mark) fence = "";
      continue;
    }
    if (mark !== "") fence = mark;
    const heading = /^ {0,3}#(?=[ \t]|$)/.exec(line);
    if (heading !== null) return withoutClosing(line.slice(heading[0].length)).trim();
    if (/^ {0,3}=+[ \t]*$/.test(line) && above !== "") return above;
    above = mark === "" && !/^(?: {4}|\t|[ ]{0,3}[>#*+-])/.test(line) ? line.trim() : "";
  }
  return undefined;
}

/** Without the hashes that close a heading. By hand: a pattern tries every blank of a long run as the first one. */
function withoutClosing(text: string): string {
  const isBlank = (at: number) => text[at] === " " || text[at] === "\t";
  let end = text.length;
  while (end > 0 && isBlank(end - 1)) end--;
  let mark = end;
  while (mark > 0 && text[mark - 1] === "#") mark--;
  const kept = text.slice(0, mark);
  return mark < end && isBlank(mark - 1) && kept.trim() !== "" ? kept : text;
}
