import { closeSync, constants, fstatSync, fsyncSync, openSync, writeSync } from "node:fs";
import { diskError } from "./errors.ts";

/**
 * Adds bytes to the end of a file in one `write`, so that lines of several processes never mix; makes the file where
 * there is none. A link, pipe or folder is refused. Throws where not every byte went out: what did is a torn line.
 */
export function appendOnce(path: string, bytes: Uint8Array, options: { sync?: boolean } = {}): void {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  try {
    const fd = openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o644);
    try {
      if (!fstatSync(fd).isFile()) throw new Error(`${path} is not a regular file`);
      const wrote = writeSync(fd, bytes);
      if (wrote !== bytes.length) throw new Error(`only ${wrote} of ${bytes.length} bytes were written`);
      if (options.sync === true) fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    throw diskError("append to", path, error);
  }
}
