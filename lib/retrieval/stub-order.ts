import type { Translate } from "../core/glossary.ts";
import { LIMITS } from "../core/limits.ts";
import { nameKey } from "../core/names.ts";
import { queryTerms } from "../core/terms.ts";
import type { Filter, IndexDriver } from "../drivers/driver.ts";
import type { StubRank } from "../schema/options.ts";
import { type IndexedRow, rowId } from "../schema/row.ts";
import { groupAlike } from "./alike.ts";
import { findByWords } from "./full-text.ts";
import type { RowReader } from "./row-words.ts";

/** What a stub is asked for, checked. */
export interface Asked {
  readonly filter: Filter;
  readonly rank: StubRank;
  /** Names that the settings pin. */
  readonly pins: readonly string[];
  readonly task: string | undefined;
  readonly translate: Translate;
  readonly reader: RowReader;
  /** Skills that pass the filter. */
  readonly total: number;
  readonly signal: AbortSignal | undefined;
}

/** A skill in the order of a stub, and what brought it there. */
export interface Ordered {
  readonly row: IndexedRow;
  readonly why: "pinned" | "task" | "rank" | "turn";
  /** Of one that answers the task: 0 to 1, as in a search. */
  readonly score?: number;
  /** The skill further up that says nearly the same. */
  readonly alike?: IndexedRow;
}

/**
 * Every skill that may get a line, in order, each once. Without a task: pins, then the order of `rank`, thirty in all
 * (S2.2). With one: pins, what answers the task, the order of `rank`; of near-identical skills all but the first go last.
 */
export async function inOrder(driver: IndexDriver, asked: Asked): Promise<Ordered[]> {
  const { filter, rank, task, signal } = asked;
  const most = task === undefined ? LIMITS.stubSkills : LIMITS.stubTaskSkills;
  const first = await pinned(driver, asked);
  const matched = task === undefined ? [] : await answering(driver, asked, task);
  const others = matched.length >= most ? [] : await driver.list(filter, rank, most, 0, signal);
  const all = new Map<string, Ordered>();
  for (const one of [...first, ...matched, ...others.map((row): Ordered => ({ row, why: "rank" }))])
    if (!all.has(rowId(one.row))) all.set(rowId(one.row), one);
  const order = [...all.values()].slice(0, most);
  return task === undefined ? order : mirrorsLast(order, asked.reader);
}

/** A pin is a name, as `read` takes it; one that nothing eligible is called by pins nothing. */
async function pinned(driver: IndexDriver, { filter, pins, signal }: Asked): Promise<Ordered[]> {
  const found: Ordered[] = [];
  for (const pin of pins) {
    const key = nameKey(pin);
    const rows = await driver.list({ ...filter, key }, "name", LIMITS.stubSkills, 0, signal);
    const own = rows.filter((row) => nameKey(row.name) === key);
    for (const row of own.length > 0 ? own : rows) found.push({ row, why: "pinned" });
  }
  return found;
}

/** What a search would find, by full text or, where the driver has none, by comparing words (S3.19). */
async function answering(driver: IndexDriver, asked: Asked, task: string): Promise<Ordered[]> {
  const { filter, translate, reader, signal } = asked;
  const limit = LIMITS.stubTaskSkills;
  const terms = queryTerms(task, LIMITS.queryWords);
  if (terms.length === 0) return [];
  const hits = driver.supports.fullText
    ? await findByWords(driver, { filter, query: task, terms, limit, translate, reader, signal })
    : await driver.search(
        { kind: "literal", tokens: terms.slice(0, LIMITS.searchedTerms) },
        filter,
        limit,
        signal,
      );
  return hits.map(({ row, score }) => ({ row, score, why: "task" }));
}

/** What a person has pinned stays where it is, mirror or not. */
function mirrorsLast(order: readonly Ordered[], reader: RowReader): Ordered[] {
  const mirrors = new Map<Ordered, IndexedRow>();
  for (const { first, others } of groupAlike(order, reader))
    for (const one of others) if (one.why !== "pinned") mirrors.set(one, first.row);
  return [
    ...order.filter((one) => !mirrors.has(one)),
    ...Array.from(mirrors, ([one, alike]) => ({ ...one, alike })),
  ];
}

const DAY_MS = 86_400_000;
/** One line in so many is for skills that the order would never show. */
const LINES_A_TURN = 10;

/**
 * By evidence alone, who has none may never get a line to earn it with. So every tenth line goes to the skills behind
 * those that are shown, other ones each day, until each has had its day; the same vault on the same day gives the same
 * (P10). The order as it was where nothing is left out, where a task decides, or by `seed`, which is exact.
 */
export async function withTurns(
  driver: IndexDriver,
  order: readonly Ordered[],
  shown: number,
  asked: Asked,
  now: number,
): Promise<readonly Ordered[]> {
  const { filter, rank, task, total, pins, signal } = asked;
  const lines = Math.floor(shown / LINES_A_TURN);
  if (rank !== "evidence" || task !== undefined || lines === 0 || shown === total) return order;
  const kept = order.slice(0, shown - lines);
  const known = new Set(kept.map(({ row }) => rowId(row)));
  const before = kept.filter(({ why }) => why === "rank").length;
  const start = (Math.floor(now / DAY_MS) * lines) % (total - before);
  const behind = await driver.list(filter, rank, lines + pins.length, before + start, signal);
  const turns = new Map<string, Ordered>();
  for (const row of behind)
    if (!known.has(rowId(row)) && turns.size < lines) turns.set(rowId(row), { row, why: "turn" });
  return [
    ...kept,
    ...turns.values(),
    ...order.slice(kept.length).filter(({ row }) => !turns.has(rowId(row))),
  ].slice(0, LIMITS.stubSkills);
}
