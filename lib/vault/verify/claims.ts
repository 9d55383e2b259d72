import { posix } from "node:path";
import { exists } from "../../core/atomic.ts";
import { nameBeforeAside } from "../../core/keep-aside.ts";
import { isTempName } from "../../core/temp-names.ts";
import type { Claim } from "../../schema/claim.ts";
import { CLAIM_FILE, readBooks, readClaim } from "../claims.ts";
import { fingerprintOf, LOCAL_SPACE } from "../layout.ts";
import { type Entry, entriesOf } from "./read.ts";
import { ageOf, foreign, leftover, note, notOurs, problem, type Scene, type Steps } from "./scene.ts";

/** Every claim: open, stale, damaged or done without its work; then what belongs to none, and texts that were taken away. */
export function* checkClaims(scene: Scene): Steps {
  const { layout } = scene;
  for (const space of yield* entriesOf(layout.commits)) {
    const fingerprint = space.name === LOCAL_SPACE ? LOCAL_SPACE : fingerprintOf(space.name);
    if (fingerprint === undefined) yield foreign(space.path);
    else {
      const entries = yield* entriesOf(space.path);
      yield* checkBooks(scene, fingerprint, entries);
      yield* checkRest(scene, entries);
    }
  }
  for (const folder of [layout.temps, layout.turns])
    for (const { path, stats } of yield* entriesOf(folder)) yield* leftover(scene, path, stats);
  for (const { path, stats } of yield* entriesOf(layout.kept))
    yield note(
      path,
      "TEXT_TAKEN_AWAY",
      `A text that was taken out of the way ${ageOf(scene, Math.max(stats.mtimeMs, stats.ctimeMs))} ago and not filed.`,
      "nothing; once it is a minute old, the next command that opens the home puts it back or keeps it in versions/objects",
    );
}

function* checkBooks(scene: Scene, fingerprint: string, entries: readonly Entry[]): Steps {
  const { layout } = scene;
  const isFile = new Map(entries.map((entry) => [entry.name, entry.stats.isFile()]));
  for (const [name, book] of readBooks(layout, fingerprint))
    for (const seq of book.claims) {
      scene.checked.claims++;
      const path = layout.claim(fingerprint, name, seq);
      const read =
        isFile.get(`${name}.${seq}`) === false ? undefined : readClaim(layout, fingerprint, name, seq);
      if (read === undefined) continue;
      const state = book.open.includes(seq) ? "open" : book.done.includes(seq) ? "done" : "stale";
      if ("problem" in read) yield damaged(path, read.problem, state);
      else yield* checkClaim(scene, path, read.claim, state);
      yield undefined;
    }
}

function damaged(path: string, why: string, state: "open" | "stale" | "done") {
  const says = `The claim cannot be carried out: ${why.replace(/\.$/, "")}.`;
  if (state !== "open")
    return note(path, "CLAIM_DAMAGED", `${says} It is over, so nothing hangs on it.`, "nothing");
  return problem(
    path,
    "CLAIM_DAMAGED",
    says,
    "the text of the change is among versions/objects: make the change anew, then move the claim away",
  );
}

function* checkClaim(scene: Scene, path: string, claim: Claim, state: "open" | "stale" | "done"): Steps {
  if (state === "stale")
    yield note(
      path,
      "CLAIM_STALE",
      "A higher claim was done before this one was made: it changed nothing, and its process will withdraw it.",
      "nothing",
    );
  if (state === "done") yield* checkDone(scene, path, claim);
  if (state !== "open") return;
  scene.claimed.add(posix.join(scene.layout.relative(path), "..", claim.token));
  for (const step of claim.steps) if (step.do === "replace") scene.claimed.add(step.temp);
  yield note(
    path,
    "CLAIM_OPEN",
    `A change of ${claim.name} was made ${ageOf(scene, Date.parse(claim.at))} ago and is not finished: its process is at work, or was killed.`,
    "nothing; the next command that opens the home finishes it",
  );
}

/** What was acknowledged is there: the manifests that the last claim of a skill has written, and its text. */
function* checkDone({ layout }: Scene, path: string, claim: Claim): Steps {
  const keeps = claim.steps.some((step) => step.do === "replace" && step.keep);
  const missing = claim.steps.flatMap((step) =>
    step.do === "version" && !exists(layout.absolute(step.manifest)) ? [step.manifest] : [],
  );
  if (keeps && claim.next !== null && !exists(layout.object(claim.next)))
    missing.push(layout.relative(layout.object(claim.next)));
  // it may have been swept meanwhile, with all that a later change has done
  if (missing.length === 0 || !exists(path)) return;
  yield problem(
    path,
    "CLAIM_UNDONE",
    `The change of ${claim.name} is marked as done, but there is no ${missing.join(" and no ")}.`,
    "put the file back from a backup or another machine, and check the disk",
  );
}

/** Markers and temporary files, and what is none of ours. */
function* checkRest(scene: Scene, entries: readonly Entry[]): Steps {
  const names = new Set(entries.map((entry) => entry.name));
  for (const { name, path, stats } of entries) {
    const [, stem, seq, mark] = CLAIM_FILE.exec(name) ?? [];
    if (isTempName(name)) yield* leftover(scene, path, stats);
    else if (CLAIM_FILE.test(nameBeforeAside(name, ".bak") ?? "")) yield aside(path);
    else if (stem === undefined) yield foreign(path);
    else if (!stats.isFile()) yield notOurs(path, stats, "file");
    else if (mark !== undefined && mark !== ".done" && !names.has(`${stem}.${seq}`) && exists(path))
      yield note(
        path,
        "LEFTOVER",
        `The mark of a line in the ${mark.startsWith(".event") ? "ledger" : "journal"}, without its claim.`,
        "remove it",
      );
  }
}

function aside(path: string) {
  return note(
    path,
    "STATE_SET_ASIDE",
    "A claim that could not be carried out; a later change was made after it.",
    "look whether its change is wanted: its text is among versions/objects; then remove it",
  );
}
