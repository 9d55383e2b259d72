import { constants } from "node:os";
import { isCanonryError } from "../core/errors.ts";
import type { Call } from "./command.ts";
import { say } from "./session.ts";

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/**
 * Runs `work` so that the first SIGINT or SIGTERM aborts it and lets it clean up: 130 or 143 is the exit code then. The
 * second ends the process at once.
 */
export async function untilSignal(
  call: Call,
  work: (signal: AbortSignal) => Promise<number>,
): Promise<number> {
  const controller = new AbortController();
  let received: (typeof SIGNALS)[number] | undefined;
  const stop = (name: NodeJS.Signals) => {
    received = SIGNALS.find((one) => one === name);
    controller.abort();
  };
  for (const name of SIGNALS) process.once(name, stop);
  try {
    return await work(controller.signal);
  } catch (error) {
    if (received === undefined || !isEnded(error)) throw error;
    say(call, `canonry: ended by ${received}`);
    return 128 + constants.signals[received];
  } finally {
    for (const name of SIGNALS) process.removeListener(name, stop);
  }
}

function isEnded(error: unknown): boolean {
  return isCanonryError(error, "CANONRY_ABORTED") || (error instanceof Error && error.name === "AbortError");
}
