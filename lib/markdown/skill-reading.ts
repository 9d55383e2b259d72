import { LIMITS } from "../core/limits.ts";
import { byteLength } from "../core/text.ts";
import type { Diagnostic } from "../schema/diagnostic.ts";
import type { SkillRecord } from "../schema/skill.ts";
import { createFindings, type Findings } from "./findings.ts";
import type { ParseOptions } from "./format.ts";
import { readFrontmatter } from "./frontmatter/read.ts";
import { type Entry, type Frontmatter, isNull, type YamlNode } from "./frontmatter/tree.ts";
import { findInvisible } from "./invisible.ts";
import { type LeafValue, readLeaf, readPortableLeaf } from "./leaves.ts";
import { type Leaf, recordOf, SKILL_LEAVES } from "./skill-leaves.ts";
import { readName } from "./skill-name.ts";

export type Path = readonly [string] | readonly [string, string];

/** Where a leaf stands in a block, and whether as a value of its own type or as text under `metadata`. */
export interface Place {
  readonly path: Path;
  readonly entry: Entry;
  readonly portable: boolean;
}

/** How one of the two forms of a skill finds its keys (design 8). */
export interface Dialect {
  readonly frontmatterBytes: number;
  /** Where to read this leaf from. */
  find(leaf: Leaf, block: Frontmatter): Place | undefined;
  /** Keys below `metadata` that are fields of ours and no metadata. */
  readonly reserved: ReadonlySet<string>;
  /** Whether a value of an odd type deserves a warning: a foreign file's keys are its own affair. */
  minds(leaf: Leaf, place: Place): boolean;
  /** What this form wants to see, besides what both need. */
  inspect(skill: SkillRecord, present: ReadonlySet<string>, block: Frontmatter, findings: Findings): void;
}

export interface SkillReading {
  readonly record?: SkillRecord;
  /** The frontmatter, where there is one to edit; it may be there without a record. */
  readonly block?: Frontmatter;
  readonly leaves: ReadonlyMap<string, LeafValue>;
  readonly metadata: Readonly<Record<string, string>> | undefined;
  readonly body: string;
  readonly bodyStart: number;
  readonly diagnostics: readonly Diagnostic[];
}

/** One skill file to a record, leniently: what is missing or odd gets a default and a warning (B106). Throws on nothing. */
export function readSkill(text: string, options: ParseOptions, dialect: Dialect): SkillReading {
  const findings = createFindings(options.file, text);
  const block = readFrontmatter(text, options.frontmatterBytes ?? dialect.frontmatterBytes, findings);
  if (block === undefined) {
    return { leaves: new Map(), metadata: undefined, body: text, bodyStart: 0, diagnostics: findings.list };
  }
  const { leaves, present } = readLeaves(text, block, dialect, findings);
  const name = readName(block.entries.get("name"), options, block.start, findings);
  const described = readDescription(block, findings);
  leaves.set("name", name).set("description", described);
  const metadata = readMetadata(block, dialect.reserved);
  const body = text.slice(block.bodyStart);
  const reading = { block, leaves, metadata, body, bodyStart: block.bodyStart, diagnostics: findings.list };
  if (name === undefined || described === undefined) return reading;
  const record = recordOf(leaves, { body, ...(metadata === undefined ? {} : { metadata }) });
  inspectText(text, block, body, findings);
  dialect.inspect(record, present, block, findings);
  return { ...reading, record };
}

function readLeaves(text: string, block: Frontmatter, dialect: Dialect, findings: Findings) {
  const leaves = new Map<string, LeafValue>();
  const present = new Set<string>();
  for (const leaf of SKILL_LEAVES) {
    const place =
      leaf.field === "name" || leaf.field === "description" ? undefined : dialect.find(leaf, block);
    if (place === undefined) {
      leaves.set(leaf.field, leaf.absent);
      continue;
    }
    present.add(leaf.field);
    const { value, odd } = (place.portable ? readPortableLeaf : readLeaf)(leaf.type, shaped(place), text);
    leaves.set(leaf.field, value ?? leaf.absent);
    if (odd !== undefined && dialect.minds(leaf, place)) {
      findings.warn("FIELD_TYPE", place.entry.keyStart, `The key ${place.path.join(".")} ${odd}.`);
    }
  }
  const language = leaves.get("recipe.language");
  const tested = leaves.get("recipe.testedWith");
  if (language !== undefined || tested !== undefined)
    leaves.set("recipe.language", language ?? "").set("recipe.testedWith", tested ?? "");
  return { leaves, present };
}

