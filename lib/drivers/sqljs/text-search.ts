import type { IndexedRow } from "../../schema/row.ts";
import type { Batch, Fields, Filter, Frequencies, Hit, SearchTerms } from "../driver.ts";
import { exactScore, fold, literalScore } from "../ladder.ts";
import { ORDERS } from "../order.ts";
import { type Found, findBest, type SoughtWord } from "./best.ts";
import { compileFilter } from "./filter.ts";
import { isOneWord, openTextIndex, type TextIndex } from "./postings.ts";
import {
  countHolding,
  countRows,
  firstOf,
  type Labels,
  matchRows,
  namesOf,
  readLabels,
  rowsOf,
} from "./reads.ts";
import type { Statements } from "./statements.ts";

/** Rows and filters that are kept while the index stays as it is. */
const KEPT_ROWS = 12_000;
const KEPT_FILTERS = 16;

/** Searching and counting words, with what the last questions had to be read for them. */
export interface TextSearch {
  search(terms: SearchTerms, filter: Filter, limit: number): Hit[];
  frequencies(terms: readonly string[], fields: Fields): Frequencies;
  names(filter: Filter): readonly string[];
  /** After a batch that changed something. */
  forget(batch: Batch): void;
}

type Match = Extract<SearchTerms, { kind: "match" }>;
type Comparison = Exclude<SearchTerms, Match>;

export function createTextSearch(statements: Statements, fullText: boolean): TextSearch {
  return new KeptTextSearch(statements, fullText);
}

class KeptTextSearch implements TextSearch {
  private readonly statements: Statements;
  private readonly fullText: boolean;
  /** Null where the engine has to be asked. */
  private text: TextIndex | null | undefined;
  private total: number | undefined;
  private labels: readonly Labels[] | undefined;
  private readonly rows = new Map<number, IndexedRow>();
  private readonly eligible = new Map<string, Uint8Array>();
  /** Of the last filter that names were asked for. */
  private named: { readonly filter: string; readonly names: readonly string[] } | undefined;

  constructor(statements: Statements, fullText: boolean) {
    this.statements = statements;
    this.fullText = fullText;
  }

  forget({ put = [], remove = [], events = [], forgetEvents = false }: Batch): void {
    if (events.length > 0 || forgetEvents) this.rows.clear();
    if (put.length + remove.length === 0) return;
    this.rows.clear();
    this.text = undefined;
    this.total = undefined;
    this.labels = undefined;
    this.eligible.clear();
    this.named = undefined;
  }

  frequencies(terms: readonly string[], fields: Fields): Frequencies {
    this.total ??= countRows(this.statements, {});
    return {
      rows: this.total,
      holding: terms.map((term) => (this.fullText ? this.holding(term, fields) : 0)),
    };
  }

  names(filter: Filter): readonly string[] {
    const key = JSON.stringify(filter);
    if (this.named?.filter !== key) this.named = { filter: key, names: namesOf(this.statements, filter) };
    return this.named.names;
  }

  search(terms: SearchTerms, filter: Filter, limit: number): Hit[] {
    const most = Number.isNaN(limit) ? 0 : Math.max(0, Math.trunc(limit));
    if (most === 0 || (terms.kind === "match" && !this.fullText)) return [];
    if (terms.kind !== "match") return this.best(this.compared(terms, filter), most);
    const [text, words] = [this.opened(), wordsOf(terms)];
    if (text === null || words === undefined || terms.all)
      return matchRows(this.statements, terms, filter, most);
    const sought = words.map(({ word, fields }): SoughtWord => {
      const holding = text.holding(word, fields);
      return { postings: text.of(word), headsAlone: fields === "heads", holding };
    });
    return this.best(findBest(sought, text.documents, this.eligibleFor(filter), most), most);
  }

  /** Rows whose name or text has something of what is looked for, best first. */
  private compared(terms: Comparison, filter: Filter): Found[] {
    this.labels ??= readLabels(this.statements);
    const [score, eligible] = [scorerOf(terms), this.eligibleFor(filter)];
    const found: Found[] = [];
    for (const { id, key, text } of this.labels) {
      if (eligible[id] !== 1) continue;
      const own = score(key, text);
      if (own > 0) found.push({ id, score: own, body: 0 });
    }
    return found.sort((a, b) => b.score - a.score);
  }

  private holding(term: string, fields: Fields): number {
    const text = this.opened();
    return text !== null && isOneWord(term)
      ? text.holding(term, fields)
      : countHolding(this.statements, term, fields);
  }

  private opened(): TextIndex | null {
    if (this.text === undefined) this.text = openTextIndex(this.statements) ?? null;
    return this.text;
  }

  /** At most `limit` of what was found, which is in the order of the scores: equal ones by time and name. */
  private best(found: readonly Found[], limit: number): Hit[] {
    const hits = this.hits(cutTies(this.statements, found, limit));
    return hits.sort((a, b) => b.score - a.score || ORDERS.recent(a.row, b.row));
  }

  /** 1 for each row number that passes the filter. */
  private eligibleFor(filter: Filter): Uint8Array {
    const key = JSON.stringify(filter);
    const known = this.eligible.get(key);
    if (known !== undefined) return known;
    const where = compileFilter(filter);
    const packed = this.statements.one(
      `SELECT json_group_array(s.id) FROM skills s WHERE ${where.sql}`,
      where.values,
    );
    const ids = JSON.parse(String(packed?.[0] ?? "[]")) as number[];
    const passing = new Uint8Array(ids.reduce((most, id) => Math.max(most, id), 0) + 1);
    for (const id of ids) passing[id] = 1;
    if (this.eligible.size >= KEPT_FILTERS) this.eligible.clear();
    this.eligible.set(key, passing);
    return passing;
  }

  private hits(found: readonly Found[]): Hit[] {
    if (this.rows.size + found.length > KEPT_ROWS) this.rows.clear();
    const missing = found.map(({ id }) => id).filter((id) => !this.rows.has(id));
    for (const [at, row] of rowsOf(this.statements, missing).entries())
      this.rows.set(missing[at] as number, row);
    return found.map(({ id, score, body }) => ({ row: this.rows.get(id) as IndexedRow, score, body }));
  }
}

interface Word {
  readonly word: string;
  readonly fields: Fields;
}

/** The words of a match; undefined where one of them is not a word to the tokenizer. */
function wordsOf({ terms, heads = [] }: Match): Word[] | undefined {
  const words = [
    ...terms.map((word): Word => ({ word, fields: "all" })),
    ...heads.map((word): Word => ({ word, fields: "heads" })),
  ];
  return words.every(({ word }) => isOneWord(word)) ? words : undefined;
}

function scorerOf(terms: Comparison): (key: string, text: string) => number {
  if (terms.kind === "exact") {
    const wanted = fold(terms.text);
    return (key, text) => exactScore(key, text, wanted);
  }
  const tokens = terms.tokens.map(fold);
  return (key, text) => literalScore(key, text, tokens);
}

/** The first `limit`, and of the rows that score like the last of these the first by time and name. Best first. */
function cutTies(statements: Statements, found: readonly Found[], limit: number): readonly Found[] {
  if (found.length <= limit) return found;
  const least = found[limit - 1]?.score ?? 0;
  const above = found.filter(({ score }) => score > least);
  const tied = new Map(found.filter(({ score }) => score === least).map((one) => [one.id, one]));
  if (above.length + tied.size === limit) return found.slice(0, limit);
  const first = firstOf(statements, [...tied.keys()], limit - above.length);
  return [...above, ...first.map((id) => tied.get(id)).filter((one) => one !== undefined)];
}
