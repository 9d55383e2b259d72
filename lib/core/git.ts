import { execFileSync } from "node:child_process";

/** Variables by which git would look at another repository than the one asked about: hooks set them. */
const REDIRECTS = [
  "GIT_DIR",
  "GIT_WORK_TREE",
  "GIT_COMMON_DIR",
  "GIT_INDEX_FILE",
  "GIT_CONFIG",
  "GIT_PREFIX",
];

/**
 * What git answers about a folder, trimmed, or undefined where it has no answer. Only for questions that run nothing
 * of the repository, so its owner does not matter.
 */
export function askGit(folder: string, ...args: string[]): string | undefined {
  const env = Object.fromEntries(Object.entries(process.env).filter(([key]) => !REDIRECTS.includes(key)));
  try {
    return execFileSync("git", ["-c", "safe.directory=*", "-C", folder, ...args], {
      encoding: "utf8",
      env,
      maxBuffer: 67_108_864,
      stdio: ["ignore", "pipe", "ignore"],
      timeout: 5_000,
      windowsHide: true,
    }).trim();
  } catch {
    return undefined;
  }
}
