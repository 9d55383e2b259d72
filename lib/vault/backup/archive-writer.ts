import { closeSync, createReadStream, fstatSync, fsyncSync, openSync } from "node:fs";
import { Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip, gzipSync } from "node:zlib";
import { createTarPacker, packTar, type TarHeader } from "modern-tar";
import { writeAll } from "../../core/write-all.ts";
import { ENTRY_FOLDER, MANIFEST_ENTRY } from "./kinds.ts";
import type { Found } from "./reading.ts";

/** Two blocks of zeros end a tar; the entries that follow the manifest come from a second gzip member. */
const END_BYTES = 1_024;

export interface ArchiveWriter {
  add(found: Found): Promise<void>;
  /** Every byte is on the disk when it resolves. */
  close(): Promise<void>;
  /** Ends the work early; the file is the caller's to remove. */
  abandon(reason: unknown): Promise<void>;
}

/** Writes files as a gzip'd tar into a new file. What the disk refuses comes out of `add` or `close`. */
export function openArchiveWriter(file: string, signal: AbortSignal | undefined): ArchiveWriter {
  const { readable, controller } = createTarPacker();
  const written = pipeline(
    Readable.fromWeb(readable as Parameters<typeof Readable.fromWeb>[0]),
    createGzip(),
    openSink(file),
    signal === undefined ? {} : { signal },
  );
  // whoever calls `add` or `close` hears of it; until then nobody may be listening
  written.catch(() => {});
  return {
    async add(found) {
      try {
        const body = controller.add(headerOf(found)).getWriter();
        if (found.bytes.length > 0) await body.write(new Uint8Array(found.bytes));
        await body.close();
      } catch (error) {
        controller.error(error);
        await written;
        throw error;
      }
    },
    async close() {
      controller.finalize();
      await written;
    },
    async abandon(reason) {
      controller.error(reason);
      await written.catch(() => {});
    },
  };
}

function headerOf(found: Found): TarHeader {
  return {
    name: `${ENTRY_FOLDER}${found.path}`,
    size: found.bytes.length,
    mode: found.executable ? 0o755 : 0o644,
    mtime: new Date(Math.max(0, found.mtimeMs)),
    type: "file",
  };
}

/**
 * Puts the manifest before what an `ArchiveWriter` has written: gzip members and tar entries may simply follow each
 * other, so the first entry can say what all others must be, though it is made last.
 */
export async function joinArchive(
  file: string,
  manifest: { readonly bytes: Uint8Array; readonly mtimeMs: number },
  body: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { bytes, mtimeMs } = manifest;
  const header = { name: MANIFEST_ENTRY, size: bytes.length, mode: 0o644, mtime: new Date(mtimeMs) };
  const packed = await packTar([{ header, body: bytes }]);
  const head = gzipSync(packed.subarray(0, packed.length - END_BYTES));
  async function* both() {
    yield head;
    yield* createReadStream(body);
  }
  await pipeline(both, openSink(file), signal === undefined ? {} : { signal });
}

/** A new file that only its owner may read; short writes are carried on, the length is checked, all is synced. */
function openSink(file: string): Writable {
  const fd = openSync(file, "wx", 0o600);
  let bytes = 0;
  return new Writable({
    write(chunk: Uint8Array, _encoding, done) {
      try {
        writeAll(fd, chunk, file);
        bytes += chunk.length;
        done();
      } catch (error) {
        done(asError(error));
      }
    },
    final(done) {
      try {
        if (fstatSync(fd).size !== bytes) throw new Error(`${file} is not as long as what was written`);
        fsyncSync(fd);
        done();
      } catch (error) {
        done(asError(error));
      }
    },
    destroy(error, done) {
      try {
        closeSync(fd);
        done(error);
      } catch (other) {
        done(error ?? asError(other));
      }
    },
  });
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
