import { LIMITS } from "../../core/limits.ts";

const HEADER = 32;
const FRAME = 24;
const MAGIC = 0x377f0682;

/**
 * A database as its committed write-ahead log leaves it, in memory: frames count while their salts are the log's and
 * the running checksum holds, up to the last that ends a transaction. The result says of itself that it has no log.
 */
export function applyWal(main: Uint8Array, wal: Uint8Array | undefined): Uint8Array {
  const image = wal === undefined ? main.slice() : merged(main, wal);
  if (image.length >= 20) image.fill(1, 18, 20);
  return image;
}

function merged(main: Uint8Array, wal: Uint8Array): Uint8Array {
  const log = new DataView(wal.buffer, wal.byteOffset, wal.byteLength);
  if (wal.length < HEADER || (log.getUint32(0) & ~1) !== MAGIC) return main.slice();
  const pageSize = log.getUint32(8);
  const sum = createSum(log, (log.getUint32(0) & 1) === 0);
  if (pageSize < 512 || pageSize > 65_536 || !sum(0, 24, 24)) return main.slice();
  const [committed, pages] = committedPages(log, pageSize, sum);
  if (committed === 0 || committed * pageSize > LIMITS.indexFileBytes) return main.slice();
  const image = new Uint8Array(committed * pageSize);
  image.set(main.subarray(0, image.length));
  for (const [page, at] of pages)
    if (page >= 1 && page <= committed) image.set(wal.subarray(at, at + pageSize), (page - 1) * pageSize);
  return image;
}

/** Adds bytes to the running checksum; `at` is where the log keeps what it should be then. */
type Sum = (from: number, to: number, at: number) => boolean;

/** The database's size in pages after the last commit, and where in the log each changed page stands. */
function committedPages(log: DataView, pageSize: number, sum: Sum): [pages: number, at: Map<number, number>] {
  const done = new Map<number, number>();
  let open = new Map<number, number>();
  let size = 0;
  for (let at = HEADER; at + FRAME + pageSize <= log.byteLength; at += FRAME + pageSize) {
    const sameSalts =
      log.getUint32(at + 8) === log.getUint32(16) && log.getUint32(at + 12) === log.getUint32(20);
    sum(at, at + 8, at + 16);
    if (!sum(at + FRAME, at + FRAME + pageSize, at + 16) || !sameSalts) break;
    open.set(log.getUint32(at), at + FRAME);
    const commit = log.getUint32(at + 4);
    if (commit === 0) continue;
    size = commit;
    for (const [page, where] of open) done.set(page, where);
    open = new Map();
  }
  return [size, done];
}

function createSum(log: DataView, littleEndian: boolean): Sum {
  let [a, b] = [0, 0];
  return (from, to, at) => {
    for (let i = from; i < to; i += 8) {
      a = (a + log.getUint32(i, littleEndian) + b) >>> 0;
      b = (b + log.getUint32(i + 4, littleEndian) + a) >>> 0;
    }
    return log.getUint32(at) === a && log.getUint32(at + 4) === b;
  };
}
