import { LIMITS } from "../core/limits.ts";
import type { Diagnostic, DiagnosticCode, Severity } from "../schema/diagnostic.ts";

const CR = 13;
const LF = 10;
const MARK_CHARS = 4_096;

/** Collects the diagnostics of one text; offsets become lines and columns only when there is something to say. */
export interface Findings {
  readonly list: readonly Diagnostic[];
  error(code: DiagnosticCode, offset: number, message: string): void;
  warn(code: DiagnosticCode, offset: number, message: string): void;
  note(code: DiagnosticCode, offset: number, message: string): void;
}

export function createFindings(file: string, text: string): Findings {
  const list: Diagnostic[] = [];
  const placeOf = createPlaces(text);
  const add = (severity: Severity, code: DiagnosticCode, offset: number, message: string): void => {
    if (severity !== "error" && list.length >= LIMITS.diagnosticsPerFile) return;
    list.push({ file, ...placeOf(offset), code, severity, message });
  };
  return {
    list,
    error: (code, offset, message) => add("error", code, offset, message),
    warn: (code, offset, message) => add("warning", code, offset, message),
    note: (code, offset, message) => add("note", code, offset, message),
  };
}

interface LineStart {
  readonly offset: number;
  readonly line: number;
}

/**
 * Line and column of an offset, both from 1. The text is read up to the furthest offset that was asked for, and of its
 * line starts only one in so many characters is kept: four million empty lines cost no memory.
 */
function createPlaces(text: string): (offset: number) => { line: number; column: number } {
  const marks: LineStart[] = [{ offset: 0, line: 1 }];
  return (offset) => {
    let { offset: start, line } = markBefore(marks, offset);
    for (let at = start; at < offset && at < text.length; at++) {
      const unit = text.charCodeAt(at);
      if (unit !== LF && (unit !== CR || text.charCodeAt(at + 1) === LF)) continue;
      start = at + 1;
      line++;
      if (start - (marks.at(-1)?.offset ?? 0) >= MARK_CHARS) marks.push({ offset: start, line });
    }
    return { line, column: offset - start + 1 };
  };
}

/** The last mark that is not behind `offset`. */
function markBefore(marks: readonly LineStart[], offset: number): LineStart {
  let low = 0;
  let high = marks.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((marks[middle]?.offset ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return marks[low] ?? { offset: 0, line: 1 };
}
