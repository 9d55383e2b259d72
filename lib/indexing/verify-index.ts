import { join } from "node:path";
import { exists } from "../core/atomic.ts";
import { type Context, createContext } from "../core/context.ts";
import { type ErrorCode, isCanonryError } from "../core/errors.ts";
import { createPacer } from "../core/pacer.ts";
import type { IndexDriver, OpenDriver } from "../drivers/driver.ts";
import type { Finding } from "../schema/finding.ts";
import type { Row } from "../schema/row.ts";
import type { Place } from "../vault/place.ts";
import { readSkillFile } from "../vault/skill-file.ts";
import type { Vault } from "../vault/vault.ts";
import { walkPlace } from "../vault/walk.ts";
import { putOf } from "./row.ts";
import { type SyncParts, sync } from "./sync.ts";

export interface IndexParts {
  /** Opened for reading alone. */
  readonly vault: Vault;
  readonly context: Context;
  readonly openDriver: OpenDriver;
  readonly dsn: string;
  readonly engine: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

const REFUSED: readonly ErrorCode[] = [
  "CANONRY_INDEX_DAMAGED",
  "CANONRY_INDEX_FOREIGN",
  "CANONRY_DISK",
  "CANONRY_READ_ONLY",
];

/**
 * Compares the kept index with the files, after a catch-up in memory: every skill that can be read has a row of the
 * same content, and no row says what its file does not. What differs is looked at once more, since files change while
 * they are read. Neither the file nor its claims are touched; where there is no index there is nothing to compare.
 */
export async function* verifyIndex(parts: IndexParts): AsyncGenerator<Finding, void, undefined> {
  const { vault, dsn, engine, signal } = parts;
  if (dsn === ":memory:" || !exists(dsn)) return;
  const context = createContext({ clock: parts.context.clock });
  let driver: IndexDriver;
  try {
    driver = await parts.openDriver({ dsn, engine, vaultId: vault.vaultId, context });
  } catch (error) {
    if (!isCanonryError(error, ...REFUSED)) throw error;
    yield refused(dsn, error.code, error.message);
    return;
  }
  try {
    const first = await differences({ vault, driver, context }, signal);
    if (first.size === 0) return;
    const second = await differences({ vault, driver, context }, signal);
    for (const [file, finding] of second) if (first.has(file)) yield finding;
  } finally {
    await driver.close();
  }
}

function refused(file: string, code: ErrorCode, message: string): Finding {
  return {
    severity: code === "CANONRY_INDEX_FOREIGN" ? "note" : "problem",
    file,
    line: 1,
    code: "INDEX_REFUSED",
    message,
    next: "nothing is lost: the next command sets it aside and builds it anew from the files",
  };
}

async function differences(parts: SyncParts, signal: AbortSignal | undefined): Promise<Map<string, Finding>> {
  await sync(parts, { signal });
  const found = new Map<string, Finding>();
  for (const place of parts.vault.places())
    for await (const finding of compare(parts, place, signal)) found.set(finding.file, finding);
  return found;
}

async function* compare(
  { vault, driver, context }: SyncParts,
  place: Place,
  signal: AbortSignal | undefined,
): AsyncGenerator<Finding, void, undefined> {
  const pacer = createPacer(signal, 64);
  const walk = await walkPlace(place, undefined, context.clock(), pacer, vault.home);
  for (const { path, kind } of walk.files) {
    const pause = pacer.step();
    if (pause !== undefined) await pause;
    const file = join(place.dir, path);
    const read = readSkillFile(file, file, kind);
    if (read.bytesHash === "") continue;
    const wanted = putOf(place, path, kind, read, context.translate).row;
    const row = await driver.get({ place: place.id, path }, signal);
    if (row === undefined) yield missing(file);
    else if (differs(wanted, row)) yield wrong(file);
  }
}

/**
 * Whatever of the file an answer may hold. Where the stamps differ the file was changed after the catch-up, and the next
 * one reads it. Of a file that gives no skill an older row may be kept, marked as unreadable.
 */
function differs(wanted: Row, row: Row): boolean {
  if (wanted.stamp !== row.stamp) return false;
  if (wanted.state === "unreadable") return row.state !== "unreadable";
  const { diagnostics: _, ...content } = wanted;
  return Object.entries(content).some(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(Reflect.get(row, field)),
  );
}

function missing(file: string): Finding {
  return {
    severity: "problem",
    file,
    line: 1,
    code: "INDEX_ROW_MISSING",
    message: "The skill can be read and is in no row of the index: searches do not find it.",
    next: "canonry reindex --full",
  };
}

function wrong(file: string): Finding {
  return {
    severity: "problem",
    file,
    line: 1,
    code: "INDEX_ROW_WRONG",
    message: "The index holds another content for it than stands in the file: searches answer from that.",
    next: "canonry reindex --full",
  };
}
