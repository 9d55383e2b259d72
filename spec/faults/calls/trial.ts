import { cpSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { isTempName } from "../../../lib/core/temp-names.ts";
import { leftoversOf } from "../leftovers.ts";
import { verified } from "../verified.ts";
import type { Outcome } from "./actor.ts";
import {
  AN_HOUR_MS,
  damagedObjects,
  filesOf,
  hasObject,
  journalLines,
  ledgerOf,
  openTwice,
  problemOfVersion,
  textAt,
} from "./check-home.ts";
import { answersOf } from "./index-answers.ts";
import type { Expected, Operation } from "./operations.ts";

/** Findings of `verify` that a trial counts by itself: lines that were cut on purpose. */
const TOLD_OTHERWISE = ["LEDGER_LINE_TORN", "LEDGER_LINE_BAD"];

/** A home ready for an operation, copied for each trial. */
export interface Template {
  readonly operation: Operation;
  readonly folder: string;
  readonly home: string;
}

export async function makeTemplate(root: string, operation: Operation): Promise<Template> {
  const folder = join(root, `template ${operation.name}`);
  const home = join(folder, "home");
  mkdirSync(folder);
  await operation.prepare(home);
  return { operation, folder, home };
}

/** Runs `work` in a copy of the template that is gone afterwards. */
export async function inCopy<T>(
  template: Template,
  folder: string,
  work: (home: string) => Promise<T>,
): Promise<T> {
  cpSync(template.folder, folder, { recursive: true, preserveTimestamps: true });
  try {
    return await work(join(folder, "home"));
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** How a trial ended for whoever had asked: told that it is done, told that it is not, or told nothing for certain. */
export type Verdict = "acknowledged" | "refused" | "silent";

export function verdictOf(outcome: Outcome): Verdict {
  if (outcome.acknowledged === true) return "acknowledged";
  if (outcome.unconfirmed === true) return "silent";
  return outcome.acknowledged === undefined && outcome.code === undefined && outcome.untyped === undefined
    ? "silent"
    : "refused";
}

/** What the fault itself leaves behind, and nobody can put right. */
export interface Allowed {
  /** A write that was cut half way leaves its line torn; no other line may suffer. */
  readonly tornLines?: number;
}

/**
 * Looks at the home as a raw reader does, opens it, and looks again: what must not be, a sentence each. Call it when
 * every process of the trial is gone.
 */
export async function checkTrial(
  template: Template,
  home: string,
  outcome: Outcome,
  allowed: Allowed = {},
): Promise<string[]> {
  const expected = template.operation.expected(home, template.home);
  const verdict = verdictOf(outcome);
  const before = [...rawFindings(home, expected), ...refusalFindings(home, expected, outcome)];
  const opened = openTwice(home, expected.create === true ? { create: true } : {});
  if (opened.problem !== undefined) return [...before, `the home cannot be opened: ${opened.problem}`];
  const answers = expected.answers === undefined ? undefined : await answersOf(home, { aheadMs: AN_HOUR_MS });
  return [
    ...before,
    ...otherAnswers(answers, expected.answers),
    ...stateFindings(home, expected, verdict),
    ...tornLines(home).slice(allowed.tornLines ?? 0),
    ...leftoversOf(home).map((path) => `left over: ${path}`),
    ...(await verified(home, TOLD_OTHERWISE)),
    ...damagedObjects(home).map((path) => `damaged object: ${path}`),
    ...bystanderFindings(template, home, expected),
  ];
}

function otherAnswers(answers: string | undefined, wanted: string | undefined): string[] {
  if (answers === undefined || wanted === undefined || answers === wanted) return [];
  const at = Math.max(0, [...answers].findIndex((letter, n) => letter !== wanted[n]) - 60);
  const part = (text: string) => text.slice(at, at + 200);
  return [`the index answers other than one built anew: ${part(answers)} instead of ${part(wanted)}`];
}

/** P2: a reader that takes no part sees a file as it was or as it will be, and a moved one somewhere. */
function rawFindings(home: string, { files }: Expected): string[] {
  const torn = files.filter(({ path, old, next }) => ![old, next].includes(textAt(home, path)));
  const findings = torn.map(({ path }) => `before opening: ${path} is neither as before nor as after`);
  const texts = new Set(files.flatMap(({ old, next }) => [old, next]).filter((text) => text !== null));
  for (const text of texts) {
    const paths = files.filter((file) => file.old === text || file.next === text);
    const moves = paths.some((file) => file.old === text) && paths.some((file) => file.next === text);
    if (moves && !paths.some(({ path }) => textAt(home, path) === text))
      findings.push(`before opening: ${paths.map(({ path }) => path).join(" and ")} are both gone`);
  }
  return findings;
}

/** Whoever is told that it failed is told why, by one of our codes, and finds everything as it was. */
function refusalFindings(home: string, { files, settled, create }: Expected, outcome: Outcome): string[] {
  if (outcome.untyped !== undefined) return [`an error that is none of ours: ${outcome.untyped}`];
  if (outcome.code === undefined || settled === true || create === true) return [];
  return files
    .filter(({ path, old }) => textAt(home, path) !== old)
    .map(({ path }) => `refused with ${outcome.code}, but ${path} was changed`);
}

/** All of it or nothing of it; all where it was acknowledged, nothing where it was refused. */
function stateFindings(home: string, expected: Expected, verdict: Verdict): string[] {
  const { ids } = ledgerOf(home, expected.run ?? "none");
  const parts = [
    ...expected.files.map(({ path, old, next }) => {
      const text = textAt(home, path);
      return { what: path, done: text === next, undone: text === old };
    }),
    ...(expected.run === undefined
      ? []
      : [{ what: `${ids.length} events`, done: ids.length === 1, undone: ids.length === 0 }]),
    ...journalPart(home, expected),
  ];
  const findings: string[] = [];
  const done = parts.every((part) => part.done);
  const undone = parts.every((part) => part.undone);
  const mustStand = expected.settled === true || expected.create === true;
  if (!done && !undone) {
    const states = parts.map(
      ({ what, done: is, undone: isNot }) => `${what} ${is ? "done" : isNot ? "not" : "other"}`,
    );
    findings.push(`half done: ${states.join(", ")}`);
  }
  if (parts.length === 0) return findings;
  if (!done && (verdict === "acknowledged" || mustStand))
    findings.push(`${verdict === "acknowledged" ? "acknowledged" : "won"}, but lost`);
  if (!undone && verdict === "refused" && !mustStand)
    findings.push("refused, but it was done by the next opening");
  return done ? [...findings, ...keptFindings(home, expected)] : findings;
}

function tornLines(home: string): string[] {
  return ledgerOf(home, "none").bad.map((line) => `a torn line of the ledger: ${line}`);
}

function journalPart(home: string, { journal }: Expected) {
  if (journal === undefined) return [];
  const lines = journalLines(home, journal);
  return [{ what: `${lines} journal lines`, done: lines === 1, undone: lines === 0 }];
}

function keptFindings(home: string, { versions = [], objects = [] }: Expected): string[] {
  return [
    ...versions.flatMap((one) => problemOfVersion(home, one) ?? []),
    ...objects
      .filter((text) => !hasObject(home, text))
      .map((text) => `no object of ${JSON.stringify(text.slice(0, 40))}`),
  ];
}

/** Files that the operation does not name are as they were, and there are no new ones but in our own folders. */
function bystanderFindings(template: Template, home: string, { files }: Expected): string[] {
  const own = /^(?:local|versions|ledger)\/|^LIBRARIAN\.md$|^index\.sqlite$/;
  const named = new Set(files.map((file) => file.path));
  const others = (folder: string) => lasting(folder).filter((path) => !own.test(path) && !named.has(path));
  const before = new Set(others(template.home));
  const findings = others(home)
    .filter((path) => !before.has(path))
    .map((path) => `${path} came from nowhere`);
  for (const path of before)
    if (textAt(home, path) !== readFileSync(join(template.home, path), "utf8"))
      findings.push(`${path} is not as it was`);
  for (const path of lasting(join(template.home, "versions")).map((one) => `versions/${one}`))
    if (textAt(home, path) !== textAt(template.home, path)) findings.push(`${path} is not as it was`);
  return [...findings, ...earlierFindings(template, home)];
}

/** Temporary files anywhere below the home. */
export function tempsOf(home: string): string[] {
  return filesOf(home).filter((path) => isTempName(basename(path)));
}

function lasting(folder: string): string[] {
  return filesOf(folder).filter((path) => !isTempName(basename(path)));
}

/** The lines of journal and ledger that were there before are there still, each as often as it was. */
function earlierFindings(template: Template, home: string): string[] {
  const lost: string[] = [];
  if (ledgerOf(template.home, "earlier").ids.join() !== ledgerOf(home, "earlier").ids.join())
    lost.push("earlier events are lost or doubled");
  const piece = "the bystander's line";
  if (journalLines(home, piece) !== journalLines(template.home, piece))
    lost.push("an earlier line of the journal is lost or doubled");
  return lost;
}
