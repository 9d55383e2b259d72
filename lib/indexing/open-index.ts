import { closeSync, constants, lstatSync, openSync, readSync, type Stats, unlinkSync } from "node:fs";
import { dirname } from "node:path";
import { exists, linkExclusive, quietly } from "../core/atomic.ts";
import { CanonryError, isCanonryError } from "../core/errors.ts";
import { type AsideSuffix, keepAside } from "../core/keep-aside.ts";
import { makeFolder } from "../core/make-folder.ts";
import type { DriverOptions, IndexDriver } from "../drivers/driver.ts";
import { adoptSeed } from "./adopt.ts";
import type { CatalogParts } from "./catalog.ts";

export interface OpenedIndex {
  readonly driver: IndexDriver;
  /** Why the index lives in memory alone, if it does although the driver could keep it. */
  readonly degraded: string | undefined;
}

/** How often an index that other processes mend at the same time is looked at before memory stands in. */
const LOOKS = 5;
/** What SQLite keeps beside a database; it belongs to that file, and would be played into another one. */
const BESIDE = ["-wal", "-shm", "-journal"];

/** A damaged or foreign file is kept aside and the index made anew; where none can be kept, memory stands in (C57). */
export async function openOrRebuild(parts: CatalogParts): Promise<OpenedIndex> {
  const { dsn, vault, context } = parts;
  const options: DriverOptions = {
    vaultId: vault.vaultId,
    localDir: vault.layout.local,
    context,
    dsn,
    engine: parts.engine,
  };
  if (dsn !== undefined && dsn !== ":memory:") quietly(() => makeFolder(dirname(dsn)));
  for (let look = 1; ; look++) {
    const judged = dsn === undefined ? undefined : statsOf(dsn);
    try {
      return { driver: await parts.openDriver(options), degraded: undefined };
    } catch (error) {
      const unused = [
        "CANONRY_INDEX_DAMAGED",
        "CANONRY_INDEX_FOREIGN",
        "CANONRY_DISK",
        "CANONRY_READ_ONLY",
      ] as const;
      if (!isCanonryError(error, ...unused)) throw error;
      const why = look < LOOKS ? await clearWay(parts, judged, error) : error.message;
      if (why === undefined) continue;
      context.log.warn(`The index cannot be kept on disk and lives in memory: ${why}`);
      return { driver: await parts.openMemory({ ...options, dsn: undefined }), degraded: why };
    }
  }
}

/** Makes room for a new index; why that cannot be done, or undefined. */
async function clearWay(
  parts: CatalogParts,
  judged: Stats | undefined,
  error: CanonryError,
): Promise<string | undefined> {
  // A disk that refused one read may give the next one: what stands there is not known to be bad.
  if (error.code === "CANONRY_DISK" || !parts.vault.writable) return error.message;
  try {
    await setAside(parts, judged, error);
    return undefined;
  } catch (second) {
    if (isCanonryError(second, "CANONRY_USAGE")) throw second;
    return second instanceof Error ? second.message : String(second);
  }
}

async function setAside(
  parts: CatalogParts,
  judged: Stats | undefined,
  { data, message }: CanonryError,
): Promise<void> {
  const { dsn, context, vault } = parts;
  if (dsn === undefined || judged === undefined || !exists(dsn)) return;
  if (dirname(dsn) !== vault.home && !isOurs(dsn))
    throw new CanonryError(
      "CANONRY_USAGE",
      `${dsn} is not an index of Canonry and stays as it is. Name a file that is one, or that is not there yet.`,
      { data: { dsn } },
    );
  const seed = data["seed"] === true;
  if (seed) adoptSeed(await parts.readSeed(dsn), vault, context);
  const kept = keepJudged(dsn, judged, seed ? ".seed" : ".bak");
  if (kept === undefined) return;
  for (const side of BESIDE) if (exists(dsn + side)) keepAside(dsn + side, seed ? ".seed" : ".bak");
  context.log.warn(
    seed
      ? `Took over the counters of an earlier program's index; it is kept as ${kept}.`
      : `${message} It is kept as ${kept} and rebuilt.`,
  );
}

/**
 * Keeps aside the very file that was found wanting: where another process has put a new one in its place, that one
 * stays, or goes back. Undefined where there was nothing to keep any more.
 */
function keepJudged(dsn: string, judged: Stats, suffix: AsideSuffix): string | undefined {
  if (!isSame(judged, statsOf(dsn))) return undefined;
  const kept = keepAside(dsn, suffix);
  if (kept === undefined || isSame(judged, statsOf(kept))) return kept;
  if (linkExclusive(kept, dsn)) quietly(() => unlinkSync(kept));
  return undefined;
}

function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}

/** A rename changes neither. */
function isSame(a: Stats, b: Stats | undefined): boolean {
  return a.dev === b?.dev && a.ino === b.ino && a.mtimeMs === b.mtimeMs && a.size === b.size;
}

/** Only what says in its header that it is an index of ours is ours to move, outside the home. */
function isOurs(path: string): boolean {
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() !== true) return false;
  const head = Buffer.alloc(72);
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    readSync(fd, head, 0, head.length, 0);
  } finally {
    closeSync(fd);
  }
  return (
    head.subarray(0, 15).toString("latin1") === "SQLite format 3" &&
    head.subarray(68).toString("latin1") === "CNRY"
  );
}
