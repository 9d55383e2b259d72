import { spawnSync } from "node:child_process";
import { chownSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./root.ts";

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

/** Modes bind everybody but root: the user that a process must run as to feel them, if this one is root. */
export const plainUser: { uid: number; gid: number } | Record<string, never> = isRoot
  ? { uid: NOBODY, gid: NOBODY }
  : {};

/** Why a spec about permissions cannot run here, or false; `program` is what that user is to run. */
export function noPlainUser(program = join(ROOT, "bin/start.mjs")): string | false {
  if (process.platform === "win32") return "there are no modes on Windows";
  const tried = spawnSync(
    process.execPath,
    ["-e", `require("node:fs").readFileSync(${JSON.stringify(program)})`],
    plainUser,
  );
  return tried.status === 0 ? false : `the user ${plainUser.uid} cannot read ${program}`;
}

/** Gives a tree to that user. */
export function giveAway(folder: string): void {
  if (!isRoot) return;
  chownSync(folder, NOBODY, NOBODY);
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true }))
    chownSync(join(entry.parentPath, entry.name), NOBODY, NOBODY);
}
