import { accessSync, constants, readdirSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { CanonryError, errnoOf } from "../core/errors.ts";
import { makeFolder } from "../core/make-folder.ts";
import { isTempName } from "../core/temp-names.ts";
import { fingerprintOf } from "./layout.ts";

/** What may stand in a folder that still counts as empty: a fresh repository, a fresh mount, settings made beforehand. */
const NEUTRAL = new Set([".git", ".gitignore", ".gitattributes", ".DS_Store", "lost+found", "settings.json"]);
/** Any of these makes a folder a home; `index.sqlite` and `LIBRARIAN.md` are the seed's own (C60). */
const SIGNS = new Set(["LIBRARIAN.md", "index.sqlite"]);
const LOCAL_NAMES = new Set(["vault.json", "machine.json", "mounts.json", "commit", "slots", "swept"]);
const SPACE_FOLDERS = ["canon", "candidates", "quarantine", "archive", "proposals", "members"];

/**
 * The real path of a home that can be read; with `create` it is made where there is none. Throws
 * `CANONRY_HOME_UNREADABLE`, and `CANONRY_NOT_A_HOME` for a folder full of other things: it is never turned into one.
 */
export function resolveHome(home: string, create: boolean): string {
  if (create && isMissing(home)) makeFolder(home);
  const names = namesOf(home);
  if (!isEmptyHome(names) && !looksLikeHome(home, names)) throw notAHome(home, names);
  try {
    return realpathSync(home);
  } catch (error) {
    throw unreadable(home, error);
  }
}

function isMissing(home: string): boolean {
  try {
    return statSync(home, { throwIfNoEntry: false }) === undefined;
  } catch (error) {
    throw unreadable(home, error);
  }
}

function namesOf(home: string): string[] {
  try {
    const names = readdirSync(home);
    accessSync(home, constants.R_OK | constants.X_OK);
    return names;
  } catch (error) {
    throw unreadable(home, error);
  }
}

function isEmptyHome(names: readonly string[]): boolean {
  return names.every((name) => NEUTRAL.has(name) || isTempName(name));
}

/** Whether a folder is a home already, ours or that of the seed's program. */
export function looksLikeHome(home: string, names: readonly string[]): boolean {
  if (names.some((name) => SIGNS.has(name))) return true;
  if (names.includes("local") && isOurLocal(join(home, "local"))) return true;
  return names.some(
    (name) => fingerprintOf(name) !== undefined && SPACE_FOLDERS.some((folder) => has(home, name, folder)),
  );
}

/** Empty counts: another process may be making the home at this moment. */
function isOurLocal(folder: string): boolean {
  try {
    const names = readdirSync(folder);
    return names.length === 0 || names.some((name) => LOCAL_NAMES.has(name) || isTempName(name));
  } catch (error) {
    return errnoOf(error) !== "ENOTDIR";
  }
}

function has(...parts: string[]): boolean {
  try {
    return statSync(join(...parts), { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

function unreadable(home: string, cause: unknown): CanonryError {
  const errno = errnoOf(cause) ?? "unknown";
  const problems: Record<string, string> = {
    ENOENT: "there is no such folder",
    ENOTDIR: "it is not a folder",
  };
  return new CanonryError(
    "CANONRY_HOME_UNREADABLE",
    `The home ${home} cannot be read: ${problems[errno] ?? errno}. Run \`canonry init\` to make one, \`canonry-reindex DIR\` to make one and index DIR, or name another with --home.`,
    { cause, data: { home, errno } },
  );
}

function notAHome(home: string, names: readonly string[]): CanonryError {
  const some = names
    .filter((name) => !NEUTRAL.has(name))
    .sort()
    .slice(0, 3);
  return new CanonryError(
    "CANONRY_NOT_A_HOME",
    `${home} holds other things (${some.join(", ")} …) and is not a Canonry home. Name an empty or new folder with --home; to index the skills in this one, mount it: \`canonry mount ${home}\`.`,
    { data: { home, found: some } },
  );
}
