import type { Change } from "../../../lib/vault/change.ts";
import { leftoversOf } from "../leftovers.ts";
import type { Outcome } from "./actor.ts";
import {
  damagedObjects,
  hasObject,
  journalLines,
  ledgerOf,
  openTwice,
  textAt,
  whereIs,
} from "./check-home.ts";
import {
  HIDDEN,
  LINE,
  NEXT,
  OLD,
  type Operation,
  PATCH,
  RESTORE,
  RUN,
  TARGET,
  textOf,
  UPDATE,
} from "./operations.ts";

export const THEIRS = textOf("theirs", 2);
export const EDITED = textOf("edited", 1);
export const THEIR_LINE = "2026-05-02 the other's line";
export const EDIT_LOST = "the editor's text is gone";
export const THEIR_RUN = "their-run";

export function fileBefore(operation: Operation): string {
  return operation === RESTORE ? HIDDEN : TARGET;
}

export function fileAfter(operation: Operation): string {
  return operation.name === "quarantine" ? HIDDEN : TARGET;
}

/** Puts a text; the others move one. */
export function isPut(operation: Operation): boolean {
  return operation === PATCH || operation === UPDATE;
}

/**
 * Of two changes from one base one wins; one that was made from what the other left stands last, and so does an update,
 * which is made anew from whatever the other has left.
 */
export function writerFindings(
  operation: Operation,
  home: string,
  outcome: Outcome,
  theirs: Change,
  told: Outcome,
): string[] {
  const findings = [...toldFindings("the one held up", outcome), ...toldFindings("the other", told)];
  const [mine, other] = [outcome.acknowledged === true, told.acknowledged === true];
  const sameBase =
    theirs.target === fileBefore(operation) && !(theirs.kind === "put" && theirs.version === 3);
  const anew = operation === UPDATE && sameBase;
  if (sameBase && mine && other && !anew) findings.push("two winners from one base");
  if (!mine && !other) findings.push("no winner");
  if (operation === UPDATE && !mine) findings.push("an update was refused");
  if (!sameBase && other && !mine) findings.push("the other built on a change that was refused");
  findings.push(...homeFindings(home));
  const put = isPut(operation) ? [NEXT] : [];
  for (const text of [OLD, ...put, ...(theirs.kind === "put" ? [THEIRS] : [])])
    if (whereIs(home, text, [TARGET, HIDDEN]) === undefined)
      findings.push(`the text ${nameOf(text)} is gone`);
  const files = [TARGET, HIDDEN].filter((path) => textAt(home, path) !== null);
  const ours: [string, string] = [fileAfter(operation), isPut(operation) ? NEXT : OLD];
  const [path, text] = other && !anew ? endOf(theirs) : ours;
  if (files.join() !== path || textAt(home, path) !== text)
    findings.push(`${files.join(" and ") || "nothing"} stands there, not ${path} with ${nameOf(text)}`);
  return [
    ...findings,
    ...bookFindings(home, mine, LINE, RUN),
    ...bookFindings(home, other, THEIR_LINE, THEIR_RUN),
  ];
}

function endOf(change: Change): [string, string] {
  return change.kind === "move" ? [change.to, OLD] : [change.target, THEIRS];
}

/** The editor's text is the file, or kept; so is ours, unless we were told no, and then we were told where it is. */
export function editorFindings(
  operation: Operation,
  home: string,
  outcome: Outcome,
  unclaimed: boolean,
): string[] {
  const findings = [...toldFindings("the one held up", outcome), ...homeFindings(home)];
  if (whereIs(home, EDITED, [TARGET, HIDDEN]) === undefined) findings.push(EDIT_LOST);
  const done = outcome.acknowledged === true;
  const anew = operation === UPDATE;
  if (anew && !done) findings.push("an update was refused");
  if (done && unclaimed && !anew)
    findings.push("acknowledged although the base had changed before the claim");
  if (unclaimed && !anew && textAt(home, fileBefore(operation)) !== EDITED)
    findings.push("an edit from before the claim is not where the editor saved it");
  if (isPut(operation) && whereIs(home, NEXT, [TARGET]) === undefined) findings.push("the text NEXT is gone");
  if (done && !hasObject(home, OLD)) findings.push("the text OLD is gone");
  return [...findings, ...bookFindings(home, done, LINE, RUN)];
}

function toldFindings(who: string, { acknowledged, code, untyped, keptAt }: Outcome): string[] {
  if (acknowledged === true) return [];
  if (code !== "CANONRY_CONFLICT") return [`${who} was told ${code ?? untyped ?? "nothing"}`];
  return keptAt === undefined || keptAt === null || textAt("/", keptAt) !== null
    ? []
    : [`${who}: ${keptAt} is not there`];
}

function homeFindings(home: string): string[] {
  const { problem } = openTwice(home);
  if (problem !== undefined) return [`the home cannot be opened: ${problem}`];
  return [
    ...leftoversOf(home).map((path) => `left over: ${path}`),
    ...damagedObjects(home).map((path) => `damaged object: ${path}`),
  ];
}

/** One line and one event of what was done, none of what was not. */
function bookFindings(home: string, done: boolean, line: string, run: string): string[] {
  const findings: string[] = [];
  const lines = journalLines(home, line);
  if (lines !== (done ? 1 : 0)) findings.push(`${lines} lines of the journal say "${line}"`);
  const events = ledgerOf(home, run).ids.length;
  if (events !== (done ? 1 : 0)) findings.push(`${events} events of ${run}`);
  return findings;
}

function nameOf(text: string): string {
  return /^token: (\S+)$/m.exec(text)?.[1] ?? text.slice(0, 20);
}
