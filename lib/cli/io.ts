import type { Readable, Writable } from "node:stream";
import { clipColumns } from "../core/columns.ts";
import type { Environment } from "../library.ts";
import { shown } from "./terminal.ts";

/** What a command talks to: the process in earnest, buffers in specs. */
export interface Io {
  /** Data. */
  out(text: string): void;
  /** Everything else. */
  err(text: string): void;
  /** A line of stderr that the next one overwrites; it is gone before anything else is written. For terminals alone. */
  progress(text: string): void;
  readonly env: Environment;
  readonly cwd: string;
  /** Whether stderr is a terminal: progress is shown only there. */
  readonly errIsTerminal: boolean;
  /** Whether stdout is one: no place for an archive. */
  readonly outIsTerminal: boolean;
  readonly inIsTerminal: boolean;
  /** Bytes from stdin, and to stdout. */
  input(): Readable;
  output(): Writable;
}

/** The line begins anew, and what stood in it is gone. */
const CLEARED = "\r\u001b[K";

export function processIo(): Io {
  let isLineOpen = false;
  const clear = (): void => {
    if (isLineOpen) process.stderr.write(CLEARED);
    isLineOpen = false;
  };
  return {
    out(text) {
      clear();
      process.stdout.write(text);
    },
    err(text) {
      clear();
      process.stderr.write(text);
    },
    progress(text) {
      isLineOpen = true;
      // a line that wraps could not be taken back
      process.stderr.write(`${CLEARED}${clipColumns(text, (process.stderr.columns || 80) - 1)}`);
    },
    env: process.env,
    cwd: process.cwd(),
    errIsTerminal: process.stderr.isTTY === true,
    outIsTerminal: process.stdout.isTTY === true,
    inIsTerminal: process.stdin.isTTY === true,
    input: () => process.stdin,
    output: () => process.stdout,
  };
}

/** Work that is done sooner needs no line, and more of them in a second cannot be read. */
const SHOWN_EVERY_MS = 80;

/** A progress printer that overwrites one line of a terminal; silent elsewhere. `done` clears the line. */
export function progressLine(
  io: Io,
  quiet: boolean,
): { progress: (stage: string, done: number, total: number) => void; done(): void } {
  if (!io.errIsTerminal || quiet) return { progress: () => {}, done: () => {} };
  let shownAt: number | undefined;
  return {
    progress(stage, done, total) {
      const now = performance.now();
      shownAt ??= now;
      if (now - shownAt < SHOWN_EVERY_MS) return;
      shownAt = now;
      io.progress(shown(`${stage}: ${total === 0 ? done : `${done} of ${total} files`}`));
    },
    done: () => io.err(""),
  };
}
