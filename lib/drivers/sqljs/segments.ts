import type { SqlValue } from "./engine.ts";
import type { Statements } from "./statements.ts";
import { VarintReader } from "./varints.ts";

/** One piece of the full-text index as FTS5 keeps it: pages of terms in order, written at once or merged of such. */
interface Segment {
  readonly id: number;
  readonly first: number;
  readonly last: number;
  /** The writes that its rows come from, both ends within. A row that another write has put since is dead here. */
  readonly origins: readonly [from: number, to: number];
}

/** Where the rows of one term stand in one segment. */
export interface Doclist {
  readonly bytes: Uint8Array;
  /** Offsets at which a row number stands whole: each page's first. Elsewhere it is what is added to the one before. */
  readonly whole: readonly number[];
  readonly origins: readonly [from: number, to: number];
}

/** Ids of records in `skills_fts_data`, and the layout of the one that names the segments (version with origins). */
const STRUCTURE_ID = 10;
const WITH_ORIGINS = [0xff, 0x00, 0x00, 0x01] as const;
const COOKIE_BYTES = 4;
const SEGMENT_SHIFT = 2 ** 37;
/** Each page begins with the offset of its first row number and with where its content ends, two bytes each. */
const HEADER_BYTES = 4;
/** What every term of the main index has before it. */
const MAIN_INDEX = "0";

/** The segments that stand now; undefined where the record is not in the layout that is known here. */
export function readSegments(statements: Statements): Segment[] | undefined {
  const block = blockOf(statements, STRUCTURE_ID);
  if (block === undefined || WITH_ORIGINS.some((byte, at) => block[COOKIE_BYTES + at] !== byte))
    return undefined;
  const reader = new VarintReader(block, COOKIE_BYTES + WITH_ORIGINS.length);
  let levels = reader.next();
  // How many segments and writes there are; in a level, how many of its segments a merge is going on with.
  reader.skip(2);
  const segments: Segment[] = [];
  // Damage may say that there are any number of them: no more than there are bytes.
  for (; levels > 0 && reader.at < block.length; levels--) {
    reader.skip(1);
    for (let left = reader.next(); left > 0 && reader.at <= block.length; left--) {
      const [id, first, last, from, to] = [
        reader.next(),
        reader.next(),
        reader.next(),
        reader.next(),
        reader.next(),
      ];
      reader.skip(3);
      if (last > 0) segments.push({ id, first, last, origins: [from, to] });
    }
  }
  if (levels > 0 || reader.at > block.length)
    throw new Error("the full-text index is malformed: its list of segments ends too soon");
  return reader.at === block.length ? segments : undefined;
}

/** The rows of a stem in each segment that has it. */
export type FindDoclists = (stem: string) => readonly Doclist[];

/** Pages of 4 KiB that are kept: a thousand skills have 1,200. A word is counted first, then read. */
const KEPT_PAGES = 2_000;
const KEPT_LISTS = 64;

/** Looks into the segments for as long as they stand. */
export function createFinder(
  statements: Statements,
  segments: readonly Segment[],
  keptPages: number = KEPT_PAGES,
): FindDoclists {
  const pages = new Map<number, Page>();
  const lists = new Map<string, readonly Doclist[]>();

  function pageAt(segment: Segment, number: number): Page {
    const id = segment.id * SEGMENT_SHIFT + number;
    const known = pages.get(id);
    if (known !== undefined) return known;
    const page = pageOf(statements, segment, number);
    if (pages.size >= keptPages) pages.clear();
    pages.set(id, page);
    return page;
  }

  return (stem) => {
    const known = lists.get(stem);
    if (known !== undefined) return known;
    const key = Buffer.from(MAIN_INDEX + stem);
    const found = segments
      .map((segment) => findDoclist(statements, pageAt, segment, key))
      .filter((one) => one !== undefined);
    if (lists.size >= KEPT_LISTS) lists.clear();
    lists.set(stem, found);
    return found;
  };
}

type PageAt = (segment: Segment, number: number) => Page;

