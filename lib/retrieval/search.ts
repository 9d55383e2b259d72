import { statSync } from "node:fs";
import { join } from "node:path";
import { CanonryError, isCanonryError } from "../core/errors.ts";
import { sha256 } from "../core/hash.ts";
import { LIMITS } from "../core/limits.ts";
import { throwIfAborted } from "../core/pacer.ts";
import { queryTerms } from "../core/terms.ts";
import { byteLength } from "../core/text.ts";
import type { Filter } from "../drivers/driver.ts";
import type { IndexedRow } from "../schema/row.ts";
import type { Place } from "../vault/place.ts";
import { stampOf } from "../vault/skill-file.ts";
import { foldAlike, type Standing } from "./alike.ts";
import { matchExpression } from "./expression.ts";
import { findByWords } from "./full-text.ts";
import { isPoor } from "./poor.ts";
import type { Scored } from "./rank.ts";
import { suggestNames } from "./suggestions.ts";
import { placeIds, readingPlaces, type View } from "./view.ts";

/** Which step of the ladder answered (S3.12, C28). */
export type SearchPath = "fts5" | "regex" | "exact";
/** Three kinds of "nothing", told apart (design 6, B03). */
export type SearchState = "ok" | "no_match" | "index_empty" | "index_unavailable";

export interface SearchHit {
  readonly name: string;
  readonly place: string;
  readonly description: string;
  /** 0 to 1 within one answer; not to be compared with a threshold (C21). */
  readonly score: number;
  readonly origin: string;
  /** How many near-identical skills are left out for this one; absent where there are none. */
  readonly others?: number;
}

export interface SearchAnswer {
  readonly query: string;
  readonly path: SearchPath;
  readonly state: SearchState;
  readonly hits: readonly SearchHit[];
  /** True where even the best hit answers poorly; nothing is left out for it. Absent otherwise. */
  readonly poor?: true;
  /** Names that may have been meant, at most three: where nothing was found, or poorly. Absent where there are none. */
  readonly suggestions?: readonly string[];
}

