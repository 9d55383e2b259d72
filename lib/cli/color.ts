import { CanonryError } from "../core/errors.ts";
import { didYouMean } from "../core/nearest.ts";

const WHEN = ["auto", "always", "never"];

/** Throws `CANONRY_USAGE` on a `--color` that is none; it changes nothing today, since the output is plain text. */
export function checkColor(when: unknown): void {
  if (when === undefined || (typeof when === "string" && WHEN.includes(when))) return;
  throw new CanonryError(
    "CANONRY_USAGE",
    `--color is one of ${WHEN.join(", ")}; received ${JSON.stringify(when)}.${didYouMean(String(when), WHEN)}`,
    { data: { received: when, allowed: WHEN } },
  );
}
