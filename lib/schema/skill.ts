import * as v from "valibot";
import { isFingerprint, UNIVERSAL } from "../core/fingerprint.ts";
import { LIMITS } from "../core/limits.ts";
import { isSkillName } from "../core/names.ts";
import { byteLength } from "../core/text.ts";

export const ORIGINS = ["pack", "generated", "user"] as const;
export const SCOPES = ["session", "project", "tenant", "global"] as const;

const text = v.pipe(
  v.string(),
  v.check((value) => !value.includes("\0"), "holds a NUL character"),
);
const texts = v.array(text);
const time = v.pipe(v.string(), v.check(isIsoTime, "is not an ISO 8601 time"));
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const withinBytes = (limit: number) =>
  v.pipe(
    text,
    v.check(
      (value) => byteLength(value) <= limit,
      (issue) => `is ${byteLength(issue.input)} bytes, at most ${limit} are allowed`,
    ),
  );

export const TelemetrySchema = v.strictObject({
  uses: count,
  wins: count,
  losses: count,
  costSavedUsd: v.pipe(v.number(), v.finite()),
  lastWave: v.nullable(v.pipe(v.number(), v.safeInteger())),
});

export const SourceSchema = v.strictObject({
  candidateIds: texts,
  promotedBy: v.string(),
  promotedAt: v.nullable(time),
  patchedAt: v.nullable(time),
});

/** A date, or a date with a time, as ISO 8601 has it: what the time fields of every record hold. */
export function isIsoTime(value: string): boolean {
  return /^\d{4}-\d{2}-\d{2}(?:[T ]|$)/.test(value) && !Number.isNaN(Date.parse(value));
}

/**
 * One skill in memory, strict: what Canonry is willing to write (S1.10, C31, S5.1 to S5.6). `body` is the
 * Markdown after the frontmatter, byte for byte. Optional keys are absent where the file does not have them.
 */
export const SkillRecordSchema = v.strictObject({
  name: v.pipe(
    v.string(),
    v.check(isSkillName, "breaks the name rule (lower-case words joined by hyphens, at most 64 bytes)"),
  ),
  description: v.pipe(
    withinBytes(LIMITS.descriptionBytes),
    v.check((value) => value.trim() !== "", "is empty"),
  ),
  version: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  appliesTo: v.strictObject({
    fingerprint: v.pipe(
      v.string(),
      v.check((value) => value === UNIVERSAL || isFingerprint(value), "is neither 12 hex digits nor *"),
    ),
    languages: texts,
    toolsets: texts,
  }),
  requiresTools: texts,
  triggers: texts,
  references: texts,
  createdAt: v.nullable(time),
  lastUsedAt: v.nullable(time),
  telemetry: TelemetrySchema,
  source: SourceSchema,
  quarantined: v.boolean(),
  title: v.optional(text),
  summary: v.optional(text),
  taskType: v.optional(text),
  tags: v.optional(texts),
  requiredNamespaces: v.optional(texts),
  requiredTags: v.optional(texts),
  scope: v.optional(v.picklist(SCOPES)),
  origin: v.optional(v.picklist(ORIGINS)),
  originRef: v.optional(text),
  owner: v.optional(text),
  aliases: v.optional(texts),
  updatedAt: v.optional(time),
  note: v.optional(withinBytes(2_000)),
  disableModelInvocation: v.optional(v.boolean()),
  license: v.optional(text),
  compatibility: v.optional(text),
  allowedTools: v.optional(text),
  recipe: v.optional(v.strictObject({ language: text, testedWith: text })),
  metadata: v.optional(v.record(text, text)),
  body: text,
});

export type SkillRecord = v.InferOutput<typeof SkillRecordSchema>;
export type Telemetry = v.InferOutput<typeof TelemetrySchema>;
export type Origin = (typeof ORIGINS)[number];
export type Scope = (typeof SCOPES)[number];
