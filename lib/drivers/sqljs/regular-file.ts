import { closeSync, constants, fstatSync, openSync, readSync, statSync } from "node:fs";
import { CanonryError, diskError, errnoOf } from "../../core/errors.ts";

/** What opening a socket, a device that nothing serves, or a link that leads to itself answers. */
const NOT_A_FILE = new Set(["ENXIO", "ENODEV", "EOPNOTSUPP", "ELOOP"]);
/** One read call takes no more than two gigabytes less one. */
const READ_BYTES = 1_073_741_824;

export function damaged(path: string, fault: string, cause?: unknown): CanonryError {
  return new CanonryError(
    "CANONRY_INDEX_DAMAGED",
    `The index ${path} cannot be used: ${fault}. It is rebuilt from the files.`,
    {
      cause,
      data: { path, fault },
    },
  );
}

/**
 * The bytes of a regular file, or of one that a link leads to; undefined where there is nothing. A pipe or device is
 * not waited for. Throws `CANONRY_INDEX_DAMAGED` on what is no file or larger than `maxBytes`, else `CANONRY_DISK`.
 */
export function readRegular(path: string, maxBytes: number): Buffer | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stats = fstatSync(fd);
    if (stats.isDirectory()) throw damaged(path, "it is a folder");
    if (!stats.isFile()) throw damaged(path, "it is not a regular file");
    if (stats.size > maxBytes)
      throw damaged(path, `it has ${stats.size} bytes, and at most ${maxBytes} are read`);
    return readSize(fd, stats.size);
  } catch (error) {
    if (error instanceof CanonryError) throw error;
    const errno = errnoOf(error) ?? "";
    if (errno === "ENOENT") return undefined;
    if (errno === "EISDIR") throw damaged(path, "it is a folder", error);
    throw NOT_A_FILE.has(errno)
      ? damaged(path, "it is not a regular file", error)
      : diskError("read", path, error);
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** As many bytes as the file had when it was opened, however fast it grows. */
function readSize(fd: number, size: number): Buffer {
  const bytes = Buffer.alloc(size);
  let at = 0;
  for (let got = -1; at < size && got !== 0; at += got)
    got = readSync(fd, bytes, at, Math.min(size - at, READ_BYTES), at);
  return bytes.subarray(0, at);
}

/** Says which file stands there now, by inode, times and size; "" where there is none that can be looked at. */
export function stampOf(path: string): string {
  try {
    const { dev, ino, mtimeNs, ctimeNs, size } = statSync(path, { bigint: true });
    return `${dev}:${ino}:${mtimeNs}:${ctimeNs}:${size}`;
  } catch {
    return "";
  }
}
