import { closeSync, constants, lstatSync, openSync, readSync } from "node:fs";
import { dirname } from "node:path";
import { exists, quietly } from "../core/atomic.ts";
import type { Context, Progress } from "../core/context.ts";
import { CanonryError, isCanonryError } from "../core/errors.ts";
import { keepAside } from "../core/keep-aside.ts";
import { LIMITS } from "../core/limits.ts";
import { makeFolder } from "../core/make-folder.ts";
import type { DriverOptions, IndexDriver, OpenDriver } from "../drivers/driver.ts";
import type { Vault } from "../vault/vault.ts";
import { adoptCheckpoints, adoptSeed, type SeedIndex } from "./adopt.ts";
import { type SyncOptions, type SyncParts, type SyncReport, sync, syncLedger } from "./sync.ts";

/** What the composition root hands in: engines are not this layer's business. */
export interface CatalogParts {
  readonly vault: Vault;
  readonly context: Context;
  readonly openDriver: OpenDriver;
  /** What stands in where the index cannot be kept on disk. */
  readonly openMemory: OpenDriver;
  readonly dsn: string | undefined;
  readonly engine: string | undefined;
  /** Reads an index of the seed's own program, whose counters and events go to the ledger (C60). */
  readonly readSeed: (path: string) => Promise<SeedIndex>;
}

/** The index of one vault in this process: opened, kept up to date, flushed lazily. */
export interface Catalog {
  readonly driver: IndexDriver;
  /** Why the index lives in memory alone, if it does although the driver could keep it. */
  readonly degraded: string | undefined;
  /** Catches up unless this was just done; `force` always does (B20, B21). */
  fresh(options?: { force?: boolean; signal?: AbortSignal | undefined }): Promise<SyncReport>;
  /** The next `fresh` catches up: for whoever changes what there is to index, such as a mount. */
  stale(): void;
  /** True if the last `fresh` relied on an earlier catch-up, so that an empty answer deserves a second look. */
  readonly relied: boolean;
  reindex(options: {
    full?: boolean;
    progress?: Progress | undefined;
    signal?: AbortSignal | undefined;
  }): Promise<SyncReport>;
  close(): Promise<void>;
}

const NO_FILES = Object.freeze({ added: 0, changed: 0, removed: 0, read: 0, arrived: [], notes: [] });
/** A few files are cheaper to read again by the next process than a whole image is to write. */
const FLUSH_FILES = 16;
const FLUSH_EVENTS = 500;

export async function openCatalog(parts: CatalogParts): Promise<Catalog> {
  const opened = await openOrRebuild(parts);
  return new OpenCatalog(parts, opened.driver, opened.degraded);
}

/** A damaged or foreign file is kept aside and the index made anew; where none can be kept, memory stands in (C57). */
async function openOrRebuild(
  parts: CatalogParts,
): Promise<{ driver: IndexDriver; degraded: string | undefined }> {
  const { dsn, vault, context } = parts;
  const options: DriverOptions = {
    vaultId: vault.vaultId,
    localDir: vault.writable ? vault.layout.local : undefined,
    context,
    dsn,
    engine: parts.engine,
  };
  if (dsn !== undefined && dsn !== ":memory:") quietly(() => makeFolder(dirname(dsn)));
  try {
    return { driver: await parts.openDriver(options), degraded: undefined };
  } catch (error) {
    if (
      !isCanonryError(
        error,
        "CANONRY_INDEX_DAMAGED",
        "CANONRY_INDEX_FOREIGN",
        "CANONRY_DISK",
        "CANONRY_READ_ONLY",
      )
    )
      throw error;
    try {
      await setAside(parts, error.data["seed"] === true, error.message);
      return { driver: await parts.openDriver(options), degraded: undefined };
    } catch (second) {
      if (isCanonryError(second, "CANONRY_USAGE")) throw second;
      const why = second instanceof Error ? second.message : String(second);
      context.log.warn(`The index cannot be kept on disk and lives in memory: ${why}`);
      return { driver: await parts.openMemory({ ...options, dsn: undefined }), degraded: why };
    }
  }
}

