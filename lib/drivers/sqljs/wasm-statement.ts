import type { SqlValue, Statement } from "./engine.ts";
import type { RawEngine } from "./wasm-raw.ts";

const ROW = 100;
const DONE = 101;
const [INTEGER, FLOAT, TEXT, BLOB] = [1, 2, 3, 4];

export interface WasmStatement extends Statement {
  columns(): string[];
}

/** sql.js's `Statement` over the raw functions; `failed` makes the error of the last call. */
export function createStatement(
  raw: RawEngine,
  pointer: number,
  failed: () => Error,
  freed: (statement: Statement) => void,
): WasmStatement {
  const { sqlite, memory } = raw;
  const width = sqlite.sqlite3_column_count(pointer);
  let open = true;

  const names = () =>
    Array.from({ length: width }, (_, at) => memory.cText(sqlite.sqlite3_column_name(pointer, at)));
  const get = () => Array.from({ length: width }, (_, at) => column(raw, pointer, at));
  const statement: WasmStatement = {
    columns: names,
    get,
    bind(values = []) {
      sqlite.sqlite3_reset(pointer);
      for (const [at, value] of values.entries())
        if (bindOne(raw, pointer, at + 1, value) !== 0) throw failed();
      return true;
    },
    step() {
      const code = sqlite.sqlite3_step(pointer);
      if (code === ROW) return true;
      if (code === DONE) return false;
      const error = failed();
      sqlite.sqlite3_reset(pointer);
      throw error;
    },
    getAsObject: () => Object.fromEntries(names().map((name, at) => [name, column(raw, pointer, at)])),
    reset() {
      sqlite.sqlite3_reset(pointer);
    },
    free() {
      if (open) sqlite.sqlite3_finalize(pointer);
      open = false;
      freed(statement);
      return true;
    },
  };
  return statement;
}

function bindOne({ sqlite, memory, free }: RawEngine, pointer: number, at: number, value: SqlValue): number {
  if (value === null) return sqlite.sqlite3_bind_null(pointer, at);
  if (typeof value === "string") {
    const text = memory.putText(value);
    return sqlite.sqlite3_bind_text(pointer, at, text.at, text.bytes, free);
  }
  if (typeof value === "number") {
    return Number.isSafeInteger(value)
      ? sqlite.sqlite3_bind_int64(pointer, at, BigInt(value))
      : sqlite.sqlite3_bind_double(pointer, at, value);
  }
  return sqlite.sqlite3_bind_blob(pointer, at, memory.putBytes(value), value.length, free);
}

function column({ sqlite, memory }: RawEngine, pointer: number, at: number): SqlValue {
  const type = sqlite.sqlite3_column_type(pointer, at);
  if (type === TEXT) {
    const text = sqlite.sqlite3_column_text(pointer, at);
    return memory.text(text, sqlite.sqlite3_column_bytes(pointer, at));
  }
  if (type === INTEGER || type === FLOAT) return sqlite.sqlite3_column_double(pointer, at);
  if (type !== BLOB) return null;
  const blob = sqlite.sqlite3_column_blob(pointer, at);
  return memory.window(blob, sqlite.sqlite3_column_bytes(pointer, at)).slice();
}
