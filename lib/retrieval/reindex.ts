import type { Progress } from "../core/context.ts";
import type { Diagnostic } from "../schema/diagnostic.ts";
import { compareFindings } from "../schema/finding.ts";
import type { View } from "./view.ts";

export interface ReindexReport {
  /** Skills of the whole vault that can be read, in every state but unreadable. */
  readonly skills: number;
  readonly places: number;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  /** Every file that gave no skill, or was passed over: where, which code, why (P9). */
  readonly unreadable: readonly Pick<Diagnostic, "file" | "line" | "code" | "message">[];
  readonly driver: string;
  readonly engine: string;
  /** Milliseconds. */
  readonly ms: number;
}

export interface ReindexOptions {
  /** Reads every file again instead of the changed ones. */
  readonly full?: boolean | undefined;
  readonly progress?: Progress | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Brings the index up to date and keeps it; names each file that gave no skill. */
export async function reindexAll(view: View, options: ReindexOptions = {}): Promise<ReindexReport> {
  const begun = performance.now();
  const { driver } = view.catalog;
  const { progress, signal, full } = options;
  const report = await view.catalog.reindex({ progress, signal, full: full === true });
  return {
    skills: await driver.count({ states: ["active", "quarantined", "archived"] }),
    places: view.vault.places().length,
    added: report.added,
    changed: report.changed,
    removed: report.removed,
    unreadable: await unreadableFiles(view, report.notes),
    driver: driver.name,
    engine: driver.engine,
    ms: Math.round(performance.now() - begun),
  };
}

/**
 * One line a file that cannot be read, its first error; and one for whatever a walk passed over that may hold skills. Of
 * a folder that cannot be entered it is said once, not of each file that was known in it (B110).
 */
export async function unreadableFiles(
  view: View,
  notes: readonly Diagnostic[],
): Promise<Pick<Diagnostic, "file" | "line" | "code" | "message">[]> {
  const rows = await view.catalog.driver.list({ states: ["unreadable"] }, "name");
  const firsts = rows.flatMap(
    (row) => row.diagnostics.find((one) => one.severity === "error") ?? row.diagnostics.slice(0, 1),
  );
  const passed = notes.filter((note) => note.severity === "warning");
  const bare = [...firsts, ...passed].map(({ file, line, code, message }) => ({ file, line, code, message }));
  const once = new Map(bare.map((one) => [JSON.stringify(one), one]));
  return [...once.values()].sort(compareFindings);
}