async function setAside(parts: CatalogParts, seed: boolean, why: string): Promise<void> {
  const { dsn, context, vault } = parts;
  if (dsn === undefined || !exists(dsn)) return;
  if (dirname(dsn) !== vault.home && !isOurs(dsn))
    throw new CanonryError(
      "CANONRY_USAGE",
      `${dsn} is not an index of Canonry and stays as it is. Name a file that is one, or that is not there yet.`,
      { data: { dsn } },
    );
  if (seed) adoptSeed(await parts.readSeed(dsn), parts.vault, context);
  const kept = keepAside(dsn, seed ? ".seed" : ".bak");
  for (const side of ["-wal", "-shm"]) if (exists(dsn + side)) keepAside(dsn + side, seed ? ".seed" : ".bak");
  context.log.warn(
    seed
      ? `Took over the counters of an earlier program's index; it is kept as ${kept}.`
      : `${why} It is kept as ${kept} and rebuilt.`,
  );
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

class OpenCatalog implements Catalog {
  readonly driver: IndexDriver;
  readonly degraded: string | undefined;
  relied = false;
  private readonly parts: CatalogParts;
  private queue: Promise<unknown> = Promise.resolve();
  private checkedAt = Number.NEGATIVE_INFINITY;
  private costMs = 0;
  private ledger: string | undefined;
  private dirtyFiles = 0;
  private dirtyEvents = 0;

  constructor(parts: CatalogParts, driver: IndexDriver, degraded: string | undefined) {
    this.parts = parts;
    this.driver = driver;
    this.degraded = degraded;
  }

  async fresh(options: { force?: boolean; signal?: AbortSignal | undefined } = {}): Promise<SyncReport> {
    return this.inTurn(async () => {
      const rest = Math.min(LIMITS.catchUpMs, 10 * this.costMs);
      this.relied = options.force !== true && performance.now() - this.checkedAt < rest;
      if (!this.relied) return this.catchUp({ signal: options.signal });
      const read = await syncLedger(this.syncParts(), this.ledger);
      this.ledger = read.ledger;
      this.dirtyEvents += read.events;
      return { ...NO_FILES, ...read };
    });
  }

  stale(): void {
    this.checkedAt = Number.NEGATIVE_INFINITY;
  }

  async reindex(options: {
    full?: boolean;
    progress?: Progress | undefined;
    signal?: AbortSignal | undefined;
  }): Promise<SyncReport> {
    return this.inTurn(async () => {
      const report = await this.catchUp(options);
      await this.flush();
      return report;
    });
  }

  async close(): Promise<void> {
    await this.inTurn(async () => {
      if (this.dirtyFiles >= FLUSH_FILES || this.dirtyEvents >= FLUSH_EVENTS) await this.flush();
      await this.driver.close();
    });
  }

  private async catchUp(options: SyncOptions): Promise<SyncReport> {
    const begun = performance.now();
    let report = await sync(this.syncParts(), options);
    if (adoptCheckpoints(report.arrived, this.parts.vault))
      report = { ...report, ...(await syncLedger(this.syncParts(), report.ledger)) };
    this.ledger = report.ledger;
    this.checkedAt = performance.now();
    this.costMs = this.checkedAt - begun;
    this.dirtyFiles += report.read + report.removed;
    this.dirtyEvents += report.events;
    return report;
  }

  private syncParts(): SyncParts {
    return { vault: this.parts.vault, driver: this.driver, context: this.parts.context };
  }

  /** A cache that cannot be written is no fault of the caller's question: say so once and go on. */
  private async flush(): Promise<void> {
    if (this.degraded !== undefined || !this.parts.vault.writable) return;
    try {
      await this.driver.flush();
      this.dirtyFiles = 0;
      this.dirtyEvents = 0;
    } catch (error) {
      if (!isCanonryError(error, "CANONRY_READ_ONLY", "CANONRY_DISK")) throw error;
      this.parts.context.log.warn(
        `The index could not be written and will be read anew next time: ${error.message}`,
      );
    }
  }

  /** One catch-up, flush or close at a time; a failure is its caller's alone. */
  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.queue.then(work, work);
    this.queue = turn.catch(() => {});
    return turn;
  }
}