function findDoclist(
  statements: Statements,
  pageAt: PageAt,
  segment: Segment,
  key: Uint8Array,
): Doclist | undefined {
  const found = statements.one(
    "SELECT pgno FROM skills_fts_idx WHERE segid = ? AND term <= ? ORDER BY term DESC LIMIT 1",
    [segment.id, key],
  );
  // A merge that has not come to its end has taken the first pages already, and left them in this table.
  let number = Math.max(segment.first, Math.floor(Number(found?.[0] ?? 0) / 2));
  const page = pageAt(segment, number);
  const place = placeOf(page, key);
  if (place === undefined) return undefined;
  const parts: Part[] = [partOf(page, place.from, place.to)];
  for (let open = place.isLast; open && number < segment.last; ) {
    number++;
    const next = pageAt(segment, number);
    open = next.bytes.length === next.end;
    parts.push(partOf(next, HEADER_BYTES, open ? next.end : new VarintReader(next.bytes, next.end).next()));
  }
  return join(parts, segment.origins);
}

interface Page {
  readonly bytes: Uint8Array;
  readonly firstRow: number;
  readonly end: number;
}

function pageOf(statements: Statements, segment: Segment, number: number): Page {
  const bytes = blockOf(statements, segment.id * SEGMENT_SHIFT + number);
  if (bytes === undefined)
    throw new Error(`the full-text index is malformed: page ${number} of segment ${segment.id} is missing`);
  const pair = (at: number) => (bytes[at] ?? 0) * 256 + (bytes[at + 1] ?? 0);
  return { bytes, firstRow: pair(0), end: pair(2) };
}

/**
 * From where to where the rows of a term stand on its page, and whether they may go on on the next one. Terms stand in
 * order, each as how many bytes it shares with the one before and what follows, so most need no comparison.
 */
function placeOf(
  { bytes, end }: Page,
  key: Uint8Array,
): { from: number; to: number; isLast: boolean } | undefined {
  const starts = new VarintReader(bytes, end);
  const term = new VarintReader(bytes);
  let start = 0;
  let shared = 0;
  for (let isFirst = true; starts.at < bytes.length; isFirst = false) {
    start += starts.next();
    term.at = start;
    const kept = isFirst ? 0 : term.next();
    const added = term.next();
    if (kept < shared) return undefined;
    if (kept > shared) continue;
    const [from, most] = [term.at, Math.min(kept + added, key.length)];
    while (shared < most && bytes[from + shared - kept] === key[shared]) shared++;
    if (shared === kept + added && shared === key.length) {
      const isLast = starts.at >= bytes.length;
      return { from: from + added, to: isLast ? end : start + starts.next(), isLast };
    }
    if (shared === key.length || (shared < most && (bytes[from + shared - kept] ?? 0) > (key[shared] ?? 0)))
      return undefined;
  }
  return undefined;
}

interface Part {
  readonly bytes: Uint8Array;
  /** Where its first whole row number stands in it, if one does. */
  readonly whole: number | undefined;
}

function partOf({ bytes, firstRow }: Page, from: number, to: number): Part {
  const isWithin = firstRow >= from && firstRow < to;
  return { bytes: bytes.subarray(from, to), whole: isWithin ? firstRow - from : undefined };
}

function join(parts: readonly Part[], origins: Doclist["origins"]): Doclist {
  const whole: number[] = [];
  let length = 0;
  for (const part of parts) {
    if (part.whole !== undefined) whole.push(length + part.whole);
    length += part.bytes.length;
  }
  const [only] = parts;
  const bytes =
    parts.length === 1 && only !== undefined ? only.bytes : Buffer.concat(parts.map((part) => part.bytes));
  return { bytes, whole, origins };
}

function blockOf(statements: Statements, id: number): Uint8Array | undefined {
  const block: SqlValue | undefined = statements.one("SELECT block FROM skills_fts_data WHERE id = ?", [
    id,
  ])?.[0];
  return block instanceof Uint8Array ? block : undefined;
}
