import * as v from "valibot";

const digits = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, "is no SHA-256 in hex"));
const hash = v.nullable(digits);
const whole = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/**
 * What a commit does, in the order it is done once the claim is published (design 5). Paths are relative to the
 * home, with forward slashes. Every step may be done again: whoever finds the claim may finish it.
 */
export const ClaimStepSchema = v.variant("do", [
  /** Renames `temp` over `target`. With `keep`, what stood there is kept in `versions/objects` first. */
  v.strictObject({ do: v.literal("replace"), temp: v.string(), target: v.string(), keep: v.boolean() }),
  /** Moves a file, or a folder of files, to where nothing stands. */
  v.strictObject({ do: v.literal("move"), from: v.string(), to: v.string() }),
  v.strictObject({ do: v.literal("version"), manifest: v.string(), json: v.string() }),
  v.strictObject({ do: v.literal("journal"), line: v.string() }),
  v.strictObject({ do: v.literal("event"), json: v.string() }),
]);

export const ClaimSchema = v.strictObject({
  /** Of this claim alone: a late process tells by it and by `token` which claim a number stands for. */
  id: v.pipe(v.string(), v.regex(/^[0-9a-f]{16}$/)),
  seq: v.pipe(whole, v.minValue(1)),
  /** Twelve hex digits, "*", or "local" for a file of this machine. */
  fingerprint: v.string(),
  name: v.string(),
  /** Name of the temporary file that the claim was linked from; it goes when the claim is finished. */
  token: v.string(),
  /** bytesHash of the file this change was made from; null where there must be none. */
  base: hash,
  /** bytesHash after it; null where the file goes away. */
  next: hash,
  at: v.string(),
  steps: v.array(ClaimStepSchema),
});

export type ClaimStep = v.InferOutput<typeof ClaimStepSchema>;
export type Claim = v.InferOutput<typeof ClaimSchema>;

/** One kept state of a skill: `versions/<fingerprint>/<name>/<n>-<hash8>.json` (design 2). */
export const VersionSchema = v.strictObject({
  version: whole,
  /** bytesHash of the state before, or null. */
  parent: hash,
  bytesHash: digits,
  files: v.array(v.strictObject({ path: v.string(), bytesHash: digits, executable: v.boolean() })),
  at: v.string(),
  /** Who made it: `librarian`, a person's or agent's name; `person` for a state that no program wrote. */
  by: v.string(),
  runId: v.string(),
  verdict: v.nullable(v.string()),
});

export type Version = v.InferOutput<typeof VersionSchema>;
