import { realpathSync, statSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { CanonryError, errnoOf } from "./errors.ts";
import { askGit } from "./git.ts";
import { sha256 } from "./hash.ts";

/** The fingerprint of skills that hold everywhere; their folder is `universal/`. */
export const UNIVERSAL = "*";

export function isFingerprint(text: string): boolean {
  return /^[0-9a-f]{12}$/.test(text);
}

/**
 * Twelve hex digits of SHA-256 over the trimmed `remote.origin.url`, else over the real path of the folder
 * (S1.28). In a repository without a remote that folder is the one of the common git directory, so that its
 * worktrees share one fingerprint (C45). Compute it once at the start of a run and hand it on. Throws
 * `CANONRY_USAGE` where there is no such folder.
 */
export function computeFingerprint(repo: string): string {
  const folder = folderOf(repo);
  const remote = askGit(folder, "config", "--get", "remote.origin.url");
  return sha256(remote !== undefined && remote !== "" ? remote : rootOf(folder)).slice(0, 12);
}

function folderOf(repo: string): string {
  try {
    const folder = realpathSync(repo);
    if (statSync(folder).isDirectory()) return folder;
  } catch (cause) {
    throw noFolder(repo, cause);
  }
  throw noFolder(repo);
}

function noFolder(repo: string, cause?: unknown): CanonryError {
  return new CanonryError(
    "CANONRY_USAGE",
    `${repo} is not a folder. Name the repository's folder with --repo.`,
    {
      cause,
      data: { received: repo, errno: errnoOf(cause) ?? "ENOTDIR" },
    },
  );
}

function rootOf(folder: string): string {
  const common = askGit(folder, "rev-parse", "--git-common-dir");
  if (common === undefined || common === "") return folder;
  const shared = resolve(folder, common);
  return basename(shared) === ".git" ? dirname(shared) : shared;
}
