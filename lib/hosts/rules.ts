import { LIMITS } from "../core/limits.ts";
import { quoted, tokenCount } from "../core/text.ts";
import type { Entry, Frontmatter, YamlNode } from "../markdown/frontmatter/tree.ts";
import type { Report } from "./lint-problem.ts";

/** A skill as its rules see it. */
export interface LintedText {
  readonly text: string;
  readonly block: Frontmatter;
  /** What the name must be equal to; absent where the file stands alone. */
  readonly folder: string | undefined;
}

type Rule = (skill: LintedText, report: Report) => void;

const SPEC_KEYS: readonly string[] = [
  "name",
  "description",
  "license",
  "compatibility",
  "metadata",
  "allowed-tools",
];
/** Who holds names and descriptions to their length (`ecosystem.md` 1.2). */
const COUNTING = ["skills-ref", "claude.ai", "codex"];
const NAME_CHARS = 64;

/** What plain YAML takes for a number, a truth value or nothing. */
const NOT_TEXT =
  /^(?:|~|null|true|false|[-+]?(?:\d+|0x[\da-f]+|0o[0-7]+)|[-+]?(?:\d+\.\d*|\.\d+)(?:e[-+]?\d+)?|[-+]?\d+e[-+]?\d+|[-+]?\.inf|\.nan)$/i;

/** The rules of hosts that need none of their programs, each with who would refuse (`ecosystem.md` 1.1, 1.2). */
export const RULES: readonly Rule[] = Object.freeze([
  mark,
  keys,
  name,
  description,
  compatibility,
  metadata,
  flow,
  body,
]);

function mark({ text }: LintedText, report: Report): void {
  if (text.startsWith("\uFEFF"))
    report(
      "FILE_BOM",
      0,
      ["skills-ref", "claude.ai"],
      "The file begins with a byte order mark. Save it as UTF-8 without one.",
    );
}

function keys({ block }: LintedText, report: Report): void {
  for (const { key, keyStart } of block.entries.values())
    if (!SPEC_KEYS.includes(key))
      report(
        "FIELD_UNKNOWN",
        keyStart,
        ["skills-ref", "claude.ai"],
        `${quoted(key, 40)} is none of the six keys of Agent Skills (${SPEC_KEYS.join(", ")}). Move it below metadata, as quoted text.`,
      );
}

