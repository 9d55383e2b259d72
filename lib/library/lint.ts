import { sep } from "node:path";
import { type LintOptions, lintPaths } from "../hosts/lint.ts";
import type { LintProblem } from "../hosts/lint-problem.ts";
import { refusedBy } from "../hosts/lint-skill.ts";
import { titleOf } from "../hosts/table.ts";
import { DIAGNOSTIC_CODES, type DiagnosticCode } from "../schema/diagnostic.ts";

export interface LintReport {
  /** Skill files that were looked at. */
  readonly files: number;
  readonly problems: readonly LintProblem[];
  readonly notes: readonly LintProblem[];
}

/** What hosts would refuse or cut of skill files and folders of them; see `lintPaths`. */
export async function lint(paths: readonly string[], options: LintOptions): Promise<LintReport> {
  const { skills, problems, notes } = await lintPaths(paths, options);
  return { files: skills.length, problems, notes };
}

/** Who refuses a skill file for what Canonry found in it; nobody a file of the home, which no host reads. */
export function refusingHosts(file: string, code: string, home: string): readonly string[] {
  if (file.startsWith(home + sep) || !isDiagnosticCode(code)) return [];
  return refusedBy(code, "error");
}

function isDiagnosticCode(code: string): code is DiagnosticCode {
  return Object.hasOwn(DIAGNOSTIC_CODES, code);
}

/** Hosts and validators by the names that people know. */
export function hostTitles(ids: readonly string[]): string {
  return ids.map(titleOf).join(", ");
}
