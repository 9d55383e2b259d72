import { ERROR_CODES, isCanonryError } from "../core/errors.ts";
import type { Io } from "./io.ts";
import { shownLines } from "./terminal.ts";

/**
 * Prints what went wrong, as JSON where that was asked for; the exit code of `cli.md`. What is no `CanonryError` is a
 * fault of ours, and is shown with its stack.
 */
export function printFailure(io: Io, program: string, error: unknown, wantsJson: boolean): number {
  const { code, message, data } = isCanonryError(error)
    ? error
    : { code: "CANONRY_INTERNAL" as const, message: stackOf(error), data: {} };
  io.err(
    wantsJson
      ? `${JSON.stringify({ error: { code, message, data } })}\n`
      : `${shownLines(`${program}: ${message}`)}\n`,
  );
  return ERROR_CODES[code].exit;
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
