import { CanonryError } from "../../core/errors.ts";

/** What sqljs asks of an engine: the shape of sql.js, so that any build of it can stand in (design 6). */
export type SqlValue = string | number | Uint8Array | null;

export interface Statement {
  /** Resets the statement, then binds values to ?1, ?2 …; integers beyond 2^53 are not supported. */
  bind(values?: readonly SqlValue[]): boolean;
  /** True while there is a row. Throws the engine's error. */
  step(): boolean;
  get(): SqlValue[];
  getAsObject(): Record<string, SqlValue>;
  reset(): void;
  free(): boolean;
}

export interface ResultTable {
  readonly columns: string[];
  readonly values: SqlValue[][];
}

export interface Database {
  /** Runs every statement of `sql`; one table for each that gave rows. */
  exec(sql: string): ResultTable[];
  run(sql: string, values?: readonly SqlValue[]): unknown;
  prepare(sql: string): Statement;
  /**
   * The whole image. Only between transactions, and only with no statement left open: stock sql.js closes them and
   * rolls back. The bytes may be a window on the engine's memory: use them before the next call.
   */
  export(): Uint8Array;
  close(): void;
}

export interface Engine {
  /** The registered name: "sqlite-wasm". */
  readonly name: string;
  /** A new database, or one from an image; throws where the bytes are no database. */
  readonly Database: new (
    image?: Uint8Array,
  ) => Database;
}

/** Loads an engine; throws `CANONRY_ENGINE` naming what is missing and how to get it. */
export type LoadEngine = () => Promise<Engine>;

export function engineMissing(name: string, cause: unknown): CanonryError {
  return new CanonryError(
    "CANONRY_ENGINE",
    `The engine ${name} could not be loaded. Install it beside Canonry (npm install ${name}), or choose another in settings.json.`,
    { cause, data: { engine: name } },
  );
}
