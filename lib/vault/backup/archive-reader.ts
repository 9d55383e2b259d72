import { closeSync, createReadStream, openSync, readSync } from "node:fs";
import { PassThrough, Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { createTarDecoder } from "modern-tar";

/** How many bytes the archive may unpack to, headers and padding too; whoever learns more raises or lowers it. */
export interface Budget {
  bytes: number;
}

export interface ArchiveEntry {
  readonly name: string;
  /** `file`, `directory`, `symlink`, `link` … */
  readonly type: string;
  readonly size: number;
  /** The body, which must not be longer than `size`; to be read before the next entry. */
  read(): Promise<Buffer>;
}

/** The archive breaks a rule of its format, or unpacks to more than it may; the message ends a sentence. */
export class ArchiveFault extends Error {}

/**
 * The entries of a tar, gzip'd or not, as they come; nothing is written. Throws `ArchiveFault` on one that is cut or
 * damaged, or larger than the budget; system errors as they are.
 */
export async function* readArchive(
  file: string,
  budget: Budget,
  signal: AbortSignal | undefined,
): AsyncGenerator<ArchiveEntry> {
  const plain = meter(budget);
  // before there is a stream whose error nobody hears
  const unpacked = isGzip(file) ? createGunzip() : new PassThrough();
  const ended = pipeline(createReadStream(file), unpacked, plain, signal === undefined ? {} : { signal });
  // the same error comes out of the stream of entries
  ended.catch(() => {});
  const decoder = createTarDecoder({ strict: true });
  const bytes = Readable.toWeb(plain) as unknown as ReadableStream<Uint8Array>;
  const entries = bytes.pipeThrough(decoder).getReader();
  try {
    for (;;) {
      const { done, value } = await entries.read().catch((error: unknown) => Promise.reject(faultOf(error)));
      if (done) break;
      const { header, body } = value;
      const { name, size, type = "file" } = header;
      yield { name, type, size, read: () => readBody(body, size) };
    }
  } finally {
    await entries.cancel().catch(() => {});
    plain.destroy();
    await ended.catch(() => {});
  }
}

async function readBody(body: ReadableStream<Uint8Array>, size: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read().catch((error: unknown) => Promise.reject(faultOf(error)));
    if (done) break;
    length += value.length;
    if (length > size) throw new ArchiveFault("an entry is longer than it says");
    chunks.push(value);
  }
  if (length !== size) throw new ArchiveFault("an entry is shorter than it says");
  return Buffer.concat(chunks, length);
}

function meter(budget: Budget): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      bytes += chunk.length;
      if (bytes > budget.bytes)
        done(new ArchiveFault(`it unpacks to more than the ${budget.bytes} bytes that it may`));
      else done(null, chunk);
    },
  });
}

/** Reading errors of the system stay what they are; all else is the archive's fault. */
function faultOf(error: unknown): unknown {
  if (error instanceof ArchiveFault || !(error instanceof Error) || error.name === "AbortError") return error;
  const code = "code" in error ? String(error.code) : "";
  if (/^E[A-Z]+$/.test(code)) return error;
  return new ArchiveFault(`it is cut or damaged (${error.message.replace(/\.$/, "")})`);
}

function isGzip(file: string): boolean {
  const fd = openSync(file, "r");
  try {
    const start = Buffer.alloc(2);
    readSync(fd, start, 0, 2, 0);
    return start[0] === 0x1f && start[1] === 0x8b;
  } finally {
    closeSync(fd);
  }
}
