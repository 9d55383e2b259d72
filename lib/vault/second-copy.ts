import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from "node:fs";
import { quietly } from "../core/atomic.ts";
import { diskError } from "../core/errors.ts";

/**
 * Blanks the later of two equal lines among the last `tailBytes` of a file with spaces: a line of spaces says nothing,
 * in the ledger and in the journal. Whoever looks at one time sees the same two, so several processes that do this
 * blank the same one. Returns whether there were two.
 */
export function blankSecondCopy(path: string, line: string, tailBytes: number): boolean {
  const { O_RDWR, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  let fd: number | undefined;
  try {
    fd = openSync(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK);
    const size = fstatSync(fd).size;
    const from = Math.max(0, size - tailBytes);
    const tail = Buffer.alloc(size - from);
    const text = tail.subarray(0, readSync(fd, tail, 0, tail.length, from));
    const wanted = Buffer.from(`${line}\n`);
    const last = lastLine(text, wanted, text.length);
    if (last === -1 || lastLine(text, wanted, last) === -1) return false;
    writeSync(fd, Buffer.alloc(wanted.length - 1, " "), 0, wanted.length - 1, from + last);
    return true;
  } catch (error) {
    throw diskError("tidy", path, error);
  } finally {
    const open = fd;
    if (open !== undefined) quietly(() => closeSync(open));
  }
}

/** Where the last such line before `end` begins, or -1. */
function lastLine(text: Buffer, line: Buffer, end: number): number {
  for (let at = text.subarray(0, end).lastIndexOf(line); at !== -1; ) {
    if (at === 0 || text[at - 1] === 10) return at;
    at = text.subarray(0, at + line.length - 1).lastIndexOf(line);
  }
  return -1;
}
