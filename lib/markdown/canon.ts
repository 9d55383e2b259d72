import { CanonryError } from "../core/errors.ts";
import { LIMITS } from "../core/limits.ts";
import { byteLength } from "../core/text.ts";
import type { Problem } from "../schema/problems.ts";
import type { SkillRecord } from "../schema/skill.ts";
import type { Findings } from "./findings.ts";
import type { Format } from "./format.ts";
import type { Frontmatter } from "./frontmatter/tree.ts";
import { topHeading } from "./heading.ts";
import { nativeValue } from "./leaves.ts";
import { outlineOf } from "./outline.ts";
import { type Leaf, SKILL_LEAVES } from "./skill-leaves.ts";
import { type Dialect, entryAt, readSkill } from "./skill-reading.ts";
import { type Pen, writeSkill } from "./skill-writing.ts";

const NO_KEYS: ReadonlySet<string> = new Set();

const dialect = Object.freeze<Dialect>({
  frontmatterBytes: LIMITS.frontmatterCanonBytes,
  reserved: NO_KEYS,
  find(leaf: Leaf, block: Frontmatter) {
    const entry = entryAt(block, leaf.canon);
    return entry === undefined ? undefined : { path: leaf.canon, entry, portable: false };
  },
  minds: () => true,
  inspect,
});

const pen = Object.freeze<Pen>({
  carries: () => true,
  write: (leaf, value) => ({ path: leaf.canon, value: nativeValue(value) }),
  starts: (_leaf, value) => value !== undefined,
  problems,
});

function inspect(
  skill: SkillRecord,
  present: ReadonlySet<string>,
  block: Frontmatter,
  findings: Findings,
): void {
  const missing = SKILL_LEAVES.filter(
    (leaf) => "absent" in leaf && leaf.field !== "references" && !present.has(leaf.field),
  );
  if (missing.length > 0) {
    const keys = missing.map((leaf) => leaf.canon.join(".")).join(", ");
    findings.warn("FIELD_MISSING", block.start, `The file lacks ${keys}; defaults stand in.`);
  }
  const count = countProblem(skill);
  if (count !== undefined) {
    findings.warn(
      "FIELD_COUNT",
      block.entries.get("triggers")?.keyStart ?? block.start,
      `The list triggers ${count}.`,
    );
  }
  if (topHeading(skill.body) === undefined && skill.body.trim() !== "") {
    findings.warn(
      "BODY_HEADING_MISSING",
      block.bodyStart,
      "The body has no first-level heading. Begin it with one that matches the description.",
    );
  }
}

function countProblem({ triggers }: SkillRecord): string | undefined {
  if (triggers.length >= LIMITS.triggersMin && triggers.length <= LIMITS.triggersMax) return undefined;
  return `has ${triggers.length} entries, ${LIMITS.triggersMin} to ${LIMITS.triggersMax} are allowed`;
}

function problems(record: SkillRecord): Problem[] {
  const count = Array.isArray(record.triggers) ? countProblem(record) : undefined;
  return count === undefined ? [] : [{ field: "triggers", message: count }];
}

/** What the size rule says about a canon file that is to be written (C33, C34): bytes of the whole file. */
export interface SizeVerdict {
  readonly fits: boolean;
  /** `strict` for a new file, `ratchet` for a change: a file over the limit may not grow. */
  readonly rule: "strict" | "ratchet";
  readonly bytes: number;
  readonly limitBytes: number;
}

/** `oldBytes` is the size of the installed file; leave it out for a new one. */
export function canonSizeVerdict(newBytes: number, oldBytes?: number): SizeVerdict {
  const limitBytes = LIMITS.canonFileBytes;
  if (oldBytes === undefined)
    return { fits: newBytes <= limitBytes, rule: "strict", bytes: newBytes, limitBytes };
  return { fits: newBytes <= Math.max(limitBytes, oldBytes), rule: "ratchet", bytes: newBytes, limitBytes };
}

/** Throws `CANONRY_FILE_TOO_LARGE` where the verdict on this text is no (S1.8, C33, C34). */
export function assertCanonFits(text: string, installedText?: string): void {
  const installed = installedText === undefined ? undefined : byteLength(installedText);
  const { fits, rule, bytes, limitBytes } = canonSizeVerdict(byteLength(text), installed);
  if (fits) return;
  const allowed =
    rule === "strict" || installed === undefined || installed <= limitBytes
      ? `${limitBytes}`
      : `${installed}, as it has now,`;
  throw new CanonryError(
    "CANONRY_FILE_TOO_LARGE",
    `The canon file would be ${bytes} bytes, at most ${allowed} are allowed. Shorten it, or move a part to references/.`,
    {
      data: { bytes, limitBytes, rule },
    },
  );
}

/** A skill in canon (S1 section 2, with the optional keys of design 2): snake_case keys at the top. */
const canon = Object.freeze<Format<SkillRecord>>({
  name: "canon",
  parse(text, options) {
    const { record, bodyStart, diagnostics } = readSkill(text, options, dialect);
    return {
      ...(record === undefined ? {} : { record }),
      diagnostics,
      outline: () => outlineOf(text, bodyStart),
    };
  },
  serialise: (record, previousText) => writeSkill(record, previousText, dialect, pen),
});

export default canon;
