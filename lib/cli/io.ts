import type { Readable, Writable } from "node:stream";
import type { Environment } from "../library.ts";

/** What a command talks to: the process in earnest, buffers in specs. */
export interface Io {
  /** Data. */
  out(text: string): void;
  /** Everything else. */
  err(text: string): void;
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

export function processIo(): Io {
  return {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    env: process.env,
    cwd: process.cwd(),
    errIsTerminal: process.stderr.isTTY === true,
    outIsTerminal: process.stdout.isTTY === true,
    inIsTerminal: process.stdin.isTTY === true,
    input: () => process.stdin,
    output: () => process.stdout,
  };
}

/** A progress printer that overwrites one line of a terminal; silent elsewhere. `done` clears the line. */
export function progressLine(
  io: Io,
  quiet: boolean,
): { progress: (stage: string, done: number, total: number) => void; done(): void } {
  if (!io.errIsTerminal || quiet) return { progress: () => {}, done: () => {} };
  let shownAt = 0;
  return {
    progress(stage, done, total) {
      const now = performance.now();
      if (now - shownAt < 80) return;
      shownAt = now;
      io.err(`\r\u001b[K${stage}: ${total === 0 ? done : `${done} of ${total} files`}`);
    },
    done: () => io.err(shownAt === 0 ? "" : "\r\u001b[K"),
  };
}
