import { lstatSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { LIMITS } from "../core/limits.ts";
import { createFindings } from "../markdown/findings.ts";
import type { Frontmatter } from "../markdown/frontmatter/tree.ts";
import { readPortable } from "../markdown/portable.ts";
import type { Diagnostic, DiagnosticCode, Severity } from "../schema/diagnostic.ts";
import type { SkillRecord } from "../schema/skill.ts";
import { type FileKind, folderName, parseSkill, readSkillText } from "../vault/skill-file.ts";
import type { LintProblem, Report } from "./lint-problem.ts";
import { RULES } from "./rules.ts";

/** One skill, read once: what it is, and what is to be said of it. */
export interface LintedSkill {
  /** Absolute path of its file. */
  readonly file: string;
  /** Absent where the file gives no skill. */
  readonly skill?: { readonly name: string; readonly description: string; readonly body: string };
  readonly problems: readonly LintProblem[];
}

/** Readers that want YAML to be YAML; the lenient hosts try again with quotes. */
const STRICT = ["skills-ref", "claude.ai", "codex", "mcp"];
/** A skill without frontmatter or description is passed over by all that keep to the guide for clients. */
const ALL = [...STRICT, "cursor", "copilot", "gemini-cli", "opencode"];

/** Who refuses what Canonry has found out by itself; what is not here concerns Canonry alone. */
const REFUSED_BY: Partial<Record<DiagnosticCode, readonly string[]>> = Object.freeze({
  FILE_EMPTY: ALL,
  FILE_NOT_UTF8: ALL,
  FILE_UTF16: ALL,
  FILE_NAME_CASE: ["claude.ai", "codex", "gemini-cli", "mcp"],
  FRONTMATTER_MISSING: ALL,
  FRONTMATTER_UNCLOSED: ALL,
  FRONTMATTER_EMPTY: ALL,
  FRONTMATTER_NOT_A_MAP: ALL,
  FRONTMATTER_LANGUAGE: ALL,
  MERGE_CONFLICT: ALL,
  FIELD_MISSING: ALL,
  YAML_ANCHOR: ["skills-ref"],
  YAML_INVALID: STRICT,
  TAB_AS_INDENT: STRICT,
  YAML_DUPLICATE_KEY: ["skills-ref"],
  NAME_DERIVED: ["skills-ref", "claude.ai", "mcp"],
});

/** What a rule here says better at the same place, with who refuses. */
const SAID_TWICE: ReadonlySet<DiagnosticCode> = new Set(["NAME_NOT_KEBAB", "NAME_DERIVED", "FIELD_TOO_LONG"]);

/** Reads one skill file and holds it to the rules of hosts, or to those of canon where it stands in a space. */
export function lintSkill(file: string, kind: FileKind): LintedSkill {
  const { text, diagnostics: unread } = readSkillText(file, file, kind);
  if (text === undefined) return { file, problems: unread.map(ofDiagnostic) };
  if (kind !== "skill" && kind !== "flat") {
    const { record, diagnostics } = parseSkill(text, file, file, kind);
    return linted(file, record, diagnostics.map(ofCanon));
  }
  const { record, block, diagnostics } = readPortable(text, { file, fallbackName: folderName(file, kind) });
  const problems = hostProblems(text, block, file, kind);
  for (const one of diagnostics) if (!isSaid(one, problems)) problems.push(ofHosts(one, text));
  return linted(file, record, problems);
}

function linted(file: string, record: SkillRecord | undefined, problems: LintProblem[]): LintedSkill {
  const sorted = problems.sort(byPlace);
  if (record === undefined) return { file, problems: sorted };
  const { name, description, body } = record;
  return { file, problems: sorted, skill: { name, description, body } };
}

function isSaid({ code, line, column }: Diagnostic, problems: readonly LintProblem[]): boolean {
  if (!SAID_TWICE.has(code)) return false;
  return problems.some((one) => SAID_TWICE.has(one.code) && one.line === line && one.column === column);
}

/**
 * The parser behind the upload takes a quoted text whose further lines begin in the first column; YAML, and who keeps
 * to it, does not.
 */
function ofHosts(one: Diagnostic, text: string): LintProblem {
  const problem = ofDiagnostic(one);
  if (one.code !== "YAML_INVALID") return problem;
  const line = text.split(/\r\n|\r|\n/, one.line).at(-1) ?? "";
  const isOpen = /:\s*(?:"(?:[^"\\]|\\.)*|'(?:[^']|'')*)$/.test(line);
  return isOpen ? { ...problem, hosts: problem.hosts.filter((host) => host !== "claude.ai") } : problem;
}

