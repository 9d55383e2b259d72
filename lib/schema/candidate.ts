import * as v from "valibot";
import { LIMITS } from "../core/limits.ts";
import { byteLength } from "../core/text.ts";

export const CANDIDATE_KINDS = ["skill", "tool-recipe", "heuristic"] as const;

/** An agent's note, exactly the seven keys of S1.2 and its Markdown body (S1.3, S1.4). */
export const CandidateSchema = v.strictObject({
  kind: v.picklist(CANDIDATE_KINDS),
  proposedBy: v.pipe(
    v.string(),
    v.regex(/^[A-Za-z0-9_.-]+$/, "may hold letters, digits, '_', '.' and '-' only"),
  ),
  wave: v.pipe(v.number(), v.integer(), v.minValue(0)),
  runId: v.string(),
  trigger: v.pipe(
    v.string(),
    v.maxLength(LIMITS.candidateTriggerChars),
    v.check((value) => !/[\r\n]/.test(value), "is more than one line"),
  ),
  status: v.pipe(v.string(), v.minLength(1)),
  createdAt: v.string(),
  body: v.pipe(
    v.string(),
    v.check(
      (value) => byteLength(value) <= LIMITS.candidateBodyBytes,
      (issue) => `is ${byteLength(issue.input)} bytes, at most ${LIMITS.candidateBodyBytes} are allowed`,
    ),
  ),
});

export type Candidate = v.InferOutput<typeof CandidateSchema>;
