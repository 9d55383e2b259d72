import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { appendOnce } from "../core/append.ts";
import { quietly } from "../core/atomic.ts";
import { diskError, errnoOf } from "../core/errors.ts";

/** Far more than what other processes write between a line and the next look for it. */
const TAIL_BYTES = 65_536;

/** Adds `line` to the journal, on a line of its own even after a torn one. Not synced: it is a printout of the ledger. */
export function appendLine(journal: string, line: string): void {
  const text = readTail(journal);
  const gap = text === "" || text.endsWith("\n") ? "" : "\n";
  appendOnce(journal, Buffer.from(`${gap}${line}\n`));
}

export function endsWithLine(journal: string, line: string): boolean {
  return readTail(journal).split("\n").includes(line);
}

function readTail(path: string): string {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  try {
    const fd = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      const size = fstatSync(fd).size;
      const bytes = Buffer.alloc(Math.min(size, TAIL_BYTES));
      return bytes.toString("utf8", 0, readSync(fd, bytes, 0, bytes.length, size - bytes.length));
    } finally {
      quietly(() => closeSync(fd));
    }
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return "";
    throw diskError("read", path, error);
  }
}
