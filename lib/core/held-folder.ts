import { closeSync, constants, openSync, readlinkSync } from "node:fs";
import { quietly } from "./atomic.ts";

/**
 * Calls `act` with a path that goes on meaning this very folder, whatever is put in its place meanwhile: on Linux the
 * folder is opened, found to stand where it should, and reached through its descriptor. Elsewhere it is `folder`
 * itself. `folder` is absolute and holds no link; throws where it does by now.
 */
export function inFolder<T>(folder: string, act: (held: string) => T): T {
  if (process.platform !== "linux") return act(folder);
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
  const fd = openSync(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  try {
    const stands = placeOf(fd);
    if (stands === undefined) return act(folder);
    if (stands !== folder) throw new Error(`${folder} is reached through a symbolic link`);
    return act(`/proc/self/fd/${fd}`);
  } finally {
    quietly(() => closeSync(fd));
  }
}

/**
 * Whether the open file stands at `target`, which holds no link. Linux knows; that settles what a link swapped in
 * between could have hidden. Elsewhere the looks before and after must do.
 */
export function isPlaced(fd: number, target: string): boolean {
  return process.platform !== "linux" || (placeOf(fd) ?? target) === target;
}

/** Undefined where no `/proc` is mounted. */
function placeOf(fd: number): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return undefined;
  }
}
