import type { Context, Progress } from "../core/context.ts";
import { isCanonryError } from "../core/errors.ts";
import { LIMITS } from "../core/limits.ts";
import type { IndexDriver, OpenDriver } from "../drivers/driver.ts";
import type { Vault } from "../vault/vault.ts";
import { adoptCheckpoints, type SeedIndex } from "./adopt.ts";
import { openOrRebuild } from "./open-index.ts";
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
  /** Of a catch-up that somebody waits for without having asked for one. */
  readonly progress?: Progress | undefined;
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
/** So many that a process should not have to live until its close for the next one to be spared reading them. */
const FLUSH_NOW_FILES = 500;

export async function openCatalog(parts: CatalogParts): Promise<Catalog> {
  const opened = await openOrRebuild(parts);
  return new OpenCatalog(parts, opened.driver, opened.degraded);
}

class OpenCatalog implements Catalog {
  readonly driver: IndexDriver;
  readonly degraded: string | undefined;
  relied = false;
  private readonly parts: CatalogParts;
  private queue: Promise<unknown> = Promise.resolve();
  /** When the last whole catch-up began: what changed after that it may have missed. */
  private checkedAt = Number.NEGATIVE_INFINITY;
  private staleSince = Number.NEGATIVE_INFINITY;
  private costMs = 0;
  private ledger: string | undefined;
  /** What the index file held when the last whole catch-up began: nothing that this index lacks now. */
  private standing: string | undefined;
  private dirtyFiles = 0;
  private dirtyEvents = 0;
  private triedFiles = 0;

  constructor(parts: CatalogParts, driver: IndexDriver, degraded: string | undefined) {
    this.parts = parts;
    this.driver = driver;
    this.degraded = degraded;
  }

  async fresh(options: { force?: boolean; signal?: AbortSignal | undefined } = {}): Promise<SyncReport> {
    const asked = performance.now();
    return this.inTurn(async () => {
      const rest = options.force === true ? 0 : Math.min(LIMITS.catchUpMs, 10 * this.costMs);
      // One that began after this was asked shows whatever the caller may have seen before asking.
      this.relied = this.checkedAt < asked;
      const old = performance.now() - this.checkedAt >= rest || this.checkedAt <= this.staleSince;
      if (this.relied && old) return this.caughtUp(options.signal);
      const read = await syncLedger(this.syncParts(), this.ledger);
      this.ledger = read.ledger;
      this.dirtyEvents += read.events;
      return { ...NO_FILES, ...read };
    });
  }

  stale(): void {
    this.staleSince = performance.now();
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

  private async caughtUp(signal: AbortSignal | undefined): Promise<SyncReport> {
    this.relied = false;
    const report = await this.catchUp({ signal });
    if (this.dirtyFiles - this.triedFiles >= FLUSH_NOW_FILES) await this.flush();
    return report;
  }

  private async catchUp(options: SyncOptions): Promise<SyncReport> {
    const begun = performance.now();
    const standing = await this.driver.standing();
    const { progress = this.parts.progress } = options;
    let report = await sync(this.syncParts(), { ...options, progress });
    if (adoptCheckpoints(report.arrived, this.parts.vault))
      report = { ...report, ...(await syncLedger(this.syncParts(), report.ledger)) };
    this.ledger = report.ledger;
    this.standing = standing;
    this.checkedAt = begun;
    this.costMs = performance.now() - begun;
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
    this.triedFiles = this.dirtyFiles;
    try {
      // Where somebody else was first, the next catch-up shows what theirs lacks, and a later flush writes it.
      if (!(await this.driver.flush(undefined, this.standing))) return;
      this.dirtyFiles = 0;
      this.dirtyEvents = 0;
      this.triedFiles = 0;
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
