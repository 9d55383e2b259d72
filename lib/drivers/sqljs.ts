import { CanonryError, isCanonryError } from "../core/errors.ts";
import type { Batch, DriverOptions, IndexDriver, OpenDriver } from "./driver.ts";
import { createGuard, type Guard } from "./guard.ts";
import { DEFAULT_ENGINE } from "./registry.ts";
import type { Database, Engine, LoadEngine } from "./sqljs/engine.ts";
import { engines } from "./sqljs/engines.ts";
import { type OpenIndex, openIndex } from "./sqljs/open.ts";

import { countRows, listRows, readDigests, readRow } from "./sqljs/reads.ts";
import { applyPragmas, writeMeta } from "./sqljs/schema.ts";
import { createStatements, type Statements } from "./sqljs/statements.ts";
import { createTextSearch } from "./sqljs/text-search.ts";
import { applyBatch } from "./sqljs/writes.ts";

const NAME = "sqljs";

/** The default driver: SQLite in memory, one image in a file, on the engine that the options name (S1.14, C58). */
const openSqljs: OpenDriver = async (options) => {
  const engine = options.engine === undefined || options.engine === "" ? DEFAULT_ENGINE : options.engine;
  return withEngine(engines.get(engine))(options);
};
export default openSqljs;

/** The driver on any engine of sql.js's shape. */
export function withEngine(load: LoadEngine): OpenDriver {
  return async (options) => (await openWithDatabase(options, await load())).driver;
}

/** The driver and the database beneath it, for specs that look at its tables. */
export async function openWithDatabase(
  options: DriverOptions,
  engine: Engine,
): Promise<{ driver: IndexDriver; db: Database }> {
  const index = openIndex(options, engine);
  return { driver: createDriver(index, options.vaultId, engine.name), db: index.db };
}

function createDriver(
  { db, fullText, version, file }: OpenIndex,
  vaultId: string,
  engine: string,
): IndexDriver {
  const guard = createGuard(NAME);
  const run = createRunner(guard);
  const statements = createStatements(db);
  const text = createTextSearch(statements, fullText);
  let changed = false;

  /** The image with its generation in it; the bytes are a window, so nothing may be asked of the engine before they are written. */
  function image(generation: number): Uint8Array {
    statements.clear();
    writeMeta(db, { vaultId, generation, fullText });
    return db.export();
  }

  function flush(over: string | undefined): boolean {
    if (!changed || file === undefined) return false;
    try {
      if (file.flush(image, over)) changed = false;
    } finally {
      // Stock sql.js forgets them when it exports.
      applyPragmas(db);
    }
    return !changed;
  }

  function apply(batch: Batch): void {
    const before = changesSoFar(statements);
    applyBatch(statements, batch, fullText);
    if (changesSoFar(statements) === before) return;
    changed = true;
    text.forget(batch);
  }

  return {
    name: NAME,
    engine: `${engine} ${version}`,
    supports: Object.freeze({ persistent: file !== undefined, fullText }),
    apply: (batch, signal) => run(signal, () => apply(batch)),
    get: (key, signal) => run(signal, () => readRow(statements, key)),
    list: (filter, order, limit, offset, signal) =>
      run(signal, () => listRows(statements, filter, order, limit, offset)),
    names: (filter, signal) => run(signal, () => [...text.names(filter)]),
    count: (filter, signal) => run(signal, () => countRows(statements, filter)),
    search: (terms, filter, limit, signal) => run(signal, () => text.search(terms, filter, limit)),
    frequencies: (terms, fields, signal) => run(signal, () => text.frequencies(terms, fields)),
    digests: ({ place }, signal) => run(signal, () => readDigests(statements, place)),
    standing: (signal) => run(signal, () => file?.standing() ?? ""),
    flush: (signal, over) => run(signal, () => flush(over)),
    close: async () => {
      if (!guard.close()) return;
      statements.clear();
      db.close();
    },
  };
}

type Run = <T>(signal: AbortSignal | undefined, step: () => T) => Promise<T>;

/** Each call is one step of the engine, whole before the next: many callers cannot come between (S3.21). */
function createRunner(guard: Guard): Run {
  return async (signal, step) => {
    guard.check(signal);
    try {
      return step();
    } catch (error) {
      throw isCanonryError(error) ? error : engineFault(error);
    }
  };
}

/** How many rows this connection has changed, so that a batch of nothing new costs no flush. */
function changesSoFar(statements: Statements): unknown {
  return statements.one("SELECT total_changes()")?.[0];
}

function engineFault(cause: unknown): CanonryError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const broken = /malformed|not a database|corrupt/i.test(reason);
  return new CanonryError(
    broken ? "CANONRY_INDEX_DAMAGED" : "CANONRY_INDEX_UNAVAILABLE",
    `The index could not do this: ${reason}. Nothing was changed; delete the index file if it happens again.`,
    { cause },
  );
}
