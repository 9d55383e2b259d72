import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { syncFolder } from "./atomic.ts";
import { diskError, errnoOf } from "./errors.ts";

/**
 * Makes a folder and its parents; new names are on the disk when it returns. Folder by folder: Node's own recursive
 * `mkdir` never comes back from a tree that takes no folders, such as `/proc`.
 */
export function makeFolder(path: string): void {
  const missing: string[] = [];
  for (let at = path; !isFolder(at); at = dirname(at)) {
    missing.unshift(at);
    if (at === dirname(at)) break;
  }
  try {
    for (const folder of missing) {
      mkdirUnlessThere(folder);
      syncFolder(dirname(folder));
    }
  } catch (error) {
    throw diskError("make the folder", path, error);
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function mkdirUnlessThere(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    if (errnoOf(error) !== "EEXIST" || !isFolder(path)) throw error;
  }
}
