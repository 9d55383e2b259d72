import { CanonryError } from "../core/errors.ts";
import { LIMITS } from "../core/limits.ts";
import { byteLength, clip, oneLine } from "../core/text.ts";
import { CANDIDATE_KINDS, type Candidate, CandidateSchema } from "../schema/candidate.ts";
import { type Problem, problemsOf } from "../schema/problems.ts";
import { createFindings, type Findings } from "./findings.ts";
import type { Format } from "./format.ts";
import { readFrontmatter } from "./frontmatter/read.ts";
import { type Edit, NEW_BLOCK, NEW_TEXT, spliceFrontmatter } from "./frontmatter/splice.ts";
import type { Entry, Frontmatter } from "./frontmatter/tree.ts";
import { topHeading } from "./heading.ts";
import { findInvisible } from "./invisible.ts";
import { outlineOf } from "./outline.ts";

type Field = Exclude<keyof Candidate, "body">;

/** The seven keys of S1.2, in order, and what a file without one means. There is no eighth. */
const KEYS: readonly { readonly field: Field; readonly key: string; readonly absent: string | number }[] =
  Object.freeze([
    { field: "kind", key: "kind", absent: "skill" },
    { field: "proposedBy", key: "proposed_by", absent: "unknown" },
    { field: "wave", key: "wave", absent: 0 },
    { field: "runId", key: "run_id", absent: "" },
    { field: "trigger", key: "trigger", absent: "" },
    { field: "status", key: "status", absent: "new" },
    { field: "createdAt", key: "created_at", absent: "" },
  ]);

interface Reading {
  readonly block: Frontmatter;
  readonly record: Candidate;
}

function read(text: string, maxBytes: number, findings: Findings): Reading | undefined {
  const block = readFrontmatter(text, maxBytes, findings);
  if (block === undefined) return undefined;
  const values = new Map<Field, string | number>();
  const missing: string[] = [];
  for (const { field, key, absent } of KEYS) {
    const entry = block.entries.get(key);
    if (entry === undefined) missing.push(key);
    values.set(field, (entry === undefined ? undefined : readKey(field, entry, findings)) ?? absent);
  }
  if (missing.length > 0)
    findings.warn(
      "FIELD_MISSING",
      block.start,
      `The candidate lacks ${missing.join(", ")}; defaults stand in.`,
    );
  for (const [key, entry] of block.entries) {
    if (KEYS.some((one) => one.key === key)) continue;
    findings.warn(
      "FIELD_UNKNOWN",
      entry.keyStart,
      `A candidate has no key ${JSON.stringify(clip(oneLine(key), 40))}; it means nothing. Remove it.`,
    );
  }
  const body = text.slice(block.bodyStart);
  const record = { ...Object.fromEntries(values), body } as Candidate;
  inspect(record, block, findings);
  findInvisible(text, findings);
  return { block, record };
}

function readKey(field: Field, entry: Entry, findings: Findings): string | number | undefined {
  const node = entry.value;
  const text = node.kind === "scalar" ? node.text : undefined;
  if (field === "wave") {
    if (text !== undefined && /^\d{1,15}$/.test(text.trim())) return Number(text);
  } else if (field === "kind") {
    if (CANDIDATE_KINDS.some((one) => one === text)) return text;
  } else if (text !== undefined) return text;
  const needed =
    field === "wave" ? "a whole number from 0" : field === "kind" ? CANDIDATE_KINDS.join(", ") : "text";
  findings.warn(
    "FIELD_TYPE",
    entry.keyStart,
    `The key ${entry.key} is ${text === undefined ? `a ${node.kind}` : JSON.stringify(clip(oneLine(text), 40))}; ${needed} is needed. Its default stands in.`,
  );
  return undefined;
}

function inspect(record: Candidate, block: Frontmatter, findings: Findings): void {
  const bytes = byteLength(record.body);
  if (bytes > LIMITS.candidateBodyBytes) {
    findings.warn(
      "FIELD_TOO_LONG",
      block.bodyStart,
      `The body is ${bytes} bytes, at most ${LIMITS.candidateBodyBytes} are allowed (C1).`,
    );
  }
  if (record.trigger.length > LIMITS.candidateTriggerChars) {
    const at = block.entries.get("trigger")?.keyStart ?? block.start;
    findings.warn(
      "FIELD_TOO_LONG",
      at,
      `The trigger is ${record.trigger.length} characters, at most ${LIMITS.candidateTriggerChars} are allowed.`,
    );
  }
  if (record.body.trim() === "")
    findings.warn("BODY_EMPTY", block.bodyStart, "There is no text after the frontmatter.");
  else if (topHeading(record.body) === undefined) {
    findings.warn(
      "BODY_HEADING_MISSING",
      block.bodyStart,
      "The body has no first-level heading. Begin it with a short title.",
    );
  }
}

function write(record: Candidate, previous: string | undefined): string {
  const findings = createFindings("candidate", previous ?? "");
  const before = previous === undefined ? undefined : read(previous, LIMITS.frontmatterBytes, findings);
  if (previous !== undefined && before === undefined) {
    throw invalid(findings.list.map(({ line, message }) => ({ field: `line ${line} of the file`, message })));
  }
  const problems = problemsOf(CandidateSchema, record).filter(
    ({ field }) => !stands(field, record, before?.record),
  );
  if (problems.length > 0) throw invalid(problems);
  const changed = KEYS.filter(({ field }) => before === undefined || record[field] !== before.record[field]);
  const edits = changed.map(({ field, key }): Edit => ({ path: [key], value: record[field] }));
  const body = record.body === before?.record.body ? undefined : record.body;
  const written = spliceFrontmatter(previous ?? NEW_TEXT, before?.block ?? NEW_BLOCK, edits, body);
  if (written !== previous) refuseDrift(record, written);
  return written;
}

/** A text that would say something else than the record is never handed out. */
function refuseDrift(record: Candidate, written: string): void {
  const after = read(written, LIMITS.frontmatterBytes, createFindings("candidate", written))?.record;
  const fields = ["body", ...KEYS.map(({ field }) => field)];
  const drift = fields.filter(
    (field) => after === undefined || Reflect.get(after, field) !== Reflect.get(record, field),
  );
  if (drift.length > 0)
    throw invalid(drift.map((field) => ({ field, message: "would not be read back as it is" })));
}

/** What the file has had all along is let stand; what changes is held to the rules (B106). */
function stands(field: string, record: Candidate, before: Candidate | undefined): boolean {
  if (before === undefined || (field !== "body" && !KEYS.some((one) => one.field === field))) return false;
  return Reflect.get(record, field) === Reflect.get(before, field);
}

function invalid(problems: readonly Problem[]): CanonryError {
  const words = problems.map(({ field, message }) => `${field}: ${message}`);
  return new CanonryError("CANONRY_INVALID_RECORD", `Cannot write the candidate: ${words.join("; ")}.`, {
    data: { problems: words },
  });
}

/** An agent's note: exactly the seven keys of S1.2 and a Markdown body of at most 5,120 bytes (S1.3, S1.4, C1). */
const candidate = Object.freeze<Format<Candidate>>({
  name: "candidate",
  parse(text, options) {
    const findings = createFindings(options.file, text);
    const reading = read(text, options.frontmatterBytes ?? LIMITS.frontmatterBytes, findings);
    return {
      ...(reading === undefined ? {} : { record: reading.record }),
      diagnostics: findings.list,
      outline: () => outlineOf(text, reading?.block.bodyStart ?? 0),
    };
  },
  serialise: write,
});

export default candidate;