function name({ block, folder }: LintedText, report: Report): void {
  const entry = block.entries.get("name");
  const text = textOf(entry);
  if (entry === undefined || text === undefined || text === "") return;
  const at = entry.keyStart;
  plainText(entry, report);
  tooLong(entry, text, NAME_CHARS, COUNTING, report);
  const lower = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
  if (!lower.test(text)) {
    const folded = text.normalize("NFKC");
    const inSpec = folded === folded.toLowerCase() && /^[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*$/u.test(folded);
    report(
      "NAME_NOT_KEBAB",
      at,
      inSpec ? ["claude.ai", "mcp"] : ["skills-ref", "claude.ai", "mcp"],
      `${quoted(text, 64)} is not lower-case letters and digits of ASCII joined by single hyphens.`,
    );
  }
  if (folder !== undefined && folder.normalize("NFKC") !== text.normalize("NFKC"))
    report(
      "NAME_MISMATCH",
      at,
      ["skills-ref"],
      `The name is ${quoted(text, 64)} and the folder ${quoted(folder, 64)}. Rename one of them: they must be equal.`,
    );
}

function description({ block }: LintedText, report: Report): void {
  const entry = block.entries.get("description");
  const text = textOf(entry);
  if (entry === undefined || text === undefined) return;
  plainText(entry, report);
  tooLong(entry, text, LIMITS.hostDescriptionChars, COUNTING, report, " Move details to the body.");
  if (/[<>]/.test(text))
    report(
      "DESCRIPTION_BRACKETS",
      entry.keyStart,
      ["claude.ai"],
      "The description holds < or >. Write the words instead.",
    );
}

function compatibility({ block }: LintedText, report: Report): void {
  const entry = block.entries.get("compatibility");
  if (entry === undefined) return;
  const text = textOf(entry);
  if (text === undefined) {
    const what = `compatibility is a ${entry.value.kind}; one text is needed.`;
    report("FIELD_TYPE", entry.keyStart, ["skills-ref", "claude.ai"], what);
    return;
  }
  plainText(entry, report);
  tooLong(entry, text, LIMITS.hostCompatibilityChars, ["skills-ref", "claude.ai"], report);
}

function tooLong(
  { key, keyStart }: Entry,
  text: string,
  most: number,
  hosts: readonly string[],
  report: Report,
  advice = "",
): void {
  const length = chars(text);
  if (length > most)
    report(
      "FIELD_TOO_LONG",
      keyStart,
      hosts,
      `The ${key} has ${counted(length)} characters, at most ${counted(most)} are allowed.${advice}`,
    );
}

/** A number, a truth value or nothing where a text is asked for. */
function plainText({ key, keyStart, value }: Entry, report: Report): void {
  if (value.kind === "scalar" && value.style === "plain" && value.text !== "" && NOT_TEXT.test(value.text))
    report(
      "FIELD_TYPE",
      keyStart,
      ["claude.ai"],
      `The ${key} ${quoted(value.text, 40)} is no text to YAML. Put it in double quotes.`,
    );
}

function metadata({ block }: LintedText, report: Report): void {
  const entry = block.entries.get("metadata");
  if (entry === undefined) return;
  if (entry.value.kind !== "map") {
    report(
      "METADATA_NOT_TEXT",
      entry.keyStart,
      ["mcp"],
      "metadata is no map. Write keys with quoted text below it.",
    );
    return;
  }
  for (const { key, keyStart, value } of entry.value.entries.values()) {
    const isText = value.kind === "scalar" && (value.style !== "plain" || !NOT_TEXT.test(value.text));
    if (isText) continue;
    const what =
      value.kind === "scalar" ? `${quoted(value.text, 40)}, which is no text to YAML` : `a ${value.kind}`;
    const hosts = key === "short-description" ? ["mcp", "codex"] : ["mcp"];
    report(
      "METADATA_NOT_TEXT",
      keyStart,
      hosts,
      `metadata.${key} is ${what}. Hosts that map text to text pass over the skill: write one quoted text.`,
    );
  }
}

/** The first list or map in brackets of each key. */
function flow({ block }: LintedText, report: Report): void {
  const tell = (at: number, key: string): void =>
    report("YAML_FLOW", at, ["skills-ref"], `${key} is written in brackets. Write one line for each entry.`);
  if (block.flow) tell(block.start, "The frontmatter");
  else
    for (const { key, value } of block.entries.values()) {
      const at = flowIn(value);
      if (at !== undefined) tell(at, `The value of ${key}`);
    }
}

function flowIn(node: YamlNode): number | undefined {
  if (node.kind !== "list" && node.kind !== "map") return undefined;
  if (node.flow) return node.start;
  const inner = node.kind === "list" ? node.items : [...node.entries.values()].map((entry) => entry.value);
  return inner.map(flowIn).find((at) => at !== undefined);
}

function body({ text, block }: LintedText, report: Report): void {
  const rest = text.slice(block.bodyStart);
  const lines = rest.trimEnd().split("\n").length;
  const tokens = tokenCount(rest);
  if (lines <= LIMITS.hostBodyLines && tokens <= LIMITS.hostBodyTokens) return;
  report(
    "BODY_LONG",
    block.bodyStart,
    [],
    `The body has ${counted(lines)} lines, about ${counted(tokens)} tokens; the form recommends under ${LIMITS.hostBodyLines} lines and ${counted(LIMITS.hostBodyTokens)} tokens. Move parts to references/.`,
    "note",
  );
}

function counted(count: number): string {
  return count.toLocaleString("en-US");
}

/** Characters as the hosts count them: code points. */
function chars(text: string): number {
  return [...text].length;
}

function textOf(entry: Entry | undefined): string | undefined {
  return entry?.value.kind === "scalar" ? entry.value.text.trim() : undefined;
}