export interface SearchOptions {
  /** 1 to 200; default 5 (S1.27); 0 stands for 20 (S3.12). */
  readonly limit?: number | undefined;
  /** A person's regular expression over names, titles, descriptions, triggers and tags (C51). */
  readonly regex?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Names and descriptions that answer a free text, best first. No side effect at all (S1.27); never an error for any
 * query (B02). Throws `CANONRY_USAGE` on a limit out of range, `CANONRY_REGEX` on an expression that is wrong or slow.
 */
export async function searchSkills(
  view: View,
  query: string,
  options: SearchOptions = {},
): Promise<SearchAnswer> {
  const limit = checkedLimit(options.limit);
  throwIfAborted(options.signal);
  const found = await answer(view, query, limit, options).catch((error: unknown) => unavailable(view, error));
  if (found === undefined) return { query, path: "fts5", state: "index_unavailable", hits: [] };
  view.context.emit({
    type: "skill.search_executed",
    query_hash: sha256(query.trim().toLowerCase()).slice(0, 16),
    path: found.path,
    limit,
    result_n: found.hits.length,
  });
  const state = found.hits.length > 0 ? "ok" : (await isEmpty(view)) ? "index_empty" : "no_match";
  const given: SearchAnswer = { query, path: found.path, state, hits: found.hits.map(hitOf) };
  if (options.regex === true || (state !== "no_match" && found.poor !== true)) return given;
  const suggestions = await suggest(view, given, options.signal).catch((error: unknown) =>
    unavailable(view, error),
  );
  return {
    ...given,
    ...(found.poor === true ? { poor: true } : {}),
    ...(suggestions === undefined || suggestions.length === 0 ? {} : { suggestions }),
  };
}

/** A name is no hit that is compared with its file: after a skipped sweep there is a real one before any is told (B21). */
async function suggest(
  view: View,
  { query, hits }: SearchAnswer,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const shown = hits.map(({ name }) => name);
  const names = () =>
    suggestNames(view.catalog.driver, seenBy(readingPlaces(view)), { query, shown, signal });
  const found = await names();
  if (found.length === 0 || !view.catalog.relied) return found;
  await view.catalog.fresh({ force: true, signal });
  return names();
}

async function answer(view: View, query: string, limit: number, options: SearchOptions): Promise<Found> {
  await view.catalog.fresh({ signal: options.signal });
  const places = readingPlaces(view);
  const found = await ladder(view, places, query, limit, options);
  if (!(view.catalog.relied && found.hits.length < limit) && allStand(places, found.hits)) return found;
  await view.catalog.fresh({ force: true, signal: options.signal });
  return ladder(view, readingPlaces(view), query, limit, options);
}

/** An index that fails under the question is a kind of answer; any other fault is the caller's to know. */
function unavailable(view: View, error: unknown): undefined {
  if (!isCanonryError(error, "CANONRY_INDEX_UNAVAILABLE", "CANONRY_INDEX_DAMAGED")) throw error;
  view.context.log.warn(`The index failed: ${error.message}`);
  return undefined;
}

function checkedLimit(limit: number | undefined): number {
  if (limit === undefined) return LIMITS.searchHits;
  if (limit === 0) return LIMITS.searchHitsOfZero;
  if (Number.isInteger(limit) && limit >= 1 && limit <= LIMITS.searchHitsMax) return limit;
  throw new CanonryError(
    "CANONRY_USAGE",
    `The limit of a search is a whole number from 0 to ${LIMITS.searchHitsMax}; received ${limit}.`,
    { data: { received: limit, least: 0, most: LIMITS.searchHitsMax } },
  );
}

function hitOf({ row, score, others = 0 }: FoundHit): SearchHit {
  const hit = { name: row.name, place: row.place, description: row.description, score, origin: row.origin };
  return others === 0 ? hit : { ...hit, others };
}

async function isEmpty(view: View): Promise<boolean> {
  return (await view.catalog.driver.count({ path: placeIds(view), states: ["active"] })) === 0;
}

/** Whether an answer is poor is told by its best hit and the second. */
const COMPARED_HITS = 2;

type FoundHit = Scored & Partial<Standing>;

interface Found {
  readonly path: SearchPath;
  readonly hits: readonly FoundHit[];
  readonly poor?: boolean;
}

/** What an agent may find: the active skills of its reading path that are not for persons alone. */
function seenBy(places: readonly Place[]): Filter {
  return { path: places.map((place) => place.id), states: ["active"], forAgents: true };
}

/** First step with rows wins; without full text the ladder starts at its second step (S3.12, S3.19). */
async function ladder(
  view: View,
  places: readonly Place[],
  query: string,
  limit: number,
  options: SearchOptions,
): Promise<Found> {
  const { driver } = view.catalog;
  const filter = seenBy(places);
  if (options.regex === true)
    return { path: "regex", hits: await matchExpression(driver, filter, query, limit) };
  const terms = queryTerms(query, LIMITS.queryWords);
  const first: SearchPath = driver.supports.fullText ? "fts5" : "regex";
  if (terms.length === 0 && query.trim() === "") return { path: first, hits: [] };
  if (driver.supports.fullText && terms.length > 0) {
    const { reader, context } = view;
    const asked = {
      filter,
      query,
      terms,
      limit,
      translate: context.translate,
      reader,
      signal: options.signal,
    };
    const hits = foldAlike(await findByWords(driver, asked), reader, Math.max(limit, COMPARED_HITS));
    if (hits.length > 0) return { path: "fts5", hits: hits.slice(0, limit), poor: isPoor(hits) };
  }
  const tokens = literalTokens(query, terms);
  if (tokens.length > 0) {
    const literal = await driver.search({ kind: "literal", tokens }, filter, limit, options.signal);
    if (literal.length > 0) return { path: "regex", hits: literal };
  }
  if (isTooLong(query)) return { path: first, hits: [] };
  const exact = await driver.search(
    { kind: "exact", text: query.trim().toLowerCase() },
    filter,
    limit,
    options.signal,
  );
  return { path: exact.length > 0 ? "exact" : first, hits: exact };
}

/** Nobody's name: comparing it with every row would cost its length each time. */
function isTooLong(text: string): boolean {
  return byteLength(text) > LIMITS.literalBytes;
}

/** One word is looked for as it stands, a sentence by its first content words (S3.15, C51): each is compared with every row. */
function literalTokens(query: string, terms: readonly string[]): readonly string[] {
  const whole = query.trim().toLowerCase();
  return (/\s/.test(whole) ? terms.slice(0, LIMITS.searchedTerms) : [whole]).filter(
    (token) => !isTooLong(token),
  );
}

/** Each hit that is about to be returned is checked against its file (design 5). */
function allStand(places: readonly Place[], hits: readonly Scored[]): boolean {
  const byId = new Map(places.map((place) => [place.id, place]));
  return hits.every(({ row }) => stands(byId.get(row.place), row));
}

export function stands(place: Place | undefined, row: IndexedRow): boolean {
  const stats = place && statSync(join(place.dir, row.path), { throwIfNoEntry: false });
  return stats !== undefined && stampOf(stats) === row.stamp;
}
