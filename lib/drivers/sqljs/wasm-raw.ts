import type { WasmMemory } from "./wasm-memory.ts";

/**
 * The functions of SQLite's own WASM build that the adapter calls, as plain numbers: pointers, lengths, result codes.
 * The build's object layer converts and checks every argument again; at 300,000 binds a rebuild that shows.
 */
export interface RawSqlite {
  sqlite3_malloc(bytes: number): number;
  sqlite3_free(pointer: number): void;
  sqlite3_open_v2(file: number, db: number, flags: number, vfs: number): number;
  sqlite3_close_v2(db: number): number;
  sqlite3_errmsg(db: number): number;
  sqlite3_deserialize(
    db: number,
    schema: number,
    at: number,
    size: bigint,
    room: bigint,
    flags: number,
  ): number;
  sqlite3__wasm_db_serialize(db: number, schema: number, at: number, size: number, flags: number): number;
  sqlite3_prepare_v2(db: number, sql: number, bytes: number, statement: number, tail: number): number;
  sqlite3_finalize(statement: number): number;
  sqlite3_reset(statement: number): number;
  sqlite3_step(statement: number): number;
  sqlite3_bind_null(statement: number, at: number): number;
  sqlite3_bind_double(statement: number, at: number, value: number): number;
  sqlite3_bind_int64(statement: number, at: number, value: bigint): number;
  sqlite3_bind_text(statement: number, at: number, text: number, bytes: number, free: number): number;
  sqlite3_bind_blob(statement: number, at: number, blob: number, bytes: number, free: number): number;
  sqlite3_bind_parameter_count(statement: number): number;
  sqlite3_column_count(statement: number): number;
  sqlite3_column_name(statement: number, column: number): number;
  sqlite3_column_type(statement: number, column: number): number;
  sqlite3_column_double(statement: number, column: number): number;
  sqlite3_column_text(statement: number, column: number): number;
  sqlite3_column_blob(statement: number, column: number): number;
  sqlite3_column_bytes(statement: number, column: number): number;
}

export interface RawEngine {
  readonly sqlite: RawSqlite;
  readonly memory: WasmMemory;
  /** What a bind is given so that the engine frees the value itself. */
  readonly free: number;
}
