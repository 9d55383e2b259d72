import type { Database, Engine, ResultTable, SqlValue, Statement } from "./engine.ts";
import type { RawEngine } from "./wasm-raw.ts";
import { createStatement } from "./wasm-statement.ts";

const OPEN_READ_WRITE_CREATE = 0x2 | 0x4;
const FREE_ON_CLOSE_AND_RESIZEABLE = 0x1 | 0x2;
const WITHOUT_COPY = 0x1;
const MAIN = 0;

/** sql.js's `Database` over the raw functions of one instance. */
export function createDatabaseClass(raw: RawEngine): Engine["Database"] {
  return class extends WasmDatabase {
    constructor(image?: Uint8Array) {
      super(raw, image);
    }
  };
}

class WasmDatabase implements Database {
  readonly #raw: RawEngine;
  readonly #out: number;
  readonly #open = new Set<Statement>();
  #db = 0;

  constructor(raw: RawEngine, image?: Uint8Array) {
    this.#raw = raw;
    this.#out = raw.memory.allocate(16);
    // This file system keeps a database in one piece, so that `export` needs no second copy of it in memory.
    const [file, vfs] = [raw.memory.putText("canonry"), raw.memory.putText("memdb")];
    const code = raw.sqlite.sqlite3_open_v2(file.at, this.#out, OPEN_READ_WRITE_CREATE, vfs.at);
    for (const name of [file, vfs]) raw.sqlite.sqlite3_free(name.at);
    this.#db = raw.memory.pointerAt(this.#out);
    if (code !== 0) throw this.#failed("open");
    if (image !== undefined) this.#load(image);
  }

  exec(sql: string): ResultTable[] {
    const tables: ResultTable[] = [];
    const text = this.#raw.memory.putText(sql);
    try {
      for (let at = text.at; this.#raw.memory.window(at, 1)[0] !== 0; ) {
        const statement = this.#prepareAt(at, text.at + text.bytes - at, sql);
        at = this.#raw.memory.pointerAt(this.#out + 4);
        if (statement === undefined) continue;
        const values = rowsOf(statement);
        if (values.length > 0) tables.push({ columns: statement.columns(), values });
        statement.free();
      }
    } finally {
      this.#raw.sqlite.sqlite3_free(text.at);
    }
    return tables;
  }

  run(sql: string, values?: readonly SqlValue[]): this {
    const statement = this.prepare(sql);
    try {
      statement.bind(values);
      statement.step();
    } finally {
      statement.free();
    }
    return this;
  }

  prepare(sql: string): Statement {
    const text = this.#raw.memory.putText(sql);
    try {
      const statement = this.#prepareAt(text.at, text.bytes, sql);
      if (statement === undefined) throw new Error("there is no statement to prepare");
      return statement;
    } finally {
      this.#raw.sqlite.sqlite3_free(text.at);
    }
  }

  export(): Uint8Array {
    const [at, size] = [this.#out, this.#out + 8];
    for (const flags of [WITHOUT_COPY, 0]) {
      const code = this.#raw.sqlite.sqlite3__wasm_db_serialize(this.#db, MAIN, at, size, flags);
      const image = this.#raw.memory.pointerAt(at);
      if (code !== 0 || image === 0) continue;
      const bytes = this.#raw.memory.window(image, this.#raw.memory.pointerAt(size));
      if (flags === WITHOUT_COPY) return bytes;
      const copy = bytes.slice();
      this.#raw.sqlite.sqlite3_free(image);
      return copy;
    }
    throw this.#failed("export");
  }

  close(): void {
    for (const statement of this.#open) statement.free();
    if (this.#db !== 0) this.#raw.sqlite.sqlite3_close_v2(this.#db);
    if (this.#db !== 0) this.#raw.sqlite.sqlite3_free(this.#out);
    this.#db = 0;
  }

  #load(image: Uint8Array): void {
    const at = this.#raw.memory.putBytes(image);
    const size = BigInt(image.length);
    // With these flags the engine owns the copy, whether or not the call succeeds.
    const code = this.#raw.sqlite.sqlite3_deserialize(
      this.#db,
      MAIN,
      at,
      size,
      size,
      FREE_ON_CLOSE_AND_RESIZEABLE,
    );
    if (code !== 0) throw this.#failed("deserialize");
  }

  #prepareAt(at: number, bytes: number, sql: string): ReturnType<typeof createStatement> | undefined {
    const tail = this.#out + 4;
    const code = this.#raw.sqlite.sqlite3_prepare_v2(this.#db, at, bytes, this.#out, tail);
    if (code !== 0) throw this.#failed(sql.slice(0, 200));
    const pointer = this.#raw.memory.pointerAt(this.#out);
    if (pointer === 0) return undefined;
    const statement = createStatement(
      this.#raw,
      pointer,
      () => this.#failed(sql.slice(0, 200)),
      (one) => this.#open.delete(one),
    );
    this.#open.add(statement);
    return statement;
  }

  #failed(during: string): Error {
    return new Error(`${this.#raw.memory.cText(this.#raw.sqlite.sqlite3_errmsg(this.#db))} (${during})`);
  }
}

function rowsOf(statement: Statement): SqlValue[][] {
  const rows: SqlValue[][] = [];
  try {
    while (statement.step()) rows.push(statement.get());
  } catch (error) {
    statement.free();
    throw error;
  }
  return rows;
}
