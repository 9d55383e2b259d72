import { basename, dirname, join } from "node:path";
import { exists, type LinkOptions, linkExclusive } from "../core/atomic.ts";
import { CanonryError, diskError, isCanonryError } from "../core/errors.ts";
import { inFolder } from "../core/held-folder.ts";
import { lookAt } from "../core/look.ts";
import { makeFolder } from "../core/make-folder.ts";

/**
 * Calls `act` with the same paths, each reached through its folder as that stands now: a folder that is exchanged for
 * a link meanwhile leads nowhere else (T-S8). The folders are there and below the home. Throws `CANONRY_DISK` where
 * one is a link, else what `act` throws, with the paths that were given.
 */
export function hold<T>(paths: readonly string[], act: (...held: string[]) => T): T {
  return holdRest(paths, [], act);
}

function holdRest<T>(paths: readonly string[], held: readonly string[], act: (...held: string[]) => T): T {
  const [path, ...rest] = paths;
  if (path === undefined) return act(...held);
  const folder = dirname(path);
  let through = folder;
  try {
    return inFolder(folder, (safe) => {
      through = safe;
      return holdRest(rest, [...held, join(safe, basename(path))], act);
    });
  } catch (error) {
    if (!isCanonryError(error)) throw diskError("reach", path, error);
    throw through === folder ? error : renamed(error, through, folder);
  }
}

function renamed(error: CanonryError, through: string, folder: string): CanonryError {
  const say = (text: string) => text.replaceAll(`${through}/`, `${folder}/`);
  const fields = Object.entries(error.data).map(([key, value]) => [
    key,
    typeof value === "string" ? say(value) : value,
  ]);
  return new CanonryError(error.code, say(error.message), {
    cause: error.cause,
    data: Object.fromEntries(fields),
  });
}

/** As `hold`, for a file that is written by way of a temporary one in `temps`. */
export function holdWithTemps<T>(path: string, temps: string, act: (held: string, temps: string) => T): T {
  return hold([path, join(temps, "any")], (held, temp) => act(held, dirname(temp)));
}

/** Makes a folder below the home that Canonry alone writes to, and its parents, each in its parent as that stands now. */
export function makeOwnFolder(home: string, folder: string): void {
  if (folder === home || lookAt(folder)?.isDirectory() === true) return;
  makeOwnFolder(home, dirname(folder));
  hold([folder], makeFolder);
}

/** As `linkExclusive`, and false too where there is nothing to link. */
export function linkIfThere(from: string, to: string, options: LinkOptions = {}): boolean {
  try {
    return linkExclusive(from, to, options);
  } catch (error) {
    if (exists(from)) throw error;
    return false;
  }
}
