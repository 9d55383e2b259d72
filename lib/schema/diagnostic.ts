/**
 * Content faults: data, located, never thrown, never the end of the rest. `error` means that the file gave no
 * record; `warning` that something was assumed or is over a limit; `note` that something was passed over.
 * Each line is documented in `docs/errors.md`.
 */
export const DIAGNOSTIC_CODES = Object.freeze({
  FILE_UNREADABLE: "The file or folder cannot be read; the message holds the system's reason.",
  FILE_NOT_REGULAR: "There is a folder, pipe or device where a file should be.",
  FILE_TOO_LARGE: "The file is larger than what Canonry reads.",
  FILE_EMPTY: "The file has no text.",
  FILE_NOT_UTF8: "The bytes are not UTF-8; the message holds the offset of the first bad one.",
  FILE_UTF16: "The file is UTF-16; save it as UTF-8.",
  FILE_BOM: "The file begins with a byte order mark; some hosts do not see the frontmatter behind it.",
  FILE_HAS_NUL: "The text holds a NUL character.",
  FILE_NAME_CASE: "The file is not called SKILL.md exactly; hosts on case-sensitive disks do not find it.",
  FILE_SHADOWED_BY_CASE:
    "A folder holds SKILL.md and a second file that differs in case only; SKILL.md counts.",
  LINK_BROKEN: "A symbolic link points nowhere.",
  LINK_REFUSED:
    "A symbolic link leads to the home, to what the mount stands in, or to the system; it is not followed.",
  FOLDER_HIDDEN_SKIPPED: "A hidden folder that no known host uses was passed over.",
  FOLDER_LIMIT: "The tree is deeper or larger than what Canonry walks.",
  FRONTMATTER_MISSING: "The file does not begin with a frontmatter block.",
  FRONTMATTER_UNCLOSED: "The frontmatter block has no closing line.",
  FRONTMATTER_EMPTY: "The frontmatter block is empty.",
  FRONTMATTER_TOO_LARGE: "The frontmatter block is larger than allowed.",
  FRONTMATTER_TOO_DEEP: "The frontmatter is nested deeper than allowed.",
  FRONTMATTER_LANGUAGE: "The opening fence names a language; only YAML is read, nothing is run.",
  FRONTMATTER_SECOND_BLOCK: "A second frontmatter block follows the first; it counts as body.",
  FRONTMATTER_NOT_A_MAP: "The frontmatter is not a list of keys with values.",
  MERGE_CONFLICT: "Git could not merge the frontmatter; both sides stand in it.",
  YAML_ANCHOR: "Anchors, aliases, merge keys and tags are refused; write the value out.",
  YAML_INVALID: "A line is not valid YAML; the message says what was assumed in its place.",
  YAML_DUPLICATE_KEY: "A key stands twice; the first one counts.",
  TAB_AS_INDENT: "A line is indented with a tab, which YAML does not allow.",
  FIELD_MISSING: "A key that hosts require is missing.",
  FIELD_TYPE: "A value has another type than its key allows; the message says what was assumed.",
  FIELD_UNKNOWN: "A key that this kind of file does not have; it is kept, and has no meaning.",
  FIELD_TOO_LONG: "A value is longer than its limit; the message holds both.",
  FIELD_COUNT: "A list has fewer or more entries than allowed.",
  NAME_DERIVED: "The file gives no name; the folder's or file's name stands in.",
  NAME_NOT_KEBAB: "The name is not lower-case words joined by hyphens; hosts may refuse it.",
  NAME_MISMATCH: "The name differs from the folder or file it stands in; both find it.",
  TEXT_INVISIBLE: "The text holds invisible tag or bidirectional characters.",
  FILE_OVERSIZE: "The file is larger than a canon file may be; it is read, but cannot be promoted as it is.",
  BODY_HEADING_MISSING: "The body has no first-level heading.",
  BODY_EMPTY: "There is no text after the frontmatter.",
  BODY_LONG: "The body is longer than the Agent Skills form recommends; move parts to files beside it.",
  YAML_FLOW: "A value is written as a list or map in brackets; strict readers take lines only.",
  METADATA_NOT_TEXT: "A value below metadata is no quoted text; some hosts pass over the whole skill.",
  DESCRIPTION_BRACKETS: "The description holds < or >, which an upload to claude.ai refuses.",
  SKILL_FOLDER_LINK: "A symbolic link stands beside a skill; some hosts pass over the whole skill.",
  SKILL_FOLDER_LARGE: "The files beside a skill are more or larger than hosts take.",
  LISTING_OVER_BUDGET: "The names and descriptions together are more than a host lists; it cuts some.",
} as const);

export type DiagnosticCode = keyof typeof DIAGNOSTIC_CODES;
export type Severity = "error" | "warning" | "note";

export interface Diagnostic {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1, UTF-16 units. */
  readonly column: number;
  readonly code: DiagnosticCode;
  readonly severity: Severity;
  readonly message: string;
}

export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((one) => one.severity === "error");
}
