import { execFileSync } from "node:child_process";
import { realpathSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { sha256 } from "./hash.ts";

/** The fingerprint of skills that hold everywhere; their folder is `universal/`. */
export const UNIVERSAL = "*";

export function isFingerprint(text: string): boolean {
  return /^[0-9a-f]{12}$/.test(text);
}

function git(repo: string, ...args: string[]): string | undefined {
  try {
    return execFileSync("git", ["-C", repo, ...args], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      timeout: 5_000,
    }).trim();
  } catch {
    return undefined;
  }
}

/**
 * Twelve hex digits of SHA-256 over the trimmed `remote.origin.url`, else over the real path of the folder
 * (S1.28). In a repository without a remote that folder is the one of the common git directory, so that its
 * worktrees share one fingerprint (C45). Compute it once at the start of a run and hand it on.
 */
export function computeFingerprint(repo: string): string {
  const remote = git(repo, "config", "--get", "remote.origin.url");
  return sha256(remote !== undefined && remote !== "" ? remote : rootOf(repo)).slice(0, 12);
}

function rootOf(repo: string): string {
  const folder = realpathSync(repo);
  const common = git(folder, "rev-parse", "--git-common-dir");
  if (common === undefined || common === "") return folder;
  const shared = realpathSync(resolve(folder, common));
  return basename(shared) === ".git" ? dirname(shared) : shared;
}
