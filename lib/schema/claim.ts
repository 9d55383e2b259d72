import * as v from "valibot";

const hash = v.nullable(v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)));

/**
 * What a commit does, in the order it is done once the claim is published (design 5). Paths are relative to the
 * home, with forward slashes. Every step is idempotent: whoever finds the claim may finish it.
 */
export const ClaimStepSchema = v.variant("do", [
  v.strictObject({ do: v.literal("replace"), temp: v.string(), target: v.string() }),
  v.strictObject({ do: v.literal("move"), from: v.string(), to: v.string() }),
  v.strictObject({ do: v.literal("version"), manifest: v.string(), json: v.string() }),
  v.strictObject({ do: v.literal("journal"), line: v.string() }),
  v.strictObject({ do: v.literal("event"), json: v.string() }),
]);

export const ClaimSchema = v.strictObject({
  seq: v.number(),
  fingerprint: v.string(),
  name: v.string(),
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
  version: v.number(),
  /** bytesHash of the state before, or null. */
  parent: hash,
  bytesHash: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
  files: v.array(v.strictObject({ path: v.string(), bytesHash: v.string(), executable: v.boolean() })),
  at: v.string(),
  by: v.string(),
  runId: v.string(),
  verdict: v.nullable(v.string()),
});

export type Version = v.InferOutput<typeof VersionSchema>;
