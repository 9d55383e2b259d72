import type { Diagnostic } from "./diagnostic.ts";
import type { Counters } from "./ledger-event.ts";
import type { Origin } from "./skill.ts";

export const ROW_STATES = ["active", "quarantined", "archived", "unreadable"] as const;
export type RowState = (typeof ROW_STATES)[number];

/** Which file a row stands for: a place of the vault, and the path inside it with forward slashes. */
export interface RowKey {
  readonly place: string;
  readonly path: string;
}

/** One file of the library in the index: everything but the text. Lists are in file order. */
export interface Row extends RowKey {
  /** The one id: what list, search, read and the ledger call it. */
  readonly name: string;
  /** What lookups compare, `core/names` `nameKey` of: the name, then folder, slugs and declared aliases. */
  readonly keys: readonly string[];
  readonly title: string;
  readonly description: string;
  /** One line, at most 120 characters: what the stub shows. */
  readonly summary: string;
  /** Twelve hex digits, or "*". */
  readonly fingerprint: string;
  readonly origin: Origin;
  readonly state: RowState;
  readonly version: number;
  readonly languages: readonly string[];
  readonly toolsets: readonly string[];
  readonly requiresTools: readonly string[];
  readonly triggers: readonly string[];
  readonly tags: readonly string[];
  readonly taskType: string;
  /** Only a person may call it up (S5.8, C41): not in stub, search or directory. */
  readonly personOnly: boolean;
  readonly bytes: number;
  readonly digest: string;
  readonly bytesHash: string;
  /** Inode, times and size of the file when it was read; "" where it must be read again. */
  readonly stamp: string;
  /** ISO 8601 UTC, or "" where the file does not say. */
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** A row with its counters, as drivers return it. */
export interface IndexedRow extends Row {
  readonly counters: Counters;
}

/** Terms of the four full-text fields, made by `core/terms`: words separated by single spaces. */
export interface FieldTerms {
  readonly name: string;
  readonly description: string;
  readonly triggers: string;
  readonly body: string;
}

export function rowId(key: RowKey): string {
  return `${key.place}\u0000${key.path}`;
}
