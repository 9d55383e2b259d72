import { lstatSync, realpathSync, type Stats } from "node:fs";
import { diskError, errnoOf } from "./errors.ts";

/** What stands at a path, links not followed; undefined where there is nothing. Throws where it cannot be known (B110). */
export function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === "ENOENT" || errno === "ENOTDIR") return undefined;
    throw diskError("look at", path, error);
  }
}

/** Whether two paths name one file. */
export function isSameFile(a: string, b: string): boolean {
  const [one, two] = [lookAt(a), lookAt(b)];
  return one !== undefined && two !== undefined && one.ino === two.ino && one.dev === two.dev;
}

/** Where a path leads, links followed; undefined where that cannot be told. */
export function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
