import { type LintOptions, lintPaths } from "../hosts/lint.ts";
import type { LintProblem } from "../hosts/lint-problem.ts";
import { titleOf } from "../hosts/table.ts";

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

/** Hosts and validators by the names that people know. */
export function hostTitles(ids: readonly string[]): string {
  return ids.map(titleOf).join(", ");
}
