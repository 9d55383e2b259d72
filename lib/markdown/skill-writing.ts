import { CanonryError } from "../core/errors.ts";
import type { Problem } from "../schema/problems.ts";
import { problemsOf } from "../schema/problems.ts";
import { type SkillRecord, SkillRecordSchema } from "../schema/skill.ts";
import { beginsWithBlock } from "./frontmatter/read.ts";
import type { Value } from "./frontmatter/render.ts";
import { type Edit, NEW_BLOCK, NEW_TEXT, spliceFrontmatter } from "./frontmatter/splice.ts";
import type { Frontmatter } from "./frontmatter/tree.ts";
import { sameValue } from "./leaves.ts";
import { type Leaf, leafOf, RESERVED_METADATA, SKILL_LEAVES } from "./skill-leaves.ts";
import { type Dialect, type Path, readSkill, type SkillReading } from "./skill-reading.ts";

/** How one of the two forms of a skill writes its keys. */
export interface Pen {
  /** Fields that the form does not carry: their changes are not written. */
  carries(leaf: Leaf): boolean;
  /** Where a changed leaf goes and what is written there; `block` is what the file has already. */
  write(
    leaf: Leaf,
    value: ReturnType<typeof leafOf>,
    block: Frontmatter,
  ): { path: Path; value: Value | undefined };
  /** Whether a new file has this leaf at all. */
  starts(leaf: Leaf, value: ReturnType<typeof leafOf>): boolean;
  /** What the form asks of a record beyond the schema. */
  problems(record: SkillRecord): Problem[];
}

/**
 * The text of a skill file: `previous` with the lines of the changed fields changed, or a new file. What changes is
 * held to the strict rules; what a file has had all along is let stand (B106). The result is read back before it is
 * returned: a text that would say something else is never handed out.
 */
export function writeSkill(
  record: SkillRecord,
  previous: string | undefined,
  dialect: Dialect,
  pen: Pen,
): string {
  const before =
    previous === undefined
      ? undefined
      : readSkill(previous, { file: record.name, fallbackName: record.name }, dialect);
  if (
    before !== undefined &&
    before.block === undefined &&
    before.diagnostics.some(({ code }) => code !== "FRONTMATTER_MISSING" && code !== "FRONTMATTER_EMPTY")
  ) {
    throw invalid(
      record,
      before.diagnostics.map(({ line, message }) => ({ field: `line ${line} of the file`, message })),
    );
  }
  refuseProblems(record, before, pen);
  const bom = previous?.startsWith("\uFEFF") ? "\uFEFF" : "";
  const isNew = previous === undefined || before?.block === undefined;
  const written = isNew
    ? bom + spliceFrontmatter(NEW_TEXT, NEW_BLOCK, editsOf(record, undefined, NEW_BLOCK, pen), record.body)
    : spliceFrontmatter(
        previous,
        before.block,
        editsOf(record, before, before.block, pen),
        record.body === before.body ? undefined : record.body,
      );
  if (written !== previous) refuseDrift(record, written, dialect, pen);
  return written;
}

function refuseProblems(record: SkillRecord, before: SkillReading | undefined, pen: Pen): void {
  const stands = (field: string): boolean => {
    if (before?.block === undefined) return false;
    if (field === "body") return record.body === before.body;
    if (field === "metadata") return sameValue(record.metadata ?? {}, before.metadata ?? {});
    const leaves = SKILL_LEAVES.filter(
      (leaf) =>
        leaf.field === field || leaf.field.startsWith(`${field}.`) || field.startsWith(`${leaf.field}.`),
    );
    return (
      leaves.length > 0 &&
      leaves.every((leaf) => sameValue(leafOf(record, leaf.field), before.leaves.get(leaf.field)))
    );
  };
  const doubled = before?.block !== undefined && beginsWithBlock(before.body);
  const problems = [
    ...problemsOf(SkillRecordSchema, record),
    ...pen.problems(record),
    ...ownProblems(record, doubled),
  ];
  const fresh = problems.filter(({ field }) => !stands(field.startsWith("metadata.") ? "metadata" : field));
  if (fresh.length > 0) throw invalid(record, fresh);
}

/** `doubled`: the file has had a second block before, which is not this writer's doing (B33, B106). */
function ownProblems(record: SkillRecord, doubled: boolean): Problem[] {
  const problems: Problem[] = [];
  if (!doubled && typeof record.body === "string" && beginsWithBlock(record.body)) {
    problems.push({
      field: "body",
      message: "begins with a second block of frontmatter; merge it into the first",
    });
  }
  for (const key of Object.keys(record.metadata ?? {})) {
    if (RESERVED_METADATA.has(key))
      problems.push({ field: "metadata", message: `holds ${key}, which is a field of its own` });
  }
  return problems;
}

function editsOf(
  record: SkillRecord,
  before: SkillReading | undefined,
  block: Frontmatter,
  pen: Pen,
): Edit[] {
  const edits: Edit[] = [];
  for (const leaf of SKILL_LEAVES) {
    if (!pen.carries(leaf)) continue;
    const value = leafOf(record, leaf.field);
    const changed =
      before === undefined ? pen.starts(leaf, value) : !sameValue(value, before.leaves.get(leaf.field));
    if (changed) edits.push(pen.write(leaf, value, block));
  }
  const had = before?.metadata ?? {};
  const has = record.metadata ?? {};
  for (const key of new Set([...Object.keys(had), ...Object.keys(has)])) {
    const value = Object.hasOwn(has, key) ? has[key] : undefined;
    if (value !== (Object.hasOwn(had, key) ? had[key] : undefined))
      edits.push({ path: ["metadata", key], value });
  }
  // The keys of the Agent Skills form first, what is below `metadata` last.
  return edits.sort((a, b) => Number(a.path[0] === "metadata") - Number(b.path[0] === "metadata"));
}

function refuseDrift(record: SkillRecord, written: string, dialect: Dialect, pen: Pen): void {
  const after = readSkill(written, { file: record.name, fallbackName: record.name }, dialect);
  const drift: Problem[] = SKILL_LEAVES.filter(
    (leaf) => pen.carries(leaf) && !sameValue(leafOf(record, leaf.field), after.leaves.get(leaf.field)),
  ).map((leaf) => ({
    field: leaf.field,
    message:
      "would not be read back as it is; repair what the file has that is not YAML, or stands twice, first",
  }));
  if (after.body !== record.body) drift.push({ field: "body", message: "would not be read back as it is" });
  if (!sameEntries(after.metadata ?? {}, record.metadata ?? {}))
    drift.push({ field: "metadata", message: "would not be read back as it is" });
  if (after.block === undefined) {
    const [first] = after.diagnostics;
    throw invalid(record, [
      { field: "frontmatter", message: `could not be read back: ${first?.message ?? "it is gone"}` },
    ]);
  }
  if (drift.length > 0) throw invalid(record, drift);
}

function sameEntries(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  return (
    Object.keys(a).length === Object.keys(b).length &&
    Object.keys(a).every((key) => Object.hasOwn(b, key) && a[key] === b[key])
  );
}

function invalid(record: SkillRecord, problems: readonly Problem[]): CanonryError {
  const words = problems.map(({ field, message }) => `${field}: ${message}`);
  return new CanonryError(
    "CANONRY_INVALID_RECORD",
    `Cannot write the skill ${JSON.stringify(String(record.name).slice(0, 80))}: ${words.join("; ")}.`,
    {
      data: { problems: words },
    },
  );
}
