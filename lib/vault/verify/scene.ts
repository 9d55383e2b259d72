import type { Stats } from "node:fs";
import { errnoOf } from "../../core/errors.ts";
import type { Diagnostic } from "../../schema/diagnostic.ts";
import type { Checked, Finding } from "../../schema/finding.ts";
import type { Layout } from "../layout.ts";

/** What the parts of one verification share. */
export interface Scene {
  readonly layout: Layout;
  /** Milliseconds since the epoch, when the verification began. */
  readonly now: number;
  /** Temporary files younger than this are somebody's work and not worth a line. */
  readonly graceMs: number;
  readonly checked: { -readonly [count in keyof Checked]: Checked[count] };
  /** Temporary files that an open claim names, relative to the home: they are its business. */
  readonly claimed: Set<string>;
  /** Hashes of kept objects whose bytes are others. */
  readonly damaged: Set<string>;
}

/** A part of a verification: it yields once for each thing looked at, with what it found or undefined. */
export type Steps<T = void> = Generator<Finding | undefined, T, undefined>;

export function createScene(layout: Layout, now: number, graceMs = 0): Scene {
  const checked = { files: 0, objects: 0, versions: 0, claims: 0, ledgerLines: 0 };
  return { layout, now, graceMs, checked, claimed: new Set(), damaged: new Set() };
}

type Rest = readonly [file: string, code: Finding["code"], message: string, next: string, line?: number];

export function problem(...[file, code, message, next, line = 1]: Rest): Finding {
  return { severity: "problem", file, line, code, message, next };
}

export function note(...[file, code, message, next, line = 1]: Rest): Finding {
  return { severity: "note", file, line, code, message, next };
}

/** A diagnostic of a skill or candidate, as it is. */
export function ofDiagnostic({ file, line, code, severity, message }: Diagnostic): Finding {
  return severity === "error"
    ? problem(file, code, message, "mend the file, or move it out of the vault", line)
    : note(file, code, message, "mend it when you next edit the file", line);
}

export function cannotRead(file: string, error: unknown): Finding {
  const why = errnoOf(error) ?? (error instanceof Error ? error.message : String(error));
  return problem(file, "FILE_UNREADABLE", `Cannot be read: ${why}.`, "check its permissions and the disk");
}

/** A link, pipe, device or folder in the place of a file of ours, or a file in the place of a folder. */
export function notOurs(file: string, stats: Stats, wanted: "file" | "folder"): Finding {
  return problem(
    file,
    "FILE_NOT_REGULAR",
    `There is ${kindOf(stats)} where a ${wanted} of Canonry's own should be.`,
    `move it away, and put the ${wanted} itself there`,
  );
}

export function foreign(file: string): Finding {
  return note(
    file,
    "FILE_FOREIGN",
    "Nothing of Canonry's has this name here, and nothing reads it.",
    "move it elsewhere if it is yours",
  );
}

export function kindOf(stats: Stats): string {
  if (stats.isSymbolicLink()) return "a symbolic link";
  if (stats.isDirectory()) return "a folder";
  if (stats.isFIFO()) return "a named pipe";
  if (stats.isSocket()) return "a socket";
  return stats.isFile() ? "a file" : "a device";
}

/** "40 s", "12 min", "3 h", "9 days": how long ago something was touched, by the clock of the verification. */
export function ageOf(scene: Scene, ms: number): string {
  const seconds = Math.max(0, Math.round((scene.now - ms) / 1_000));
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / 86_400)} days`;
}

/** A temporary file that no open claim names. */
export function* leftover(scene: Scene, path: string, stats: Stats): Steps {
  if (scene.claimed.has(scene.layout.relative(path)) || scene.now - stats.mtimeMs < scene.graceMs) return;
  yield note(
    path,
    "LEFTOVER",
    `A temporary file, ${ageOf(scene, stats.mtimeMs)} old: its process is at work, or was killed before it had made its change.`,
    "nothing; the next command that opens the home removes it once it is old enough",
  );
}
