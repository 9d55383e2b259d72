import type { SkillRecord } from "../schema/skill.ts";
import type { LeafType, LeafValue } from "./leaves.ts";

/** One field of a skill and the keys it has on disk. The table in `docs/formats.md` is this one. */
export interface Leaf {
  /** Dotted path in the record. */
  readonly field: string;
  readonly type: LeafType;
  readonly canon: readonly [string] | readonly [string, string];
  /** A key of the portable form: one of the six, or one below `metadata` if it begins with `canonry.`. */
  readonly portable?: string;
  /** Other places where a portable file may have it: read, never written. */
  readonly also?: readonly (readonly [string] | readonly [string, string])[];
  /** What a file without the key means; a field without it stays absent. */
  readonly absent?: LeafValue;
}

const ANY: readonly string[] = Object.freeze(["*"]);
const NONE: readonly string[] = Object.freeze([]);

/** Name, description and body apart: those have rules of their own. Order is the order in a new file. */
export const SKILL_LEAVES: readonly Leaf[] = Object.freeze([
  { field: "name", type: "text", canon: ["name"], portable: "name" },
  { field: "description", type: "text", canon: ["description"], portable: "description" },
  { field: "version", type: "version", canon: ["version"], portable: "canonry.version", absent: 1 },
  {
    field: "appliesTo.fingerprint",
    type: "text",
    canon: ["applies_to", "repo_fingerprint"],
    portable: "canonry.repo-fingerprint",
    absent: "*",
  },
  {
    field: "appliesTo.languages",
    type: "texts",
    canon: ["applies_to", "languages"],
    portable: "canonry.languages",
    absent: ANY,
  },
  {
    field: "appliesTo.toolsets",
    type: "texts",
    canon: ["applies_to", "toolsets"],
    portable: "canonry.toolsets",
    absent: ANY,
  },
  {
    field: "requiresTools",
    type: "texts",
    canon: ["requires_tools"],
    portable: "canonry.requires-tools",
    absent: NONE,
  },
  {
    field: "triggers",
    type: "texts",
    canon: ["triggers"],
    portable: "canonry.triggers",
    absent: NONE,
    also: [["metadata", "triggers"], ["when_to_use"]],
  },
  { field: "references", type: "texts", canon: ["references"], portable: "canonry.references", absent: NONE },
  { field: "createdAt", type: "time", canon: ["created_at"], portable: "canonry.created-at", absent: null },
  { field: "lastUsedAt", type: "time", canon: ["last_used_at"], absent: null },
  { field: "telemetry.uses", type: "count", canon: ["telemetry", "uses"], absent: 0 },
  { field: "telemetry.wins", type: "count", canon: ["telemetry", "wins"], absent: 0 },
  { field: "telemetry.losses", type: "count", canon: ["telemetry", "losses"], absent: 0 },
  { field: "telemetry.costSavedUsd", type: "money", canon: ["telemetry", "cost_saved_usd"], absent: 0 },
  { field: "telemetry.lastWave", type: "wave", canon: ["telemetry", "last_wave"], absent: null },
  {
    field: "source.candidateIds",
    type: "texts",
    canon: ["source", "candidate_ids"],
    portable: "canonry.candidate-ids",
    absent: NONE,
  },
  {
    field: "source.promotedBy",
    type: "text",
    canon: ["source", "promoted_by"],
    portable: "canonry.promoted-by",
    absent: "",
  },
  {
    field: "source.promotedAt",
    type: "time",
    canon: ["source", "promoted_at"],
    portable: "canonry.promoted-at",
    absent: null,
  },
  { field: "source.patchedAt", type: "time", canon: ["source", "patched_at"], absent: null },
  {
    field: "quarantined",
    type: "flag",
    canon: ["quarantined"],
    portable: "canonry.quarantined",
    absent: false,
  },
  { field: "title", type: "text", canon: ["title"], portable: "canonry.title" },
  { field: "summary", type: "text", canon: ["summary"], portable: "canonry.summary" },
  { field: "taskType", type: "text", canon: ["task_type"], portable: "canonry.task-type" },
  { field: "tags", type: "texts", canon: ["tags"], portable: "canonry.tags", also: [["metadata", "tags"]] },
  {
    field: "requiredNamespaces",
    type: "texts",
    canon: ["required_namespaces"],
    portable: "canonry.required-namespaces",
  },
  { field: "requiredTags", type: "texts", canon: ["required_tags"], portable: "canonry.required-tags" },
  { field: "scope", type: "scope", canon: ["scope"], portable: "canonry.scope" },
  { field: "origin", type: "origin", canon: ["origin"], portable: "canonry.origin" },
  { field: "originRef", type: "text", canon: ["origin_ref"], portable: "canonry.origin-ref" },
  { field: "owner", type: "text", canon: ["owner"], portable: "canonry.owner" },
  { field: "aliases", type: "texts", canon: ["aliases"], portable: "canonry.aliases" },
  { field: "updatedAt", type: "time", canon: ["updated_at"], portable: "canonry.updated-at" },
  { field: "note", type: "text", canon: ["note"], portable: "canonry.note" },
  {
    field: "disableModelInvocation",
    type: "flag",
    canon: ["disable_model_invocation"],
    portable: "canonry.disable-model-invocation",
    also: [["disable-model-invocation"]],
  },
  { field: "license", type: "text", canon: ["license"], portable: "license" },
  { field: "compatibility", type: "text", canon: ["compatibility"], portable: "compatibility" },
  { field: "allowedTools", type: "text", canon: ["allowed_tools"], portable: "allowed-tools" },
  {
    field: "recipe.language",
    type: "text",
    canon: ["recipe", "language"],
    portable: "canonry.recipe-language",
  },
  {
    field: "recipe.testedWith",
    type: "text",
    canon: ["recipe", "tested_with"],
    portable: "canonry.recipe-tested-with",
  },
] as const satisfies readonly Leaf[]);

export const RESERVED_METADATA: ReadonlySet<string> = new Set(
  SKILL_LEAVES.flatMap(({ portable }) => (portable?.startsWith("canonry.") ? [portable] : [])),
);

/** The value of one field of a record. */
export function leafOf(record: object, field: string): LeafValue {
  let value: unknown = record;
  for (const part of field.split("."))
    value = typeof value === "object" && value !== null ? Reflect.get(value, part) : undefined;
  return value as LeafValue;
}

/** A record of the leaves: a dotted field becomes a nested object; what is undefined stays absent. */
export function recordOf(
  leaves: ReadonlyMap<string, LeafValue>,
  rest: Pick<SkillRecord, "body" | "metadata">,
): SkillRecord {
  const record: Record<string, unknown> = {};
  const groups = new Map<string, Record<string, unknown>>();
  for (const [field, value] of leaves) {
    if (value === undefined) continue;
    const dot = field.indexOf(".");
    if (dot === -1) record[field] = value;
    else {
      const outer = field.slice(0, dot);
      const group = groups.get(outer) ?? {};
      group[field.slice(dot + 1)] = value;
      if (!groups.has(outer)) groups.set(outer, group);
      record[outer] = group;
    }
  }
  return Object.assign(record, rest) as unknown as SkillRecord;
}