/**
 * `allowed-tools` may be a list, where the record has the one text that the Agent Skills form asks for; `when_to_use`
 * is one sentence, where the record has a list of triggers (ecosystem 1.2).
 */
function shaped({ path, entry }: Place): YamlNode {
  const node = entry.value;
  if (path[0] === "allowed-tools" && node.kind === "list") {
    const text = node.items
      .map((one) => (one.kind === "scalar" ? one.text : ""))
      .join(" ")
      .trim();
    return { kind: "scalar", text, style: "quoted", start: node.start, end: node.end };
  }
  if (path[0] === "when_to_use" && node.kind === "scalar" && !isNull(node))
    return { ...node, kind: "list", items: [node], flow: false };
  return node;
}

function readDescription(block: Frontmatter, findings: Findings): string | undefined {
  const entry = block.entries.get("description");
  const node = entry?.value;
  const at = entry?.keyStart ?? block.start;
  if (node?.kind === "list" || node?.kind === "map") {
    findings.error(
      "FIELD_TYPE",
      at,
      `The description is a ${node.kind}; text is needed. Write one sentence in double quotes.`,
    );
    return undefined;
  }
  if (node === undefined || node.kind === "broken" || isNull(node) || node.text.trim() === "") {
    findings.error(
      "FIELD_MISSING",
      at,
      "The skill has no description. Write what it does and when to use it.",
    );
    return undefined;
  }
  const size = byteLength(node.text);
  if (size > LIMITS.descriptionBytes) {
    findings.warn(
      "FIELD_TOO_LONG",
      at,
      `The description is ${size} bytes, at most ${LIMITS.descriptionBytes} are allowed. Shorten it; hosts may refuse it.`,
    );
  }
  return node.text;
}

function readMetadata(block: Frontmatter, reserved: ReadonlySet<string>): Record<string, string> | undefined {
  const node = block.entries.get("metadata")?.value;
  if (node?.kind !== "map") return undefined;
  const kept = [...node.entries]
    .filter(([key]) => !reserved.has(key))
    .map(([key, { value }]) => [key, flatText(value)] as const);
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

/** Nested values, which hosts write too, become JSON text: metadata maps text to text (ecosystem 1.1). */
function flatText(node: YamlNode): string {
  return node.kind === "scalar" ? node.text : JSON.stringify(plain(node));
}

function plain(node: YamlNode): unknown {
  if (node.kind === "scalar") return node.text;
  if (node.kind === "list") return node.items.map(plain);
  if (node.kind === "broken") return null;
  return Object.fromEntries([...node.entries].map(([key, { value }]) => [key, plain(value)]));
}

function inspectText(text: string, block: Frontmatter, body: string, findings: Findings): void {
  const size = byteLength(text);
  if (size > LIMITS.canonFileBytes) {
    findings.warn(
      "FILE_OVERSIZE",
      0,
      `The file is ${size} bytes, a canon file has at most ${LIMITS.canonFileBytes}. It is read, but cannot be promoted as it is.`,
    );
  }
  if (body.trim() === "")
    findings.warn("BODY_EMPTY", block.bodyStart, "There is no text after the frontmatter. Write what to do.");
  findInvisible(text, findings);
}

/** The entry at a path, if every step of it is there. */
export function entryAt(block: Frontmatter, path: Path): Entry | undefined {
  const outer = block.entries.get(path[0]);
  if (path[1] === undefined || outer === undefined) return outer;
  return outer.value.kind === "map" ? outer.value.entries.get(path[1]) : undefined;
}
