import type { RawSqlite } from "./wasm-raw.ts";

/** Text and bytes in and out of an engine's memory, whose buffer is replaced whenever it grows. */
export interface WasmMemory {
  /** UTF-8 copy of `text` in memory that the engine allocated, with a NUL after it; the caller or the engine frees it. */
  putText(text: string): { at: number; bytes: number };
  putBytes(bytes: Uint8Array): number;
  text(at: number, bytes: number): string;
  /** Up to the NUL. */
  cText(at: number): string;
  /** A window, valid until the memory grows. */
  window(at: number, bytes: number): Uint8Array;
  pointerAt(at: number): number;
  /** Room for `bytes`, which never goes away: for small out-parameters. */
  allocate(bytes: number): number;
}

export function openMemory(sqlite: RawSqlite, memory: { readonly buffer: ArrayBuffer }): WasmMemory {
  let heap = Buffer.from(memory.buffer);

  function fresh(): Buffer {
    if (heap.buffer !== memory.buffer) heap = Buffer.from(memory.buffer);
    return heap;
  }

  function allocate(bytes: number): number {
    const at = sqlite.sqlite3_malloc(bytes);
    if (at === 0) throw new Error(`out of memory: ${bytes} bytes`);
    return at;
  }

  return {
    allocate,
    putText(text) {
      const bytes = Buffer.byteLength(text);
      const at = allocate(bytes + 1);
      const target = fresh();
      target.write(text, at, "utf8");
      target[at + bytes] = 0;
      return { at, bytes };
    },
    putBytes(bytes) {
      const at = allocate(bytes.length || 1);
      fresh().set(bytes, at);
      return at;
    },
    text: (at, bytes) => fresh().toString("utf8", at, at + bytes),
    cText(at) {
      const source = fresh();
      return source.toString("utf8", at, source.indexOf(0, at));
    },
    window: (at, bytes) => new Uint8Array(memory.buffer, at, bytes),
    pointerAt: (at) => fresh().readUInt32LE(at),
  };
}
