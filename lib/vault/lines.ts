import { readSync } from "node:fs";

const CHUNK_BYTES = 1_048_576;
/** Far more than any line of ours. A longer one is passed over, without being held in memory. */
export const LINE_BYTES = 1_048_576;

export interface TextLine {
  /** From 1, counted from where reading began. */
  readonly line: number;
  /** Offset of its first byte in the file. */
  readonly at: number;
  /** Without the newline. */
  readonly bytes: number;
  /** Undefined where it is longer than 1 MiB. */
  readonly text: string | undefined;
  /** Whether a newline ends it. */
  readonly ended: boolean;
}

/**
 * The lines of an open file between two offsets, in chunks: none is held for longer than it is looked at. Both who
 * reads the ledger and who verifies it read lines here, so that they agree on what counts. Throws what the system says.
 */
export function* readLines(
  fd: number,
  start = 0,
  end = Number.POSITIVE_INFINITY,
): Generator<TextLine, void, undefined> {
  let [line, at, bytes] = [1, start, 0];
  let parts: Buffer[] = [];
  for (let read = start; read < end; ) {
    const chunk = readAt(fd, read, Math.min(CHUNK_BYTES, end - read));
    if (chunk.length === 0) break;
    read += chunk.length;
    let cut = 0;
    for (let newline = chunk.indexOf(10); newline !== -1; newline = chunk.indexOf(10, cut)) {
      bytes += newline - cut;
      yield { line, at, bytes, text: textOf([...parts, chunk.subarray(cut, newline)], bytes), ended: true };
      [line, at, bytes, parts, cut] = [line + 1, at + bytes + 1, 0, [], newline + 1];
    }
    bytes += chunk.length - cut;
    parts = bytes > LINE_BYTES ? [] : [...parts, chunk.subarray(cut)];
  }
  if (bytes > 0) yield { line, at, bytes, text: textOf(parts, bytes), ended: false };
}

function textOf(parts: readonly Buffer[], bytes: number): string | undefined {
  return bytes > LINE_BYTES ? undefined : Buffer.concat(parts).toString("utf8");
}

/** The bytes from an offset on, fewer only where the file ends. */
export function readAt(fd: number, from: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  let got = 0;
  while (got < length) {
    const read = readSync(fd, bytes, got, length - got, from + got);
    if (read === 0) break;
    got += read;
  }
  return bytes.subarray(0, got);
}
