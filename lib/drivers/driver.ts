import type { Context } from "../core/context.ts";
import type { LedgerEvent } from "../schema/ledger-event.ts";
import type { FieldTerms, IndexedRow, Row, RowKey, RowState } from "../schema/row.ts";

/** Facts about a driver that change what to expect of it; never a reason to leave a method out. */
export interface DriverSupports {
  /** The index outlives the process. */
  readonly persistent: boolean;
  /** `search` knows `match`; without it the ladder starts at its second step (S3.19). */
  readonly fullText: boolean;
}

export interface DriverOptions {
  /** Absolute path of the index file; undefined or ":memory:" keeps nothing. */
  readonly dsn?: string | undefined;
  /** The vault that the index is of; a file of another vault is foreign. */
  readonly vaultId: string;
  /** A folder of this machine for checksums and claims of the index file; undefined keeps none. */
  readonly localDir?: string | undefined;
  /** A registered engine's name, for drivers that have several. */
  readonly engine?: string | undefined;
  readonly context: Context;
}

/** Opens an index; throws `CANONRY_INDEX_DAMAGED` or `_FOREIGN` on a file that it will not use (C57), `CANONRY_ENGINE`. */
export type OpenDriver = (options: DriverOptions) => Promise<IndexDriver>;

/** One entry of a batch: a row, and its terms where its text changed; without terms the full text stays as it is. */
export interface Put {
  readonly row: Row;
  readonly terms?: FieldTerms;
}

/**
 * The only write. All of it or nothing; removals are done before puts, and events that are there already (by id)
 * are passed over. A row has the counters of all events of its fingerprint and name, whichever came first.
 */
export interface Batch {
  readonly put?: readonly Put[];
  readonly remove?: readonly RowKey[];
  readonly events?: readonly LedgerEvent[];
  /** Forgets every event before taking in `events`: for a ledger that has to be read again from its start. */
  readonly forgetEvents?: boolean;
  /** Small texts that the caller keeps with the rows, in the same transaction; undefined as value removes one. */
  readonly state?: Readonly<Record<string, string | undefined>>;
}

/**
 * Which rows count. Zero-value fields mean "any". With `path`, only rows of its places count, and a row is left
 * out where an active row of the same name stands in an earlier place (it is *shadowed*), unless `shadowed` is true.
 */
export interface Filter {
  /** Place ids, first wins. */
  readonly path?: readonly string[];
  readonly shadowed?: boolean;
  readonly states?: readonly RowState[];
  readonly origin?: string;
  /** Rows that have this lookup key (`nameKey`). */
  readonly key?: string;
  readonly place?: string;
  /** Only rows whose every required tool is among these (S1.21); undefined asks nothing. */
  readonly tools?: readonly string[];
  /** Only rows for one of these languages, for "*", or that name none (C8); undefined asks nothing. */
  readonly languages?: readonly string[];
  readonly toolsets?: readonly string[];
  /** Leaves out rows that only a person may call up. */
  readonly forAgents?: boolean;
  readonly taskType?: string;
  /** Any of these tags, whole and case-insensitive (C25). */
  readonly tags?: readonly string[];
}

/**
 * `seed`: wins by uses as real division, 0 without uses, then last use, nulls last, then name (S1.22, C7).
 * `evidence`: `posterior` of wins and losses (`schema/counters`), then updatedAt, newest first, then name (C12).
 * `name`: by name. `recent`: updatedAt, newest first, then name (S3.11). Ties end with place and path.
 */
export type Order = "seed" | "evidence" | "name" | "recent";

/**
 * What to look for, already tokenised by `core/terms`.
 * `match`: full text; every term (`all`) or any; `heads` are further terms that count in name, description and triggers
 * alone. Score: positive bm25, weights name 8, description 4, triggers 4, body 0.4.
 * `literal`: the second step (S3.15, C51): per token 0.95 name is it, 0.90 name begins with it, 0.85 name holds it,
 * 0.75 title, description, triggers or tags hold it; the best counts. `exact`: 1.0 where name, title, a trigger or a
 * tag equals the text (S3.16). Comparison ignores case.
 */
export type SearchTerms =
  | {
      readonly kind: "match";
      readonly terms: readonly string[];
      readonly heads?: readonly string[];
      readonly all: boolean;
    }
  | { readonly kind: "literal"; readonly tokens: readonly string[] }
  | { readonly kind: "exact"; readonly text: string };

export interface Hit {
  readonly row: IndexedRow;
  /** Greater is better; comparable within one answer only. */
  readonly score: number;
  /** Of a `match`: what the body alone adds, positive bm25 with weight 0.6 for it and none for the rest; else 0. */
  readonly body: number;
}

/** Fields that a term is looked for in: all, or name, description and triggers. */
export type Fields = "all" | "heads";

/** How rare words are in the whole index, whatever filter is asked with. Words are counted by their stems, as `match` does. */
export interface Frequencies {
  /** Rows of the index. */
  readonly rows: number;
  /** For each term, in the order asked for: rows in which it stands; 0 without full text. */
  readonly holding: readonly number[];
}

/** What a catch-up compares: one entry a row, and the caller's small texts. */
export interface Digests {
  readonly rows: readonly {
    readonly place: string;
    readonly path: string;
    readonly digest: string;
    readonly bytesHash: string;
    readonly stamp: string;
    readonly state: RowState;
  }[];
  readonly state: Readonly<Record<string, string>>;
}

/**
 * The rebuildable projection of a vault (design 4). Every method exists in every driver. Missing is `undefined`.
 * Order is total. After `close` every method throws `CANONRY_CLOSED`; `close` itself may be called again.
 */
export interface IndexDriver {
  readonly name: string;
  readonly supports: DriverSupports;
  /** Engine and version, for `doctor`: "sqlite-wasm 3.54.1". */
  readonly engine: string;
  /** Throws and changes nothing if any part of it cannot be done. */
  apply(batch: Batch, signal?: AbortSignal): Promise<void>;
  get(key: RowKey, signal?: AbortSignal): Promise<IndexedRow | undefined>;
  list(
    filter: Filter,
    order: Order,
    limit?: number,
    offset?: number,
    signal?: AbortSignal,
  ): Promise<IndexedRow[]>;
  /** The different names of the rows, without an order: many and cheap, for "did you mean". */
  names(filter: Filter, signal?: AbortSignal): Promise<string[]>;
  /** How many rows `list` would give without a limit. */
  count(filter: Filter, signal?: AbortSignal): Promise<number>;
  /** At most `limit`, by score, then updatedAt newest first, then name, place, path (S3.17). No terms: none. */
  search(terms: SearchTerms, filter: Filter, limit: number, signal?: AbortSignal): Promise<Hit[]>;
  /** What a ranking weighs words by. */
  frequencies(terms: readonly string[], fields: Fields, signal?: AbortSignal): Promise<Frequencies>;
  digests(filter: Pick<Filter, "place">, signal?: AbortSignal): Promise<Digests>;
  /** A token for what the index file holds now, whoever wrote it: ask before a catch-up, hand it to the `flush` after. */
  standing(signal?: AbortSignal): Promise<string>;
  /**
   * Makes what was applied outlive the process where the driver can; false where there was nothing to do, or somebody
   * else has flushed since this driver opened, flushed itself, or found `over` standing, whichever was last.
   */
  flush(signal?: AbortSignal, over?: string): Promise<boolean>;
  close(): Promise<void>;
}
