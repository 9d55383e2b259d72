import { statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Progress } from "../core/context.ts";
import { CanonryError, errnoOf } from "../core/errors.ts";
import { realPathOf } from "../core/look.ts";
import { createPacer } from "../core/pacer.ts";
import type { Place } from "../vault/place.ts";
import type { FileKind } from "../vault/skill-file.ts";
import { walkPlace } from "../vault/walk.ts";
import type { LintProblem } from "./lint-problem.ts";
import { byPlace, type LintedSkill, lintSkill } from "./lint-skill.ts";
import { listingProblems } from "./listing.ts";

export interface LintOptions {
  /** The home, into which no link of a folder is followed. */
  readonly home: string;
  readonly progress?: Progress | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** So many files are looked at before other work gets its turn. */
const AT_ONCE = 8;

export interface Linted {
  /** Each skill file once, whatever path leads to it. */
  readonly skills: readonly LintedSkill[];
  readonly problems: readonly LintProblem[];
  readonly notes: readonly LintProblem[];
}

/**
 * Looks at skill files and at folders of them as hosts would; reads and changes nothing else. Throws `CANONRY_USAGE`
 * for a path that is not there, `CANONRY_ABORTED`.
 */
export async function lintPaths(paths: readonly string[], options: LintOptions): Promise<Linted> {
  const seen = new Map<string, LintedSkill>();
  const found: LintProblem[] = [];
  for (const path of paths.map((one) => resolve(one))) {
    const folder = isFolder(path) ? await lintFolder(path, options) : undefined;
    const skills = folder?.skills ?? [lintSkill(path, kindOf(path))];
    for (const one of skills) {
      const real = realPathOf(one.file) ?? one.file;
      if (!seen.has(real)) seen.set(real, one);
    }
    found.push(...(folder?.passed ?? []));
  }
  const skills = [...seen.values()];
  const all = [...found, ...skills.flatMap((one) => one.problems)].sort(byPlace);
  return {
    skills,
    problems: all.filter((one) => one.severity === "problem"),
    notes: all.filter((one) => one.severity === "note"),
  };
}

/** Every skill file of a folder, and what is to be said of the folder itself. */
export async function lintFolder(
  dir: string,
  { home, progress, signal }: LintOptions,
): Promise<{ skills: LintedSkill[]; passed: LintProblem[] }> {
  const isCanon = basename(dir) === "canon";
  const place: Place = {
    id: "lint",
    kind: isCanon ? "space" : "mount",
    fingerprint: "*",
    dir: isCanon ? dirname(dir) : dir,
  };
  const walk = await walkPlace(place, undefined, 0, createPacer(signal), realPathOf(home) ?? home);
  const skills: LintedSkill[] = [];
  const pacer = createPacer(signal, AT_ONCE);
  for (const [at, { path, kind }] of walk.files.entries()) {
    progress?.(`looking at ${basename(dirname(dir))}/${basename(dir)}`, at + 1, walk.files.length);
    await pacer.step();
    if (!isCanon || kind === "canon") skills.push(lintSkill(join(place.dir, path), kind));
  }
  const passed = [...walk.problems.values(), ...walk.state.notes].map(
    ({ file, line, column, code, severity, message }): LintProblem => ({
      ...{ file, line, column, code, message, hosts: [] },
      severity: severity === "error" ? "problem" : "note",
    }),
  );
  if (!isCanon) passed.push(...listingProblems(dir, skills));
  return { skills, passed };
}

function kindOf(file: string): FileKind {
  if (/^skill\.md$/i.test(basename(file))) return "skill";
  const folder = basename(dirname(file));
  return folder === "canon" || folder === "quarantine" || folder === "archive" ? folder : "flat";
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (cause) {
    throw new CanonryError(
      "CANONRY_USAGE",
      `${path} cannot be looked at (${errnoOf(cause) ?? "unknown error"}). Name a SKILL.md, or a folder of skills.`,
      { cause, data: { received: path } },
    );
  }
}
