import { basename, join } from "node:path";
import { LIMITS } from "../../core/limits.ts";
import { isTempName } from "../../core/temp-names.ts";
import candidate from "../../markdown/candidate.ts";
import { decodeText } from "../../markdown/decode.ts";
import { isShadow } from "../kept.ts";
import { fingerprintOf } from "../layout.ts";
import { type FileKind, readSkillFile } from "../skill-file.ts";
import { conflictLine, type Entry, entriesOf, hashRegular, readRegular } from "./read.ts";
import {
  cannotRead,
  foreign,
  kindOf,
  leftover,
  note,
  notOurs,
  ofDiagnostic,
  problem,
  type Scene,
  type Steps,
} from "./scene.ts";
import { strayBesideMembers, strayInHome, straysInMember, straysInSpace } from "./strays.ts";

type SkillKind = Extract<FileKind, "canon" | "quarantine" | "archive">;

/** What stands astray, and every file of every space: skills with the files beside them, candidates, and what they became. */
export function* checkSpaces(scene: Scene, dsn: string | undefined): Steps {
  for (const entry of yield* entriesOf(scene.layout.home)) {
    if (isTempName(entry.name)) yield* leftover(scene, entry.path, entry.stats);
    yield* strayInHome(entry, dsn);
    if (fingerprintOf(entry.name) === undefined) continue;
    if (entry.stats.isDirectory()) yield* checkSpace(scene, entry.path);
    else yield notOurs(entry.path, entry.stats, "folder");
  }
}

function* checkSpace(scene: Scene, dir: string): Steps {
  yield* straysInSpace(dir);
  for (const kind of ["canon", "quarantine", "archive"] as const)
    yield* checkSkills(scene, join(dir, kind), kind);
  yield* checkCandidates(scene, join(dir, "candidates"));
  for (const rest of ["processed", "dropped", "proposals"])
    yield* checkTree(scene, join(dir, rest), "folder");
  for (const member of yield* entriesOf(join(dir, "members"))) {
    if (!member.stats.isDirectory()) yield* strayBesideMembers(member);
    else yield* checkMember(scene, member.path);
  }
}

function* checkMember(scene: Scene, dir: string): Steps {
  yield* straysInMember(dir, "canon", "sessions");
  yield* checkSkills(scene, join(dir, "canon"), "canon");
  for (const session of yield* entriesOf(join(dir, "sessions"))) {
    if (!session.stats.isDirectory()) yield* strayBesideMembers(session);
    else {
      yield* straysInMember(session.path, "canon");
      yield* checkSkills(scene, join(session.path, "canon"), "canon");
    }
  }
}

function* checkSkills(scene: Scene, folder: string, kind: SkillKind): Steps {
  const entries = yield* entriesOf(folder);
  const names = new Set(entries.map((entry) => entry.name));
  for (const { name, path, stats } of entries) {
    if (isTempName(name)) yield* leftover(scene, path, stats);
    else if (name.endsWith(".md")) {
      yield* checkSkill(scene, path, kind);
      if (stats.nlink > 1 && scene.now - stats.ctimeMs >= LIMITS.leftoverMs) yield* checkShadow(scene, path);
    } else if (stats.isDirectory()) {
      if (!names.has(`${name}.md`)) yield alone(path, name);
      yield* checkTree(scene, path, "beside");
    } else if (!name.startsWith(".")) yield foreign(path);
  }
}

function* checkSkill(scene: Scene, path: string, kind: SkillKind): Steps {
  scene.checked.files++;
  const { diagnostics, stamp } = readSkillFile(path, path, kind);
  if (stamp !== "") yield* checkConflict(path);
  for (const diagnostic of diagnostics) yield ofDiagnostic(diagnostic);
  yield undefined;
}

