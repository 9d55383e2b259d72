import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type Engine, engineMissing } from "./engine.ts";
import { createDatabaseClass } from "./wasm-database.ts";
import { openMemory } from "./wasm-memory.ts";
import type { RawSqlite } from "./wasm-raw.ts";

interface SqliteWasm {
  readonly wasm: { readonly exports: RawSqlite; readonly memory: { readonly buffer: ArrayBuffer } };
  readonly capi: { readonly SQLITE_WASM_DEALLOC: number };
}

/**
 * SQLite's own WASM build in sql.js's shape. Each call makes an instance of its own (about 30 ms), whose memory goes
 * when its database does. Its object layer writes SQL errors to the console; the raw functions do not. The package asks for Node 22 and runs on 20 all the same.
 */
export async function loadSqliteWasm(): Promise<Engine> {
  try {
    const { default: init } = await import("@sqlite.org/sqlite-wasm");
    const start = init as unknown as (options: { wasmBinary: Uint8Array }) => Promise<SqliteWasm>;
    const file = createRequire(import.meta.url).resolve("@sqlite.org/sqlite-wasm/sqlite3.wasm");
    const { wasm, capi } = await start({ wasmBinary: new Uint8Array(readFileSync(file)) });
    const memory = openMemory(wasm.exports, wasm.memory);
    const Database = createDatabaseClass({ sqlite: wasm.exports, memory, free: capi.SQLITE_WASM_DEALLOC });
    return { name: "sqlite-wasm", Database };
  } catch (cause) {
    throw engineMissing("@sqlite.org/sqlite-wasm", cause);
  }
}
