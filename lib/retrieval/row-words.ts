import type { Translate } from "../core/glossary.ts";
import { nameKey } from "../core/names.ts";
import { stem } from "../core/stem.ts";
import { indexTerms } from "../core/terms.ts";
import type { IndexedRow } from "../schema/row.ts";
import { splitNegative } from "./negative.ts";
import { phrasesOf } from "./phrases.ts";

/** Which terms of a query a word is: itself, and by its stem. */
export interface Meeting {
  at: number | undefined;
  readonly sameStem: number[];
}

/** The words of a field in order, each as its number: told apart a hundred times faster than objects. */
export type Words = Uint32Array;

/** What the words of rows have in common with the terms of one query; those that were read before it was asked. */
export interface Meetings {
  /** By the number of a word: which of `all` is its own, counted from 1. 0 or nothing: none. */
  readonly of: Uint16Array;
  readonly all: readonly Meeting[];
}

/** The words of a row's fields, as a ranking looks at them. */
export interface RowWords {
  /** Of the name, and of the folder where that is called otherwise. */
  readonly name: Words;
  /** Of the title where that is not the name. */
  readonly title: Words;
  readonly description: Words;
  /** What the description says that the skill is not for. */
  readonly negative: Words;
  /** Of triggers and tags. */
  readonly triggers: Words;
  /** English words of what it says in Chinese, Japanese or Korean. */
  readonly translated: Words;
  readonly phrases: readonly Words[];
  /** The terms of the whole description. */
  readonly text: string;
  /** How many different ones there are. */
  readonly different: number;
  /** `nameKey` of the name. */
  readonly key: string;
}

/** Reads the words of rows and keeps them for as long as the row itself is kept. */
export interface RowReader {
  of(row: IndexedRow): RowWords;
  /** The words that are one of the terms or have the stem of one. The rows that are to be looked at are read before. */
  meet(query: readonly string[]): Meetings;
}

const KEPT_WORDS = 100_000;

export function createRowReader(translate: Translate, keptWords: number = KEPT_WORDS): RowReader {
  return new KeptRowReader(translate, keptWords);
}

/** Stemming is slow: a word is stemmed when a query has one that begins like it, and only once. */
interface Group {
  unstemmed: string[];
  readonly byStem: Map<string, string[]>;
}

class KeptRowReader implements RowReader {
  private read = new WeakMap<IndexedRow, RowWords>();
  /** The number of each word. */
  private readonly words = new Map<string, number>();
  /** Words by their first two letters, which their stems share. */
  private readonly groups = new Map<string, Group>();
  private readonly translate: Translate;
  private readonly keptWords: number;

  constructor(translate: Translate, keptWords: number) {
    this.translate = translate;
    this.keptWords = keptWords;
  }

  of(row: IndexedRow): RowWords {
    const known = this.read.get(row);
    if (known !== undefined) return known;
    const { positive, negative } = splitNegative(row.description);
    const text = indexTerms(row.description);
    const description = this.split(text);
    const triggers = [...row.triggers, ...row.tags].join(" ");
    const translated = this.translate([row.name, row.title, positive, triggers].join("\n"));
    const found: RowWords = {
      name: this.wordsIn(nameOf(row)),
      title: this.wordsIn(row.title === row.name ? "" : row.title),
      description: negative === "" ? description : this.wordsIn(positive),
      negative: this.wordsIn(negative),
      triggers: this.wordsIn(triggers),
      translated: this.numbersOf(translated),
      phrases: phrasesOf(positive, row.triggers).map((words) => this.numbersOf(words)),
      text,
      different: new Set(description).size,
      key: nameKey(row.name),
    };
    this.read.set(row, found);
    return found;
  }

  meet(query: readonly string[]): Meetings {
    const of = new Uint16Array(this.words.size);
    const all: Meeting[] = [];
    for (const [at, term] of query.entries())
      for (const text of this.withStemOf(term)) {
        const word = this.words.get(text) as number;
        const known = all[(of[word] ?? 0) - 1];
        const meeting = known ?? { at: undefined, sameStem: [] };
        meeting.sameStem.push(at);
        if (text === term) meeting.at = at;
        if (known === undefined) of[word] = all.push(meeting);
      }
    // The rows of this query are read and its meetings known: what is read from now on can do with numbers of its own.
    if (this.words.size > this.keptWords) this.forget();
    return { of, all };
  }

  private withStemOf(term: string): readonly string[] {
    const group = this.groups.get(beginningOf(term));
    if (group === undefined) return [];
    for (const text of group.unstemmed) {
      const key = stem(text);
      const others = group.byStem.get(key);
      if (others === undefined) group.byStem.set(key, [text]);
      else others.push(text);
    }
    group.unstemmed = [];
    return group.byStem.get(stem(term)) ?? [];
  }

  private wordsIn(text: string): Words {
    return this.split(text === "" ? "" : indexTerms(text));
  }

  private split(terms: string): Words {
    return this.numbersOf(terms === "" ? [] : terms.split(" "));
  }

  private numbersOf(words: readonly string[]): Words {
    const numbers = new Uint32Array(words.length);
    for (let at = 0; at < words.length; at++) numbers[at] = this.numberOf(words[at] as string);
    return numbers;
  }

  private numberOf(text: string): number {
    const known = this.words.get(text);
    if (known !== undefined) return known;
    const number = this.words.size;
    this.words.set(text, number);
    const group = this.groups.get(beginningOf(text));
    if (group === undefined) this.groups.set(beginningOf(text), { unstemmed: [text], byStem: new Map() });
    else group.unstemmed.push(text);
    return number;
  }

  private forget(): void {
    this.read = new WeakMap();
    this.words.clear();
    this.groups.clear();
  }
}

function beginningOf(word: string): string {
  return word.slice(0, 2);
}

/** The name, and the folder where that is called otherwise. */
function nameOf({ name, path }: IndexedRow): string {
  const folder =
    path
      .replace(/\/?skill\.md$/i, "")
      .replace(/\.md$/i, "")
      .split("/")
      .at(-1) ?? "";
  return folder === name ? name : `${name} ${folder}`;
}
