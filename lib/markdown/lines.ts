/** CR LF, LF and a lone CR end a line, as Markdown and YAML both have it. All offsets are UTF-16 units. */
const CR = 13;
const LF = 10;

/** Where the content of the line at `at` ends: before its line break; not looked for beyond `limit`. */
export function contentEnd(text: string, at: number, limit = text.length): number {
  let end = at;
  while (end < limit && text.charCodeAt(end) !== LF && text.charCodeAt(end) !== CR) end++;
  return end;
}

/** Where the line after the one at `at` begins; not looked for beyond `limit`. */
export function nextLine(text: string, at: number, limit = text.length): number {
  const end = contentEnd(text, at, limit);
  if (text.charCodeAt(end) === CR && text.charCodeAt(end + 1) === LF) return Math.min(end + 2, limit);
  return Math.min(end + 1, limit);
}

/** Where the line that holds `at` begins. */
export function lineStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && text.charCodeAt(start - 1) !== LF && text.charCodeAt(start - 1) !== CR) start--;
  return start;
}

/** The line break that the text uses on its first line; LF where it has only one line. */
export function eolOf(text: string): string {
  return /\r\n?|\n/.exec(text)?.[0] ?? "\n";
}
