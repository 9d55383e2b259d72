import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The project's root, found from the compiled spec upwards: the first folder with a `biome.json`. */
export const ROOT = findRoot(dirname(fileURLToPath(import.meta.url)));

function findRoot(folder: string): string {
  if (existsSync(join(folder, "biome.json"))) return folder;
  return findRoot(dirname(folder));
}
