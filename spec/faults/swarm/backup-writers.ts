import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sha256 } from "../../../lib/core/hash.ts";
import { namesOf } from "../leftovers.ts";
import type { Row, Scale } from "../section.ts";
import { withFolder } from "../temporary.ts";
import { runActor } from "./backup-home.ts";
import { endOf, startScript } from "./fleet.ts";
import { type HomeState, readHomeState } from "./home-state.ts";
import { ours } from "./race.ts";
import { reopenLater } from "./reopen.ts";
import type { RestoreJob, RestoreResult } from "./restore-actor.ts";
import type { UpdaterJob, UpdaterResult } from "./updater.ts";
import { SPACE, versionOf } from "./whole-text.ts";

const WRITERS = 3;
const SKILLS = 40;
const NAMES = Array.from({ length: SKILLS }, (_, n) => `skill-${String(n).padStart(2, "0")}`);
/** How long the writers go on once a restore has brought back its first skill. */
const WRITE_MS = 500;
/** Where one of the two was always first. */
const MORE_TRIALS = 3;

interface Tally {
  readonly findings: string[];
  acknowledged: number;
  /** Skills that the restore made before a writer came to them, and those that a writer made first. */
  restoredFirst: number;
  writtenFirst: number;
}

/** Processes make and change the very skills that a restore is bringing back: no update of theirs is lost to it. */
export async function restoreBesideWriters({ form, log }: Scale): Promise<Row> {
  const trials = form === "short" ? 1 : 40;
  log(`restores: ${trials} beside ${WRITERS} writers`);
  const tally: Tally = { findings: [], acknowledged: 0, restoredFirst: 0, writtenFirst: 0 };
  let trial = 0;
  const met = () => tally.restoredFirst > 0 && tally.writtenFirst > 0;
  while (trial < trials || (!met() && trial < trials + MORE_TRIALS)) await restoreOnce(trial++, tally);
  if (!met()) tally.findings.push("restore and writers never met: one of them was always first");
  const { acknowledged, restoredFirst, writtenFirst, findings } = tally;
  return {
    fault: `a restore while ${WRITERS} processes make and change its skills`,
    trials: trial * SKILLS,
    findings,
    figures: { updates: acknowledged, "made by the restore": restoredFirst, "by a writer": writtenFirst },
  };
}

function restoreOnce(trial: number, tally: Tally): Promise<void> {
  return withFolder(async (folder) => {
    const [from, home, archive] = [join(folder, "from"), join(folder, "home"), join(folder, "b.tar.gz")];
    const go = join(folder, "go");
    const pathOf = ours.prepare(from, NAMES);
    await runActor("backup", from, archive);
    // a space that is new is brought as a whole; this one has begun
    ours.prepare(home, ["other"]);
    const writers = Array.from({ length: WRITERS }, (_, n) => startWriter(home, go, n));
    await Promise.all(writers.map(({ ready, end }) => Promise.race([ready, end])));
    const begin = () => {
      writeFileSync(`${go}.new`, String(Date.now() + WRITE_MS));
      renameSync(`${go}.new`, go);
    };
    const restored = runActor("restore", home, archive);
    await Promise.race([comesTo(join(home, SPACE, "canon")), restored]);
    begin();
    await restored;
    const told = await Promise.all(writers.map(({ end }) => end));
    const problems = [...told.flatMap(({ problem }) => problem ?? []), ...reopenLater(home)];
    const state = readHomeState(home);
    const acknowledged = new Map(told.flatMap(({ out }, n) => acknowledgedBy(n, out)));
    const backedUp = (name: string) => readFileSync(pathOf(name));
    problems.push(...stateFindings(state, acknowledged));
    for (const name of NAMES)
      problems.push(...skillFindings(home, name, backedUp(name), acknowledged.get(name) ?? 0, state, tally));
    tally.findings.push(...problems.map((one) => `trial ${trial}: ${one}`));
  });
}

/** Once a skill of the backup stands in that folder. */
async function comesTo(folder: string): Promise<void> {
  const isThere = () => namesOf(folder).some((name) => name.startsWith("skill-"));
  for (let waited = 0; !isThere() && waited < 10_000; waited += 1) await sleep(1);
}

