import { closeSync, constants, fstatSync, fsyncSync, openSync, writeSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { quietly } from "./atomic.ts";
import { diskError, errnoOf } from "./errors.ts";
import { inFolder, isPlaced } from "./held-folder.ts";

const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
const APPEND = O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK;
const MAKE = APPEND | O_CREAT;

/**
 * Adds bytes to the end of a file in one `write`, so that lines of several processes never mix; makes the file where
 * there is none. A link, pipe or folder is refused, and so is a folder that is a link. Throws where not every byte went out: what did is a torn line.
 */
export function appendOnce(path: string, bytes: Uint8Array, options: { sync?: boolean } = {}): void {
  let fd: number | undefined;
  try {
    fd =
      openThere(path) ?? inFolder(dirname(path), (held) => openSync(join(held, basename(path)), MAKE, 0o644));
    if (!fstatSync(fd).isFile()) throw new Error(`${path} is not a regular file`);
    if (!isPlaced(fd, path)) throw new Error(`${path} is reached through a symbolic link`);
    const wrote = writeSync(fd, bytes);
    if (wrote !== bytes.length) throw new Error(`only ${wrote} of ${bytes.length} bytes were written`);
    if (options.sync === true) fsyncSync(fd);
  } catch (error) {
    throw diskError("append to", path, error);
  } finally {
    const open = fd;
    if (open !== undefined) quietly(() => closeSync(open));
  }
}

/** Undefined where there is no such file. */
function openThere(path: string): number | undefined {
  try {
    return openSync(path, APPEND);
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return undefined;
    throw error;
  }
}
