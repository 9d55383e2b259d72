import { LIMITS } from "./limits.ts";
import { cutBytes } from "./text.ts";

/** Words that carry no subject, and what prompts are padded with (`ranking.md`). Dropped from queries, never from the index. */
const STOP_WORDS = new Set(
  `a about above after again all also am an and any are as at be because been before being below between both but by
  can could did do does doing down during each few for from further get had has have having he her here hers him his
  how i if in into is it its itself just me more most my myself no nor not now of off on once only or other our ours
  out over own same she should so some such than that the their theirs them then there these they this those through
  to too under until up very was we were what when where which while who whom why will with would you your yours
  please help need want like let us give show tell know s t d ll m re ve`.split(/\s+/),
);

const WORD = /[\p{L}\p{N}\p{M}\p{Co}]+(?:['’][\p{L}\p{M}]+)*/gu;
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+/gu;

/** NFKC, well-formed, without diacritics; case kept, because humps of identifiers are still to be seen. */
function fold(text: string): string {
  return text
    .toWellFormed()
    .normalize("NFKD")
    .replace(/\p{Mn}+/gu, (marks) => (/[\u3099\u309A]/.test(marks) ? marks : ""))
    .normalize("NFKC");
}

function bigrams(run: string): string[] {
  const letters = [...run];
  if (letters.length < 2) return letters;
  return letters.slice(1).map((letter, i) => `${letters[i]}${letter}`);
}

/** `parseConfigFile2` → parse, config, file; nothing for a plain word. */
function parts(word: string): string[] {
  const pieces = word.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+|[^\p{Lu}\p{Ll}\p{N}]+/gu) ?? [];
  return pieces.length > 1 ? pieces.filter((piece) => piece.length > 1) : [];
}

/** The words of a text, in order: runs of CJK as bigrams, pieces after an apostrophe dropped. */
function words(text: string, withParts: boolean): string[] {
  const found: string[] = [];
  for (const [word] of fold(text).matchAll(WORD)) {
    const bare = word.replace(/['’].*$/u, "");
    let at = 0;
    for (const run of bare.matchAll(CJK)) {
      add(bare.slice(at, run.index));
      for (const pair of bigrams(run[0])) found.push(pair);
      at = run.index + run[0].length;
    }
    add(bare.slice(at));
  }
  return found;

  function add(word: string): void {
    if (word === "") return;
    if (word.length <= LIMITS.termChars) found.push(word.toLowerCase());
    if (!withParts) return;
    for (const part of parts(word)) if (part.length <= LIMITS.termChars) found.push(part.toLowerCase());
  }
}

/** Punctuation and symbols of typographers: no letters, so lines that hold nothing else outside ASCII stay plain. */
const TYPOGRAPHIC = /[\u2010-\u2018\u201A-\u2027\u2030-\u205E\u2190-\u2BFF]+/g;

/** For each byte: 0 no word, 1 lower case, 2 upper case, 3 digit. */
const KINDS = Uint8Array.from({ length: 256 }, (_, code) =>
  code >= 97 && code <= 122 ? 1 : code >= 65 && code <= 90 ? 2 : code >= 48 && code <= 57 ? 3 : 0,
);
const UPPER = 2;
const SPACE = 32;
const APOSTROPHE = 39;

/** `words` with parts, for ASCII text: one pass over its bytes, since bodies are long and nearly all plain. */
function plainTerms(text: string): string {
  const bytes = Buffer.from(`${text} `, "latin1");
  const out = Buffer.allocUnsafe(bytes.length);
  const pieces: string[] = [];
  let written = 0;
  let start = -1;
  let before = 0;
  let humped = false;
  for (let i = 0; i < bytes.length; i++) {
    const code = bytes[i] ?? 0;
    const kind = KINDS[code] ?? 0;
    if (kind !== 0) {
      if (start === -1) start = i;
      else if (kind !== before && !(before === UPPER && kind === 1 && i - start === 1)) humped = true;
      before = kind;
      continue;
    }
    if (start === -1) continue;
    if (i - start <= LIMITS.termChars) {
      for (let k = start; k < i; k++)
        out[written++] = KINDS[bytes[k] ?? 0] === UPPER ? (bytes[k] ?? 0) + 32 : (bytes[k] ?? 0);
      out[written++] = SPACE;
    }
    if (humped) pieces.push(...parts(bytes.toString("latin1", start, i)));
    while (bytes[i] === APOSTROPHE && isLetter(bytes[i + 1]))
      do i++;
      while (isLetter(bytes[i + 1]));
    start = -1;
    humped = false;
  }
  const short = pieces.filter((piece) => piece.length <= LIMITS.termChars);
  return `${out.toString("latin1", 0, written)}${short.join(" ").toLowerCase()}`.trimEnd();
}

function isLetter(code: number | undefined): boolean {
  const kind = KINDS[code ?? 0];
  return kind === 1 || kind === UPPER;
}

/** The terms of one field of the index, joined by single spaces: identifiers whole and in parts. */
export function indexTerms(text: string): string {
  const plain: string[] = [];
  const found: string[] = [];
  for (const line of text.replace(TYPOGRAPHIC, " ").split("\n")) {
    if (!/[^\0-\x7f]/.test(line)) plain.push(line);
    else
      for (const piece of line.split(/\s+/))
        /[^\0-\x7f]/.test(piece) ? found.push(...words(piece, true)) : plain.push(piece);
  }
  const terms = plainTerms(plain.join("\n"));
  return terms === "" ? found.join(" ") : [...found, terms].join(" ");
}

/**
 * The terms of a query, each once, in order of first appearance, at most 32: identifiers whole, without stop words
 * unless there is nothing else. Any text gives an answer; a text without letters and digits gives none.
 */
export function queryTerms(query: string): string[] {
  const all = [...new Set(words(cutBytes(query, LIMITS.queryBytes), false))];
  const content = all.filter((term) => !STOP_WORDS.has(term));
  return (content.length > 0 ? content : all).slice(0, LIMITS.queryTerms);
}
