import { clip } from "../core/text.ts";
import type { Findings } from "./findings.ts";

/** Cheap first look: U+DB40 is the first half of every tag character. */
const SUSPECT = /[\u202A-\u202E\u2066-\u2069\uDB40\uFEFF]/;
/** The three flags that are made of tag characters: England, Scotland, Wales. Any other run of them hides text. */
const FLAG =
  /\u{1F3F4}\u{E0067}\u{E0062}(?:\u{E0065}\u{E006E}\u{E0067}|\u{E0073}\u{E0063}\u{E0074}|\u{E0077}\u{E006C}\u{E0073})\u{E007F}/gu;
const TAGS = /[\u{E0000}-\u{E007F}]+/gu;
const BIDI = /[\u202A-\u202E\u2066-\u2069]/gu;
const MARK = /\uFEFF/gu;

/** What a reader does not see but a model does (B111): one warning a kind, at its first place. */
export function findInvisible(text: string, findings: Findings): void {
  const start = text.startsWith("\uFEFF") ? 1 : 0;
  if (!SUSPECT.test(start === 0 ? text : text.slice(1))) return;
  const shown = text.replace(FLAG, (flag) => "x".repeat(flag.length));
  const tags = [...shown.matchAll(TAGS)];
  const hidden = clip(tags.map(([run]) => decodeTags(run)).join(" "), 80);
  report(tags, `tag characters that spell ${JSON.stringify(hidden)}`, findings);
  report([...shown.matchAll(BIDI)], "characters that change the direction of writing", findings);
  report(
    [...shown.matchAll(MARK)].filter(({ index }) => index >= start),
    "byte order marks inside the text",
    findings,
  );
}

function report(found: readonly RegExpExecArray[], what: string, findings: Findings): void {
  const [first] = found;
  if (first === undefined) return;
  const places = found.length === 1 ? "here" : `in ${found.length} places, first here`;
  findings.warn(
    "TEXT_INVISIBLE",
    first.index,
    `The text holds invisible ${what} (${places}). Remove them unless you put them there.`,
  );
}

/** Tag characters carry ASCII: U+E0041 is an invisible "A". */
function decodeTags(run: string): string {
  return [...run]
    .map((char) => String.fromCharCode((char.codePointAt(0) ?? 0xe0020) - 0xe0000))
    .join("")
    .replace(/[^ -~]/g, "");
}
