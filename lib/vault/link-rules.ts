import { sep } from "node:path";

/** Trees that hold no files of anybody. */
const SYSTEM = ["/proc", "/sys", "/dev"];

/**
 * Why a symbolic link of a mounted tree is not followed, or undefined: it should lead to skills, not to the home, to
 * what the mount stands in, or to the system's own trees (P9). All three are real paths.
 */
export function refusedLink(real: string, root: string, home: string): string | undefined {
  if (real !== root && isWithin(root, real)) return "a folder above the mount";
  if (isWithin(real, home) || isWithin(home, real)) return "the home";
  return SYSTEM.some((tree) => isWithin(real, tree)) ? "a tree of the system" : undefined;
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
