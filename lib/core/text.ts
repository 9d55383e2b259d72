import { LIMITS } from "./limits.ts";

const encoder = new TextEncoder();

export function byteLength(text: string): number {
  return Buffer.byteLength(text, "utf8");
}

/** Estimated tokens: UTF-8 bytes by four, rounded up (S2.20, C53). */
export function tokenCount(text: string): number {
  return Math.ceil(byteLength(text) / 4);
}

/** White space runs become one space; control, bidi and tag characters go: text that is safe on one line. */
export function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, " ")
    .replace(/[\u{E0000}-\u{E007F}\u202A-\u202E\u2066-\u2069\uFEFF]/gu, "")
    .trim();
}

const UNSEEN = /[\u007F-\u009F\u200B\u200E\u200F\u2028-\u202E\u2060-\u2069\uFEFF\u{E0000}-\u{E007F}]/gu;

/** The text in double quotes for a message: clipped, and with everything that hides or turns the rest written as `\u…`. */
export function quoted(text: string, maxChars: number): string {
  return JSON.stringify(clip(text, maxChars)).replace(UNSEEN, (char) =>
    Array.from(
      { length: char.length },
      (_, at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, "0")}`,
    ).join(""),
  );
}

/** Cuts at a grapheme and, where there is one near, a word boundary; the ellipsis counts (B67, C66). */
export function clip(text: string, maxChars: number): string {
  const whole = text.toWellFormed();
  if (whole.length <= maxChars) return whole;
  if (maxChars < 1) return "";
  let end = /^[\x20-\x7e]*$/.test(whole.slice(0, maxChars)) ? maxChars - 1 : 0;
  if (end > 0) return atWord(whole, end, maxChars);
  for (const { segment, index } of new Intl.Segmenter("und", { granularity: "grapheme" }).segment(
    whole.slice(0, maxChars + 64),
  )) {
    if (index + segment.length > maxChars - 1) break;
    end = index + segment.length;
  }
  return atWord(whole, end, maxChars);
}

function atWord(whole: string, end: number, maxChars: number): string {
  const head = whole.slice(0, end);
  const space = /\s/.test(whole.charAt(end)) ? end : head.search(/\s\S*$/);
  const cut = space > maxChars * 0.6 ? head.slice(0, space) : head;
  return `${cut.replace(/[\s,;:–—-]+$/u, "")}…`;
}

/** The first sentence of a description, on one line, at most `summaryChars` (C31, C66). */
export function summaryOf(description: string, maxChars: number = LIMITS.summaryChars): string {
  const line = oneLine(description);
  if (line.length <= maxChars) return line;
  const sentence = /^.{20,}?(?:[.!?](?=\s)|[。！？])/u.exec(line)?.[0];
  return sentence !== undefined && sentence.length <= maxChars ? sentence : clip(line, maxChars);
}

/** The text, cut after at most `maxBytes` UTF-8 bytes at a code point boundary. */
export function cutBytes(text: string, maxBytes: number): string {
  if (byteLength(text) <= maxBytes) return text;
  const { read } = encoder.encodeInto(text.toWellFormed(), new Uint8Array(maxBytes));
  return text.toWellFormed().slice(0, read);
}

/** "1 file", "2 files": a count with its word. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