/** Each has skills of its own; the restore goes from the first to the last, one writer comes the other way. */
function startWriter(home: string, go: string, nth: number) {
  const names = skillsOf(nth);
  const job: UpdaterJob = { folder: home, names, go, stopAt: 0, staleMs: 0 };
  const child = startScript("./updater.js", job);
  const ready = new Promise<void>((resolve) => {
    child.stdout?.once("data", () => resolve());
  });
  return { ready, end: endOf(child) };
}

function skillsOf(writer: number): string[] {
  const names = NAMES.filter((_, n) => n % WRITERS === writer);
  return writer % 2 === 0 ? names : names.reverse();
}

/** How many updates of each of its skills a writer was told of. */
function acknowledgedBy(writer: number, out: string): [string, number][] {
  const { waits } = JSON.parse(out.replace(/^ready\n/, "")) as UpdaterResult;
  const names = skillsOf(writer);
  return names.map((name, at) => [name, waits.filter((_, round) => round % names.length === at).length]);
}

function stateFindings(state: HomeState, acknowledged: ReadonlyMap<string, number>): string[] {
  const total = [...acknowledged.values()].reduce((sum, one) => sum + one, 0);
  return [
    ...state.damaged.map((path) => `damaged: ${path}`),
    ...state.leftovers.map((path) => `left over: ${path}`),
    ...state.torn.map((line) => `torn: ${line}`),
    ...(state.events.length === total ? [] : [`${state.events.length} events of ${total} updates`]),
    ...state.manifests
      .filter(({ bytesHash }) => !state.objects.has(bytesHash))
      .map(({ name, version }) => `version ${version} of ${name} has no text`),
  ];
}

/** Every update adds one to the version; who found no file began at 1, which the backup's text is too. */
function skillFindings(
  home: string,
  name: string,
  backedUp: Buffer,
  acknowledged: number,
  state: HomeState,
  tally: Tally,
): string[] {
  const files = state.files.filter((file) => file.name === name);
  const [file] = files;
  if (file === undefined || files.length > 1) return [`${name} stands in ${files.length} places`];
  if (file.problem !== undefined) return [`${name} is torn: ${file.problem}`];
  const hash = sha256(backedUp);
  const versions = state.manifests.filter((one) => one.name === name);
  const first = versions.some(({ parent, version }) => parent === hash && version === 2);
  const after = first || acknowledged === 0 ? 1 : 0;
  tally.acknowledged += acknowledged;
  if (acknowledged > 0 && after === 1) tally.restoredFirst++;
  if (after === 0) tally.writtenFirst++;
  const standing = versionOf(readFileSync(join(home, SPACE, "canon", `${name}.md`), "utf8"));
  const made = versions.filter(({ bytesHash }) => bytesHash !== hash).length;
  return [
    ...(standing === acknowledged + after
      ? []
      : [
          `${name} is at version ${standing} after ${acknowledged} updates of ${after === 1 ? "the backup's text" : "none"}`,
        ]),
    ...(made === acknowledged ? [] : [`${name} has ${made} versions of ${acknowledged} updates`]),
    ...(state.objects.has(hash) ? [] : [`the backup's text of ${name} is nowhere`]),
  ];
}

/** A restore that stops before any of its calls while another changes the very skill: it never writes over that. */
export function restoreInterrupted(): Promise<Row> {
  return withFolder(async (root) => {
    const [from, archive, name] = [join(root, "from"), join(root, "b.tar.gz"), "one"];
    const text = readFileSync(ours.prepare(from, [name])(name), "utf8");
    await runActor("backup", from, archive);
    const job: RestoreJob = { root, archive, name, text };
    const { out, problem } = await endOf(startScript("./restore-actor.js", job));
    const fault = "a restore held up at each call while another changes the skill";
    if (problem !== undefined) return { fault, trials: 1, findings: [problem] };
    const { trials, findings } = JSON.parse(out) as RestoreResult;
    return { fault, trials, findings };
  });
}
