import { join } from "node:path";
import { isCanonryError } from "../../core/errors.ts";
import { nameBeforeAside } from "../../core/keep-aside.ts";
import { isTempName } from "../../core/temp-names.ts";
import { check } from "../../schema/check.ts";
import { IdentitySchema, MountsSchema } from "../../schema/settings.ts";
import { readSettings } from "../settings.ts";
import { type Entry, entriesOf, readRegular } from "./read.ts";
import {
  cannotRead,
  foreign,
  kindOf,
  leftover,
  note,
  notOurs,
  problem,
  type Scene,
  type Steps,
} from "./scene.ts";

const STATE_BYTES = 4_194_304;

/** The settings, and the files of this machine alone: ids, mounts, slots, and what was set aside before. */
export function* checkState(scene: Scene): Steps {
  const { layout } = scene;
  try {
    readSettings(layout);
    yield undefined;
  } catch (error) {
    if (!isCanonryError(error)) throw error;
    yield problem(
      layout.settings,
      "SETTINGS_REFUSED",
      error.message,
      "mend the file, or move it away to use the defaults",
    );
  }
  for (const entry of yield* entriesOf(layout.home)) if (isAside(entry)) yield setAside(entry);
  for (const entry of yield* entriesOf(layout.local)) {
    if (isTempName(entry.name)) yield* leftover(scene, entry.path, entry.stats);
    else if (isAside(entry)) yield setAside(entry);
    else yield* checkLocal(scene, entry);
  }
  yield* checkSlots(layout.slots);
}

function isAside({ name }: Entry): boolean {
  const before = nameBeforeAside(name, ".bak") ?? nameBeforeAside(name, ".seed") ?? "";
  return /^(?:index|vault\.json|machine\.json|mounts\.json)/.test(before);
}

function setAside({ path, name }: Entry) {
  const seed = nameBeforeAside(name, ".seed") !== undefined;
  return note(
    path,
    "STATE_SET_ASIDE",
    seed
      ? "The index of an earlier program, whose counters were taken over."
      : "It was damaged or foreign, was set aside, and another was made in its place.",
    name.startsWith("index") || seed
      ? "remove it when you no longer want to look into it: an index is made from the files"
      : "take over by hand what you miss, then remove it",
  );
}

function* checkLocal({ layout }: Scene, { name, path, stats }: Entry): Steps {
  const { mounts, vaultFile, machineFile, swept, commits, slots, kept, temps, turns } = layout;
  if ([commits, slots, kept, temps, turns, join(layout.local, "index")].includes(path)) return;
  const isKnown = [mounts, vaultFile, machineFile, swept].includes(path);
  if (!isKnown && (stats.isFile() || stats.isDirectory())) {
    if (!name.startsWith(".")) yield foreign(path);
  } else if (!stats.isFile()) yield notOurs(path, stats, "file");
  else if (path === mounts)
    yield* checkJson(
      path,
      (value) => check(MountsSchema, value, "CANONRY_SETTINGS", "the mounts"),
      "the next command keeps it as mounts.json.bak and goes on without mounts: mend it first, or mount the folders again",
    );
  else if (path === vaultFile || path === machineFile)
    yield* checkJson(
      path,
      (value) => check(IdentitySchema, value, "CANONRY_SETTINGS", "the id"),
      "the next command keeps it beside itself as .bak and makes a new id: nothing else is lost, the index is built anew",
    );
}

function* checkJson(path: string, accept: (value: unknown) => unknown, next: string): Steps {
  let bytes: Buffer | undefined;
  try {
    bytes = readRegular(path, STATE_BYTES);
    if (bytes === undefined) return;
  } catch (error) {
    yield cannotRead(path, error);
    return;
  }
  try {
    accept(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)));
    yield undefined;
  } catch (error) {
    const why = bytes.length === 0 ? "It is empty." : `It is damaged: ${reasonOf(error)}`;
    yield problem(path, "STATE_DAMAGED", why, next);
  }
}

function reasonOf(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  return /[.!?]$/.test(reason) ? reason : `${reason}.`;
}

/** A slot that cannot be read still counts as one of an agent's five reads, of a skill that nobody knows. */
function* checkSlots(folder: string): Steps {
  for (const reader of yield* entriesOf(folder)) {
    if (!reader.stats.isDirectory()) {
      yield foreign(reader.path);
      continue;
    }
    for (const { name, path, stats } of yield* entriesOf(reader.path)) {
      if (isTempName(name)) continue;
      if (!/^slot-[1-9]$/.test(name)) yield foreign(path);
      else if (!stats.isFile() || !holdsSkill(path))
        yield note(
          path,
          "STATE_DAMAGED",
          stats.isFile()
            ? "The slot is empty, cut or of another shape; it counts as a read of some skill."
            : `There is ${kindOf(stats)} in the place of a slot; it counts as a read of some skill.`,
          "remove it, or let it be: it holds for one wave of one agent",
        );
      else yield undefined;
    }
  }
}

function holdsSkill(path: string): boolean {
  try {
    const bytes = readRegular(path, STATE_BYTES);
    if (bytes === undefined) return true;
    const value: unknown = JSON.parse(bytes.toString("utf8"));
    return typeof value === "object" && value !== null && "skill" in value && typeof value.skill === "string";
  } catch {
    return false;
  }
}
