import { clip } from "../core/text.ts";
import type { Findings } from "./findings.ts";

/** Cheap first look: U+DB40 is the first half of every tag character. */
const SUSPECT = /[\u202A-\u202E\u2066-\u2069\uDB40\uFEFF]/;
/**
 * Runs of tag characters, and before them the three flags that are made of some: England, Scotland, Wales. A run that
 * is no flag hides text.
 */
const TAGS =
  /\u{1F3F4}\u{E0067}\u{E0062}(?:\u{E0065}\u{E006E}\u{E0067}|\u{E0073}\u{E0063}\u{E0074}|\u{E0077}\u{E006C}\u{E0073})\u{E007F}|([\u{E0000}-\u{E007F}]+)/gu;
const BIDI = /([\u202A-\u202E\u2066-\u2069])/gu;
const MARK = /(\uFEFF)/gu;
/** Nobody needs to know of more places. */
const PLACES = 1_000;
const HIDDEN_CHARS = 80;

/** What a reader does not see but a model does (B111): one warning a kind, at its first place. */
export function findInvisible(text: string, findings: Findings): void {
  const start = text.startsWith("\uFEFF") ? 1 : 0;
  if (!SUSPECT.test(start === 0 ? text : text.slice(1))) return;
  const tags = placesOf(TAGS, text, start);
  const hidden = clip(decodeTags(tags.words), HIDDEN_CHARS);
  report(tags, `tag characters that spell ${JSON.stringify(hidden)}`, findings);
  report(placesOf(BIDI, text, start), "characters that change the direction of writing", findings);
  report(placesOf(MARK, text, start), "byte order marks inside the text", findings);
}

interface Places {
  readonly count: number;
  readonly first: number;
  /** The beginning of what stands there, joined by blanks. */
  readonly words: string;
}

function placesOf(pattern: RegExp, text: string, start: number): Places {
  let [count, first, words] = [0, 0, ""];
  for (const { 1: found, index } of text.matchAll(pattern)) {
    if (found === undefined || index < start) continue;
    if (count++ === 0) first = index;
    if (words.length <= 2 * HIDDEN_CHARS)
      words += (words === "" ? "" : " ") + found.slice(0, 4 * HIDDEN_CHARS);
    if (count > PLACES) break;
  }
  return { count, first, words };
}

function report({ count, first }: Places, what: string, findings: Findings): void {
  if (count === 0) return;
  const many = count > PLACES ? `more than ${PLACES}` : String(count);
  const places = count === 1 ? "here" : `in ${many} places, first here`;
  findings.warn(
    "TEXT_INVISIBLE",
    first,
    `The text holds invisible ${what} (${places}). Remove them unless you put them there.`,
  );
}

/** Tag characters carry ASCII: U+E0041 is an invisible "A". */
function decodeTags(words: string): string {
  return words
    .replace(/[\u{E0000}-\u{E007F}]/gu, (char) =>
      String.fromCharCode((char.codePointAt(0) ?? 0xe0020) - 0xe0000),
    )
    .replace(/[^ -~]/g, "");
}
