import { LIMITS } from "../core/limits.ts";
import type { Diagnostic, DiagnosticCode, Severity } from "../schema/diagnostic.ts";
import { lineStarts } from "./lines.ts";

/** Collects the diagnostics of one text; offsets become lines and columns only when there is something to say. */
export interface Findings {
  readonly list: readonly Diagnostic[];
  error(code: DiagnosticCode, offset: number, message: string): void;
  warn(code: DiagnosticCode, offset: number, message: string): void;
  note(code: DiagnosticCode, offset: number, message: string): void;
}

export function createFindings(file: string, text: string): Findings {
  const list: Diagnostic[] = [];
  let starts: number[] | undefined;
  const add = (severity: Severity, code: DiagnosticCode, offset: number, message: string): void => {
    if (severity !== "error" && list.length >= LIMITS.diagnosticsPerFile) return;
    starts ??= lineStarts(text);
    const line = lineOf(starts, offset);
    list.push({ file, line, column: offset - (starts[line - 1] ?? 0) + 1, code, severity, message });
  };
  return {
    list,
    error: (code, offset, message) => add("error", code, offset, message),
    warn: (code, offset, message) => add("warning", code, offset, message),
    note: (code, offset, message) => add("note", code, offset, message),
  };
}

/** The number, from 1, of the line that holds `offset`. */
function lineOf(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low + 1;
}
