/** What a terminal draws two columns wide: letters of Chinese, Japanese and Korean, their punctuation, and emoji. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const NONE = /[\p{Mn}\p{Me}\p{Cf}]/u;

function widthOf(char: string): number {
  if (/[\x20-\x7e]/.test(char)) return 1;
  return NONE.test(char) ? 0 : WIDE.test(char) ? 2 : 1;
}

/** How many columns of a terminal a text of one line takes. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const char of text) columns += widthOf(char);
  return columns;
}

/** The text in at most so many columns, with an ellipsis where it was cut. */
export function clipColumns(text: string, most: number): string {
  if (columnsOf(text) <= most) return text;
  let columns = 0;
  let kept = "";
  for (const char of text) {
    columns += widthOf(char);
    if (columns > most - 1) break;
    kept += char;
  }
  return `${kept.trimEnd()}…`;
}

/** The text in exactly so many columns or more: spaces behind it. */
export function padColumns(text: string, least: number): string {
  return text + " ".repeat(Math.max(0, least - columnsOf(text)));
}
