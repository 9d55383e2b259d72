import { CanonryError } from "../core/errors.ts";

/** What every method of every driver begins with. */
export interface Guard {
  /** Throws `CANONRY_CLOSED` after `close`, `CANONRY_ABORTED` where the signal has fired. */
  check(signal?: AbortSignal): void;
  /** True the first time. */
  close(): boolean;
}

export function createGuard(driver: string): Guard {
  let closed = false;
  return {
    check(signal) {
      if (closed) {
        throw new CanonryError(
          "CANONRY_CLOSED",
          `The index (driver ${driver}) is closed. Open the library again.`,
          {
            data: { driver },
          },
        );
      }
      if (signal?.aborted) {
        throw new CanonryError(
          "CANONRY_ABORTED",
          "The caller's signal ended the work on the index; nothing was changed.",
          {
            cause: signal.reason,
            data: { driver },
          },
        );
      }
    },
    close() {
      const first = !closed;
      closed = true;
      return first;
    },
  };
}
