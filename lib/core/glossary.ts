import { JA } from "./glossary/ja.ts";
import { KO } from "./glossary/ko.ts";
import { ZH } from "./glossary/zh.ts";
import { ZH_MORE } from "./glossary/zh-more.ts";

/** The words of the same first two letters: their lengths in UTF-16 units, longest first. */
type Lengths = Map<string, number[]>;

interface Table {
  readonly english: ReadonlyMap<string, readonly string[]>;
  readonly lengths: Lengths;
}

/**
 * The English words for the Chinese, Japanese and Korean words of a text, each once, in order of first
 * appearance: lower-case letters and digits. Whatever is in no table gives none.
 */
export type Translate = (text: string) => string[];

/** The first unit of the scripts that have words here, and whatever becomes a letter of them in NFKC. */
const FIRST_LETTER = 0x1100;
const HAS_LETTERS = /[\u1100-\u11ff\u3041-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff66-\uffdc]/;

const NEITHER = 0;
const KATAKANA = 1;
const HANGUL = 2;

/** The two scripts in which the tail of a word is often another one: コンテスト ends like テスト, 블로그 like 로그. */
function soundScript(unit: number): number {
  if (unit >= 0x30a1 && unit <= 0x30fc && unit !== 0x30fb) return KATAKANA;
  return unit >= 0xac00 && unit <= 0xd7a3 ? HANGUL : NEITHER;
}

/** Reads `word word term term; word term`: words of CJK letters, then the English terms that each of them gets. */
function readTable(texts: readonly string[]): Table {
  const english = new Map<string, readonly string[]>();
  const lengths: Lengths = new Map();
  for (const entry of texts.flatMap((text) => text.split(";"))) {
    const tokens = entry.trim().split(" ");
    const terms = tokens.filter((token) => token.charCodeAt(0) < 128);
    for (const word of tokens.slice(0, tokens.length - terms.length)) {
      english.set(word, terms);
      addLength(lengths, word);
    }
  }
  for (const found of lengths.values()) found.sort((a, b) => b - a);
  return { english, lengths };
}

function addLength(lengths: Lengths, word: string): void {
  const found = lengths.get(word.slice(0, 2));
  if (found === undefined) lengths.set(word.slice(0, 2), [word.length]);
  else if (!found.includes(word.length)) found.push(word.length);
}

/** The longest word of the table that starts at `at`, or "". */
function wordAt(text: string, at: number, { english, lengths }: Table): string {
  for (const length of lengths.get(text.slice(at, at + 2)) ?? []) {
    const word = text.slice(at, at + length);
    if (english.has(word)) return word;
  }
  return english.has(text.charAt(at)) ? text.charAt(at) : "";
}

/**
 * Makes a lookup whose tables are read once, for the first text that has CJK letters. It goes from left to right
 * and takes the longest word each time, in time linear in the text. A word of katakana or hangul is found only
 * where such letters begin or right after another word.
 */
export function createGlossary(texts: readonly string[] = [ZH, ZH_MORE, JA, KO]): Translate {
  let table: Table | undefined;
  return (text) => {
    if (!HAS_LETTERS.test(text)) return [];
    table ??= readTable(texts);
    const whole = text.normalize("NFKC");
    const found = new Set<string>();
    let free = 0;
    let before = NEITHER;
    for (let at = 0; at < whole.length; ) {
      if (whole.charCodeAt(at) < FIRST_LETTER) {
        before = NEITHER;
        at++;
        continue;
      }
      const script = soundScript(whole.charCodeAt(at));
      const canBegin = script === NEITHER || script !== before || at === free;
      const word = canBegin ? wordAt(whole, at, table) : "";
      for (const term of table.english.get(word) ?? []) found.add(term);
      at += Math.max(1, word.length);
      if (word !== "") free = at;
      before = soundScript(whole.charCodeAt(at - 1));
    }
    return [...found];
  };
}
