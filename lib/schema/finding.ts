import type { DiagnosticCode } from "./diagnostic.ts";

/**
 * What `doctor --verify` may find in a vault beside the diagnostics of skill files. Data, never thrown; each line is
 * documented in `docs/errors.md`.
 */
export const FINDING_CODES = Object.freeze({
  FILE_FOREIGN: "A file or folder stands where only Canonry's own do; nothing reads it.",
  FILE_ASTRAY:
    "A Markdown file stands one level too high: no skill is looked for there, and nothing reads it.",
  FILE_CUT: "A skill's file is the beginning of its newest version and breaks off inside a line.",
  CONFLICT_MARKERS: "Conflict markers of git stand in the file: a merge was not brought to an end.",
  SKILL_FILES_ALONE: "A folder of files beside a skill stands without the skill.",
  SKILL_TWICE: "A skill's file stands under a second name that its last change took away.",
  SKILL_GONE: "Versions of a skill are kept, and the skill itself stands nowhere.",
  VERSION_NOT_KEPT: "The skill's file is none of its kept versions: a person has edited it since.",
  VERSION_OLDER: "The skill's file is an older version than the newest one that was kept.",
  VERSION_DAMAGED: "The manifest of a version cannot be read.",
  VERSION_NAME: "A manifest stands under another name than its number and hash give.",
  VERSION_OBJECT_MISSING: "A text or file of a version is not among the kept objects.",
  VERSION_OBJECT_DAMAGED: "A text or file of a version is kept, but its bytes are no longer the same.",
  VERSION_PARENT_MISSING: "A version was made from a state that is not kept: there is a hole before it.",
  VERSION_FORK: "Two versions were made from one state.",
  VERSION_SECOND_ROOT: "A skill has two versions that were made from nothing.",
  OBJECT_DAMAGED: "The bytes of a kept object are not those that its name is the hash of.",
  OBJECT_MISPLACED: "A kept object stands in the folder of another hash and is not found there.",
  OBJECT_SET_ASIDE: "An object that was damaged was set aside when its text was kept anew.",
  CLAIM_OPEN: "A change is made and its further steps are not: the next command finishes them.",
  CLAIM_DAMAGED: "A claim cannot be read, or asks for what it must not: it is passed over.",
  CLAIM_STALE: "A claim came after a higher one was done; it has no effect.",
  CLAIM_UNDONE: "A claim is marked as done, and what it should have left is not there.",
  LEFTOVER: "A temporary file of a process that did not come to its end, or is still at work.",
  TEXT_TAKEN_AWAY: "A text that a process took out of the way and did not file before it was killed.",
  STATE_DAMAGED: "A file of this machine's own state is empty, cut or of another shape.",
  STATE_SET_ASIDE: "A damaged or foreign file was set aside and made anew.",
  SETTINGS_REFUSED: "settings.json cannot be read, or holds an unknown key or a wrong value.",
  INDEX_FLUSH_OPEN: "An image of the index is written and not yet in its place.",
  INDEX_REFUSED: "The index file is damaged or foreign and will be set aside and rebuilt.",
  INDEX_ROW_MISSING: "A skill that can be read has no row in the index.",
  INDEX_ROW_WRONG: "The index holds another content for a file than the file itself.",
  LEDGER_LINE_TORN: "A ledger line breaks off: an append was not finished. It counts for nothing.",
  LEDGER_LINE_BAD: "A ledger line holds no event. It counts for nothing.",
  LEDGER_LINE_LONG: "A ledger line is longer than Canonry writes them.",
  LEDGER_LINE_OPEN: "The last line of a ledger file has no end yet and does not count until it has one.",
  LEDGER_ID_TWICE: "The same event stands twice; it counts once.",
  LEDGER_ID_CLASH: "Two different events have one id; only one of them counts.",
  LEDGER_FILE_NAME: "A file in the ledger has a name that is not read.",
  JOURNAL_LINE_TWICE: "A line of the journal stands twice.",
} as const);

export type FindingCode = keyof typeof FINDING_CODES;

/** One thing that `verify` found: where, what, and what to do about it. */
export interface Finding {
  /** A `note` needs nobody's attention to stay harmless; a `problem` does. */
  readonly severity: "problem" | "note";
  /** Absolute path. */
  readonly file: string;
  /** From 1; 1 where the file as a whole is meant. */
  readonly line: number;
  readonly code: FindingCode | DiagnosticCode;
  /** What is there. */
  readonly message: string;
  /** What to do. */
  readonly next: string;
}

/** How much was looked at. */
export interface Checked {
  readonly files: number;
  readonly objects: number;
  readonly versions: number;
  readonly claims: number;
  readonly ledgerLines: number;
}

type Located = Pick<Finding, "file" | "line" | "code">;

/** By file, line and code: the same faults give the same lines (P10). */
export function compareFindings(a: Located, b: Located): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.line - b.line || (a.code < b.code ? -1 : a.code > b.code ? 1 : 0);
}
