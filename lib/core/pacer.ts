import { CanonryError } from "./errors.ts";

/** Lets other work run now and then during long synchronous work, and ends it when the caller's signal says so. */
export interface Pacer {
  /** Call once a step; every `every` steps it gives way. */
  step(): Promise<void> | undefined;
}

export function createPacer(signal: AbortSignal | undefined, every = 256): Pacer {
  let steps = 0;
  return {
    step() {
      if (++steps % every !== 0) return undefined;
      throwIfAborted(signal);
      return new Promise((resolve) => setImmediate(resolve));
    },
  };
}

/** Throws `CANONRY_ABORTED` once the signal has fired. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true)
    throw new CanonryError("CANONRY_ABORTED", "The work was ended by the caller's signal.", {
      cause: signal.reason,
    });
}
