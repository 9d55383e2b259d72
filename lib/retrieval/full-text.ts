import type { Translate } from "../core/glossary.ts";
import { LIMITS } from "../core/limits.ts";
import { nameKey, slugOf } from "../core/names.ts";
import { isCjk } from "../core/terms.ts";
import { cutBytes } from "../core/text.ts";
import type { Filter, Hit, IndexDriver } from "../drivers/driver.ts";
import type { IndexedRow } from "../schema/row.ts";
import { measureOf } from "./poor.ts";
import { type CountedTerm, type Demand, rank, type Scored, type WeighedTerm, weigh } from "./rank.ts";
import type { RowReader } from "./row-words.ts";

/** Candidates that the ranking looks at, or as many as are asked for. */
const CANDIDATES = 100;

export interface WordSearch {
  readonly filter: Filter;
  readonly query: string;
  /** All the words of the query, in order. */
  readonly terms: readonly string[];
  readonly limit: number;
  readonly translate: Translate;
  /** Keeps the words of rows between queries; without it they are read anew. */
  readonly reader?: RowReader;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Skills that answer a text, best first: the index gives the candidates that have any of its rarest words, the ranking
 * orders them. The skill that is called like the query is always among them (B06). More than `limit` may come back.
 */
export async function findByWords(driver: IndexDriver, wanted: WordSearch): Promise<Scored[]> {
  const { hits, named, terms, asked } = await findCandidates(driver, wanted);
  return rank(hits, named, terms, wanted.translate, asked, wanted.reader);
}

/** What `rank` puts in order. */
interface Candidates {
  readonly hits: readonly Hit[];
  /** Rows that are called like the query, whether or not the full text found them. */
  readonly named: readonly IndexedRow[];
  /** The words to rank by, in order, then their translations. */
  readonly terms: readonly WeighedTerm[];
  readonly asked: Demand;
}

async function findCandidates(driver: IndexDriver, wanted: WordSearch): Promise<Candidates> {
  const known = new Set(wanted.terms);
  const english = wanted
    .translate(cutBytes(wanted.query, LIMITS.queryBytes))
    .filter((term) => !known.has(term));
  const { rows, counted } = await count(driver, [...wanted.terms, ...english], wanted.signal);
  const own = counted.slice(0, wanted.terms.length);
  const chosen = choose(telling(own));
  const translated = rarest(counted.slice(own.length), LIMITS.translatedTerms);
  const named = await calledLike(driver, wanted.filter, wanted.query);
  const terms = [...weigh(chosen, rows), ...weigh(translated, rows, true)];
  const asked = { measure: measureOf(weigh(own, rows), rows), isWhole: chosen.length === own.length };
  return { hits: await match(driver, wanted, chosen, translated), named, terms, asked };
}

/**
 * The words to rank by, in their order: the rarest, but words before pairs of CJK letters. A prompt in Chinese has many
 * pairs, and nearly all are rarer than the few words in it that say the most, such as the name of a product.
 */
export function choose(terms: readonly CountedTerm[]): CountedTerm[] {
  const words = new Set(
    rarest(
      terms.filter(({ term }) => !isCjk(term)),
      LIMITS.searchedTerms,
    ),
  );
  const others = rarest(
    terms.filter((one) => !words.has(one)),
    LIMITS.queryTerms - words.size,
  );
  const chosen = new Set([...words, ...others]);
  return terms.filter((one) => chosen.has(one));
}

/** The index is asked for the rarest words alone, since frequent ones cost the most and find the least; all are ranked by. */
async function match(
  driver: IndexDriver,
  { filter, limit, signal }: WordSearch,
  chosen: readonly CountedTerm[],
  translated: readonly CountedTerm[],
): Promise<Hit[]> {
  const heads = chosen.filter(({ fields }) => fields === "heads");
  const terms = rarest(
    chosen.filter(({ fields }) => fields === "all"),
    LIMITS.searchedTerms,
  );
  const [inHeads = [], inAll = []] = [heads, [...terms, ...translated]].map((list) =>
    list.map(({ term }) => term),
  );
  const match = { kind: "match", terms: inAll, heads: inHeads, all: false } as const;
  return driver.search(match, filter, Math.max(CANDIDATES, limit), signal);
}

/**
 * How many rows hold each word. Pairs of CJK letters stand in every long text of their language: they are looked for in
 * bodies only where no head has them.
 */
async function count(
  driver: IndexDriver,
  terms: readonly string[],
  signal: AbortSignal | undefined,
): Promise<{ rows: number; counted: CountedTerm[] }> {
  const pairs = terms.filter(isCjk);
  const heads = pairs.length === 0 ? undefined : await driver.frequencies(pairs, "heads", signal);
  const inHeads = new Map(pairs.map((term, at) => [term, heads?.holding[at] ?? 0]));
  const others = terms.filter((term) => (inHeads.get(term) ?? 0) === 0);
  const all = await driver.frequencies(others, "all", signal);
  const inAll = new Map(others.map((term, at) => [term, all.holding[at] ?? 0]));
  const counted = terms.map((term): CountedTerm => {
    const holding = inAll.get(term);
    return holding === undefined
      ? { term, fields: "heads", holding: inHeads.get(term) ?? 0 }
      : { term, fields: "all", holding };
  });
  return { rows: all.rows, counted };
}

/** So many words that the index knows answer a query without pairs that only bodies have. */
const ENOUGH = 3;

/** Pairs that only bodies have say little, most of all of a prompt in another language than the skills: they are the last resort. */
function telling(terms: readonly CountedTerm[]): readonly CountedTerm[] {
  const rest = terms.filter(({ term, fields, holding }) => holding > 0 && !(fields === "all" && isCjk(term)));
  return rest.length >= ENOUGH ? rest : terms;
}

/** The rarest of the words that any row has, in their order; of equally rare ones the first. */
export function rarest(terms: readonly CountedTerm[], most: number): CountedTerm[] {
  return [...terms.entries()]
    .filter(([, { holding }]) => holding > 0)
    .sort(([at, a], [then, b]) => a.holding - b.holding || at - then)
    .slice(0, most)
    .sort(([at], [then]) => at - then)
    .map(([, term]) => term);
}

async function calledLike(driver: IndexDriver, filter: Filter, query: string): Promise<IndexedRow[]> {
  const keys = new Set([nameKey(query.trim()), slugOf(query) ?? ""]);
  const rows: IndexedRow[] = [];
  for (const key of keys)
    if (key !== "" && key.length <= LIMITS.literalBytes)
      rows.push(...(await driver.list({ ...filter, key }, "name", 8)));
  return rows.filter((row) => keys.has(nameKey(row.name)));
}
