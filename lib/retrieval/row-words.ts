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

/** A word that rows have, once however many have it, with what the last query that it meets makes of it. */
export class Word {
  readonly text: string;
  query: Query | undefined;
  meeting: Meeting | undefined;

  constructor(text: string) {
    this.text = text;
  }
}

/** The terms of one query: a word that carries the query has a meeting with them. */
export type Query = readonly string[];

/** The words of a row's fields, as a ranking looks at them. */
export interface RowWords {
  /** Of the name, and of the folder where that is called otherwise. */
  readonly name: readonly Word[];
  /** Of the title where that is not the name. */
  readonly title: readonly Word[];
  readonly description: readonly Word[];
  /** What the description says that the skill is not for. */
  readonly negative: readonly Word[];
  /** Of triggers and tags. */
  readonly triggers: readonly Word[];
  /** English words of what it says in Chinese, Japanese or Korean. */
  readonly translated: readonly Word[];
  readonly phrases: readonly (readonly Word[])[];
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
  /** Marks the words that are one of the terms or have the stem of one. The rows that are to be looked at are read before. */
  mark(query: Query): void;
}

const KEPT_WORDS = 100_000;

export function createRowReader(translate: Translate, keptWords: number = KEPT_WORDS): RowReader {
  return new KeptRowReader(translate, keptWords);
}

/** Stemming is slow: a word is stemmed when a query has one that begins like it, and only once. */
interface Group {
  unstemmed: Word[];
  readonly byStem: Map<string, Word[]>;
}

class KeptRowReader implements RowReader {
  private read = new WeakMap<IndexedRow, RowWords>();
  private readonly words = new Map<string, Word>();
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
      translated: translated.map((word) => this.wordOf(word)),
      phrases: phrasesOf(positive, row.triggers).map((words) => words.map((word) => this.wordOf(word))),
      text,
      different: new Set(description).size,
      key: nameKey(row.name),
    };
    this.read.set(row, found);
    return found;
  }

  mark(query: Query): void {
    for (const [at, term] of query.entries())
      for (const word of this.withStemOf(term)) {
        const known = word.query === query ? word.meeting : undefined;
        const meeting = known ?? { at: undefined, sameStem: [] };
        word.query = query;
        word.meeting = meeting;
        meeting.sameStem.push(at);
        if (word.text === term) meeting.at = at;
      }
    // Those of the rows of this query are marked: what is read from now on can do with words of its own.
    if (this.words.size > this.keptWords) this.forget();
  }

  private withStemOf(term: string): readonly Word[] {
    const group = this.groups.get(beginningOf(term));
    if (group === undefined) return [];
    for (const word of group.unstemmed) {
      const key = stem(word.text);
      const others = group.byStem.get(key);
      if (others === undefined) group.byStem.set(key, [word]);
      else others.push(word);
    }
    group.unstemmed = [];
    return group.byStem.get(stem(term)) ?? [];
  }

  private wordsIn(text: string): Word[] {
    return this.split(text === "" ? "" : indexTerms(text));
  }

  private split(terms: string): Word[] {
    return terms === "" ? [] : terms.split(" ").map((text) => this.wordOf(text));
  }

  private wordOf(text: string): Word {
    const known = this.words.get(text);
    if (known !== undefined) return known;
    const word = new Word(text);
    this.words.set(text, word);
    const group = this.groups.get(beginningOf(text));
    if (group === undefined) this.groups.set(beginningOf(text), { unstemmed: [word], byStem: new Map() });
    else group.unstemmed.push(word);
    return word;
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
