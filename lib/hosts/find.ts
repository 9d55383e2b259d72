import { accessSync, constants, existsSync, realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { HOSTS } from "./table.ts";

/** A folder in which hosts look for skills. */
export interface HostFolder {
  /** Absolute, as hosts name it; `real` is where it leads. */
  readonly dir: string;
  readonly real: string;
  readonly scope: "user" | "project";
  /** Ids of the hosts that read it. */
  readonly readers: readonly string[];
  /** The hosts whose presence it shows: of each path that leads here, the first in the table that has it as its own. */
  readonly owners: readonly string[];
}

/** The folders of hosts that are there: of the user, then of the repository that `repo` stands in; each real one once. */
export function findHostFolders(userHome: string, repo: string): HostFolder[] {
  const found = new Map<string, HostFolder>();
  const claimed = new Set<string>();
  for (const scope of ["user", "project"] as const) {
    const root = scope === "user" ? userHome : repositoryOf(repo);
    if (root === "") continue;
    for (const host of HOSTS)
      for (const [at, path] of host[scope].entries()) {
        const dir = join(root, path);
        const real = folderAt(dir);
        if (real === undefined) continue;
        const known = found.get(real) ?? { dir, real, scope, readers: [], owners: [] };
        const isOwn =
          (at === 0 || isForOne(path, scope)) && !claimed.has(dir) && !known.owners.includes(host.id);
        if (isOwn) claimed.add(dir);
        found.set(real, {
          ...known,
          readers: [...new Set([...known.readers, host.id])],
          owners: isOwn ? [...known.owners, host.id] : known.owners,
        });
      }
  }
  return [...found.values()];
}

/** Whether no other host reads such a folder, as `.codex/skills`. */
function isForOne(path: string, scope: HostFolder["scope"]): boolean {
  return HOSTS.filter((host) => host[scope].includes(path)).length === 1;
}

function folderAt(dir: string): string | undefined {
  try {
    accessSync(dir, constants.R_OK | constants.X_OK);
    return statSync(dir).isDirectory() ? realpathSync(dir) : undefined;
  } catch {
    return undefined;
  }
}

/** The nearest folder upwards that has a `.git`, else the folder itself. */
function repositoryOf(folder: string): string {
  const start = resolve(folder);
  for (let at = start; ; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return at;
    if (dirname(at) === at) return start;
  }
}
