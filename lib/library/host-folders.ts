import { readdirSync } from "node:fs";
import { homedir } from "node:os";
import { sep } from "node:path";
import { realPathOf } from "../core/look.ts";
import { findHostFolders, type HostFolder } from "../hosts/find.ts";

/** Folders of hosts that hold something and stand in no folder that is mounted, those of the user first. */
export function unmountedFolders(
  repo: string,
  mounted: readonly string[],
  userHome: string = homedir(),
): HostFolder[] {
  const roots = mounted.flatMap((dir) => realPathOf(dir) ?? []);
  return findHostFolders(userHome, repo).filter(
    ({ real }) =>
      readdirSync(real).some((name) => !name.startsWith(".")) &&
      !roots.some((root) => real === root || real.startsWith(root + sep)),
  );
}
