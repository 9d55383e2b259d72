import type { DiagnosticCode } from "../schema/diagnostic.ts";

/** What `lint` says of a file: with hosts, who would refuse the skill, or pass over or cut it. */
export interface LintProblem {
  /** Absolute path. */
  readonly file: string;
  /** From 1; columns in UTF-16 units. */
  readonly line: number;
  readonly column: number;
  readonly code: DiagnosticCode;
  /** A `problem`: somebody refuses the skill, Canonry itself where `hosts` is empty. A `note`: advice, or what is cut. */
  readonly severity: "problem" | "note";
  readonly hosts: readonly string[];
  readonly message: string;
}

/** Says something about the offset of a text; hosts as in `LintProblem`. */
export type Report = (
  code: DiagnosticCode,
  offset: number,
  hosts: readonly string[],
  message: string,
  severity?: LintProblem["severity"],
) => void;
