import { endianness } from "node:os";
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

/** The same among pairs of CJK letters: particles, pronouns, "please help me", "what is", "one of". */
const STOP_PAIRS = new Set(
  `帮我 帮忙 请帮 我帮 一下 下这 这个 那个 这些 那些 这段 这篇 这是 那是 我的 你的 他的 我们 你们 他们 我想 想要 我要 要把 我有 我在 我把 把我 把这
  给我 给你 需要 可以 能不 不能 能否 是否 是不 不是 怎么 么样 什么 为什 如何 哪些 哪个 一个 个是 一些 一份 一篇 一段 几个 有没 没有 还有 有一 有什 请问 请把 请给
  请用 麻烦 告诉 诉我 看看 看一 就是 但是 然后 因为 所以 如果 或者 以及 并且 而且 已经 现在 应该 知道 觉得 里的 上的 中的 了一 的一 是一 用一 做一 写一 的是
  して した ます です ませ ださ くだ さい たい こと ため この その って ない する から まで よう にし では には とは ある いる
  해줘 해주 주세 세요 알려 려줘 하는 하고 해서 있는 있어 뭐가 어떻 떻게 으로 에서 에게 합니 니다 습니 인가 가요`.split(
    /\s+/,
  ),
);

const WORD = /[\p{L}\p{N}\p{M}\p{Co}]+/gu;
/** What an apostrophe cuts off (don't, it's, we'll): one or two letters that mean nothing alone. */
const CUT_OFF = /(?<=[\p{L}\p{N}\p{M}]['’])\p{L}{1,2}(?![\p{L}\p{N}\p{M}\p{Co}])/gu;
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+/gu;
const HAS_CJK = new RegExp(CJK.source, "u");

/** Whether a term is a pair of Chinese, Japanese or Korean letters, or one alone. */
export function isCjk(term: string): boolean {
  return HAS_CJK.test(term);
}

/** Letters that may carry marks, and marks: outside ASCII and of no CJK script. */
const MAY_HAVE_MARKS =
  /(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])[^\0-\x7f]/u;

/** A word without diacritics: NFKC before and after; voiced kana keep their marks. */
function bare(word: string): string {
  if (!MAY_HAVE_MARKS.test(word)) return word;
  const apart = word
    .normalize("NFKD")
    .replace(/\p{Mn}+/gu, (marks) => (/[\u3099\u309A]/.test(marks) ? marks : ""));
  return apart.normalize("NFKC");
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

/** The words of a text, in order: runs of CJK as bigrams, without what apostrophes cut off. */
function words(text: string, withParts: boolean): string[] {
  const found: string[] = [];
  const whole = text.toWellFormed().normalize("NFKC");
  for (const [match] of (/['’]/.test(whole) ? whole.replace(CUT_OFF, "") : whole).matchAll(WORD)) {
    const word = bare(match);
    if (!HAS_CJK.test(word)) {
      add(word);
      continue;
    }
    let at = 0;
    for (const run of word.matchAll(CJK)) {
      add(word.slice(at, run.index));
      found.push(...bigrams(run[0]));
      at = run.index + run[0].length;
    }
    add(word.slice(at));
  }
  return found;

  function add(word: string): void {
    if (word === "") return;
    if (word.length <= LIMITS.termChars) found.push(word.toLowerCase());
    if (!withParts) return;
    for (const part of parts(word)) if (part.length <= LIMITS.termChars) found.push(part.toLowerCase());
  }
}

const NONE = 0;
const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;
/** Chinese, Japanese and Korean letters that stand for themselves in NFKC. */
const IDEOGRAPH = 4;
/** Anything else outside ASCII but the punctuation and symbols of typographers: left to `words`. */
const OTHER = 5;
const APOSTROPHES: ReadonlySet<number> = new Set([0x27, 0x2019]);
const IDEOGRAPHS = [
  [0x3041, 0x3096],
  [0x30a1, 0x30fa],
  [0x30fc, 0x30fc],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xac00, 0xd7a3],
] as const;
const SYMBOLS = [
  [0x2010, 0x205e],
  [0x2190, 0x2bff],
  [0x3000, 0x3002],
  [0x3008, 0x3011],
  [0xff0c, 0xff0c],
] as const;

/** The kind of each UTF-16 unit. */
const KINDS = Uint8Array.from({ length: 65_536 }, (_, unit) => {
  if (unit >= 97 && unit <= 122) return LOWER;
  if (unit >= 65 && unit <= 90) return UPPER;
  if (unit >= 48 && unit <= 57) return DIGIT;
  if (unit < 128 || SYMBOLS.some(([from, to]) => unit >= from && unit <= to)) return NONE;
  return IDEOGRAPHS.some(([from, to]) => unit >= from && unit <= to) ? IDEOGRAPH : OTHER;
});

/** A word of a text from `start` to `end`; `most` is the highest kind in it, `humped` if it changes kind as identifiers do. */
type TakeRun = (start: number, end: number, most: number, humped: boolean) => void;

/** Calls `take` for each run of word characters, in one pass over the text: bodies are long. */
function scan(units: Uint16Array, take: TakeRun): void {
  let start = -1;
  let before = NONE;
  let most = NONE;
  let humped = false;
  for (let i = 0; i < units.length; i++) {
    const kind = KINDS[units[i] as number] as number;
    if (kind !== NONE) {
      if (kind > most) most = kind;
      if (start === -1) start = i;
      else if (kind !== before && !(before === UPPER && kind === LOWER && i - start === 1)) humped = true;
      before = kind;
    } else if (start !== -1) {
      take(start, i, most, humped);
      start = -1;
      most = NONE;
      humped = false;
    }
  }
}

/** The same as `CUT_OFF`, for a run of ASCII. */
function isCutOff(units: Uint16Array, start: number, end: number): boolean {
  if (end - start > 2 || start < 2 || !APOSTROPHES.has(units[start - 1] ?? 0)) return false;
  for (let i = start; i < end; i++) if (KINDS[units[i] ?? 0] === DIGIT) return false;
  return KINDS[units[start - 2] ?? 0] !== NONE;
}

/** The terms of one field of the index, joined by single spaces: identifiers whole and in parts. */
export function indexTerms(text: string): string {
  // The space at the end closes the last word.
  const copy = Buffer.from(`${text} `, "utf16le");
  if (endianness() === "BE") copy.swap16();
  const units = new Uint16Array(copy.buffer, copy.byteOffset, copy.length / 2);
  const out = Buffer.allocUnsafe(units.length);
  let written = 0;
  let mixed = "";
  let pieces = "";
  scan(units, (start, end, most, humped) => {
    if (most === OTHER) mixed += `${text.slice(start, end)} `;
    else if (most === IDEOGRAPH) pieces += ideographTerms(text.slice(start, end));
    else if (!isCutOff(units, start, end)) {
      if (end - start <= LIMITS.termChars) {
        for (let k = start; k < end; k++) {
          const unit = units[k] as number;
          out[written++] = unit >= 65 && unit <= 90 ? unit + 32 : unit;
        }
        out[written++] = 32;
      }
      if (humped) pieces += partTerms(text.slice(start, end));
    }
  });
  const rest = mixed === "" ? "" : words(mixed, true).join(" ");
  return `${out.toString("latin1", 0, written)}${pieces}${rest}`.trimEnd();
}

function partTerms(word: string): string {
  let terms = "";
  for (const part of parts(word)) if (part.length <= LIMITS.termChars) terms += `${part.toLowerCase()} `;
  return terms;
}

/** What `words` makes of a word of ideographs with or without ASCII beside them. */
function ideographTerms(word: string): string {
  let terms = "";
  for (const piece of word.match(/[A-Za-z0-9]+|[^A-Za-z0-9]+/g) ?? []) {
    if (piece.charCodeAt(0) > 127)
      for (let i = 0; i < Math.max(1, piece.length - 1); i++) terms += `${piece.slice(i, i + 2)} `;
    else if (piece.length <= LIMITS.termChars) terms += `${piece.toLowerCase()} ${partTerms(piece)}`;
    else terms += partTerms(piece);
  }
  return terms;
}

/**
 * The terms of a query, each once, in order of first appearance, at most `most`: identifiers whole, without
 * stop words unless there is nothing else. Any text gives an answer; a text without letters and digits gives none.
 */
export function queryTerms(query: string, most: number = LIMITS.queryTerms): string[] {
  const all = [...new Set(words(cutBytes(query, LIMITS.queryBytes), false))];
  const content = all.filter((term) => !STOP_WORDS.has(term) && !STOP_PAIRS.has(term));
  return (content.length > 0 ? content : all).slice(0, most);
}