/** No host reads a file of a space. */
function ofCanon(one: Diagnostic): LintProblem {
  return { ...ofDiagnostic(one), severity: one.severity === "error" ? "problem" : "note", hosts: [] };
}

/** Who refuses a file of a host for what Canonry says of it. */
export function refusedBy(code: DiagnosticCode, severity: Severity): readonly string[] {
  return code === "FIELD_TYPE" && severity === "error" ? ALL : (REFUSED_BY[code] ?? []);
}

function ofDiagnostic({ file, line, column, code, severity, message }: Diagnostic): LintProblem {
  const hosts = refusedBy(code, severity);
  const isProblem = severity === "error" || hosts.length > 0;
  return { file, line, column, code, severity: isProblem ? "problem" : "note", hosts, message };
}

function hostProblems(
  text: string,
  block: Frontmatter | undefined,
  file: string,
  kind: FileKind,
): LintProblem[] {
  const problems: LintProblem[] = [];
  const places = createFindings(file, text);
  const report: Report = (code, offset, hosts, message, severity = "problem") => {
    places.error(code, offset, message);
    const { line, column } = places.list.at(-1) ?? { line: 1, column: 1 };
    problems.push({ file, line, column, code, severity, hosts, message });
  };
  const folder = kind === "skill" ? folderName(file, kind) : undefined;
  if (block !== undefined) for (const rule of RULES) rule({ text, block, folder }, report);
  if (kind === "skill" && basename(file) !== "SKILL.md")
    report(
      "FILE_NAME_CASE",
      0,
      REFUSED_BY.FILE_NAME_CASE ?? [],
      `The file is called ${basename(file)}. Rename it to SKILL.md.`,
    );
  if (kind === "skill") besides(dirname(file), report);
  return problems;
}

/** What stands beside a SKILL.md: no links, at most 512 files and 16 MiB. */
function besides(folder: string, report: Report): void {
  const sum = { files: 0, bytes: 0 };
  const link = walk(folder, 0, sum);
  if (link !== undefined)
    report("SKILL_FOLDER_LINK", 0, ["mcp"], `${link} is a symbolic link. Put the file itself there.`);
  if (sum.files > LIMITS.skillFiles || sum.bytes > LIMITS.skillFolderBytes)
    report(
      "SKILL_FOLDER_LARGE",
      0,
      ["mcp"],
      `The skill has ${sum.files} files of ${sum.bytes.toLocaleString("en-US")} bytes or more; at most ${LIMITS.skillFiles} files and ${LIMITS.skillFolderBytes.toLocaleString("en-US")} bytes are taken.`,
    );
}

/** Adds up the files below; the first link that it meets. Stops once there are too many. */
function walk(folder: string, depth: number, sum: { files: number; bytes: number }): string | undefined {
  let link: string | undefined;
  for (const entry of entriesOf(folder)) {
    if (sum.files > LIMITS.skillFiles) break;
    const path = join(folder, entry.name);
    if (entry.isSymbolicLink()) link ??= path;
    else if (entry.isFile()) {
      sum.files++;
      sum.bytes += lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;
    } else if (entry.isDirectory() && depth < LIMITS.mountDepth && !isSkillFolder(path))
      link = link ?? walk(path, depth + 1, sum);
  }
  return link;
}

function isSkillFolder(folder: string): boolean {
  return entriesOf(folder).some((entry) => /^skill\.md$/i.test(entry.name));
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}

export function byPlace(a: LintProblem, b: LintProblem): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.line - b.line || a.column - b.column || (a.code < b.code ? -1 : a.code > b.code ? 1 : 0);
}