/** A move gives a text its new name before it takes the old one: whoever is killed in between, late, leaves both. */
function* checkShadow({ layout }: Scene, path: string): Steps {
  const below = layout.relative(path);
  const fingerprint = fingerprintOf(below.split("/")[0] ?? "");
  if (fingerprint === undefined || !isShadow(layout, fingerprint, basename(path, ".md"), below)) return;
  yield problem(
    path,
    "SKILL_TWICE",
    "A second name of a skill's file, which belongs elsewhere: a process was killed while it moved the skill.",
    "remove this name; the file itself stays where the skill's last change put it",
  );
}

function* checkConflict(path: string): Steps {
  const found = conflictLine((readRegular(path, LIMITS.skillFileBytes) ?? "").toString());
  if (found === undefined) return;
  if (found.fenced)
    yield note(
      path,
      "CONFLICT_MARKERS",
      "Conflict markers of git stand inside a fence: an example, or a merge that was not brought to an end.",
      "nothing, if they are meant",
      found.line,
    );
  else
    yield problem(
      path,
      "CONFLICT_MARKERS",
      "Conflict markers of git: both sides of a merge stand in the file.",
      "choose a side, or join them, and remove the markers",
      found.line,
    );
}

function alone(path: string, name: string) {
  return note(
    path,
    "SKILL_FILES_ALONE",
    `Files beside a skill, and no ${name}.md beside the folder.`,
    `put ${name}.md back, or move the folder away`,
  );
}

function* checkCandidates(scene: Scene, folder: string): Steps {
  for (const { name, path, stats } of yield* entriesOf(folder)) {
    if (isTempName(name)) yield* leftover(scene, path, stats);
    else if (!name.endsWith(".md")) {
      if (!name.startsWith(".")) yield foreign(path);
    } else if (!stats.isFile()) yield notOurs(path, stats, "file");
    else yield* checkCandidate(scene, path);
  }
}

function* checkCandidate(scene: Scene, path: string): Steps {
  scene.checked.files++;
  try {
    const bytes = readRegular(path, LIMITS.skillFileBytes);
    if (bytes === undefined) return;
    const { text, diagnostics } = decodeText(bytes, path);
    const parsed = text === undefined ? [] : candidate.parse(text, { file: path }).diagnostics;
    for (const diagnostic of [...diagnostics, ...parsed]) yield ofDiagnostic(diagnostic);
    yield undefined;
  } catch (error) {
    yield cannotRead(path, error);
  }
}

/** Files that only have to be files that can be read: beside a skill, or put away. */
function* checkTree(scene: Scene, folder: string, kind: "folder" | "beside"): Steps {
  const pending = [folder];
  for (let next = pending.pop(); next !== undefined; next = pending.pop())
    for (const entry of yield* entriesOf(next)) {
      if (isTempName(entry.name)) yield* leftover(scene, entry.path, entry.stats);
      else if (entry.stats.isDirectory()) pending.push(entry.path);
      else if (entry.stats.isFile()) yield* checkReadable(scene, entry.path);
      else if (kind === "beside") yield passedOver(entry);
      else yield notOurs(entry.path, entry.stats, "file");
    }
}

function* checkReadable(scene: Scene, path: string): Steps {
  scene.checked.files++;
  try {
    hashRegular(path);
    yield undefined;
  } catch (error) {
    yield cannotRead(path, error);
  }
}

function passedOver({ path, stats }: Entry) {
  return note(
    path,
    "FILE_NOT_REGULAR",
    `There is ${kindOf(stats)} beside a skill: it is handed to nobody and kept in no version.`,
    "put the file itself there",
  );
}

/** Found by `doctor` too: temporary files beside skills and candidates; it lists names and reads nothing. */
export function* leftoversBeside(scene: Scene): Steps {
  for (const space of yield* entriesOf(scene.layout.home)) {
    if (fingerprintOf(space.name) === undefined || !space.stats.isDirectory()) continue;
    for (const kind of ["canon", "quarantine", "archive", "candidates"])
      for (const { name, path, stats } of yield* entriesOf(join(space.path, kind)))
        if (isTempName(name)) yield* leftover(scene, path, stats);
  }
}
