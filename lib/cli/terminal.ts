import { oneLine } from "../core/text.ts";

/**
 * A line that a terminal shows and does not obey: every text between runs of two or more spaces, which set columns
 * apart, goes through `oneLine`. For all text output but the bodies that `read` and `stub` hand out.
 */
export function shown(line: string): string {
  return line
    .split(/( {2,})/)
    .map((part, at) => (at % 2 === 0 ? oneLine(part) : part))
    .join("")
    .trimEnd();
}

/** A text of several lines, such as a stack, each of them `shown`. */
export function shownLines(text: string): string {
  return text.split("\n").map(shown).join("\n");
}
