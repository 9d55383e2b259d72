import { sha256 } from "../core/hash.ts";
import type { SkillRecord } from "./skill.ts";

/** The fields that say what a skill is: not its counters, times, state, version or owner (design 2, "Two hashes"). */
const CONTENT = [
  "name",
  "title",
  "summary",
  "description",
  "triggers",
  "taskType",
  "tags",
  "appliesTo",
  "requiresTools",
  "requiredNamespaces",
  "requiredTags",
  "references",
  "aliases",
  "disableModelInvocation",
  "license",
  "compatibility",
  "allowedTools",
  "recipe",
  "metadata",
] as const satisfies readonly (keyof SkillRecord)[];

/** SHA-256 over the content fields in a fixed order, keys of maps sorted, then the body; 64 hex digits. */
export function digestOf(record: SkillRecord): string {
  const fields = JSON.stringify(CONTENT.map((field) => [field, canonical(record[field])]));
  return sha256(`${fields}\n${record.body}`);
}

function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== "object" || value === null) return value ?? null;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, inner]) => [key, canonical(inner)]);
}
