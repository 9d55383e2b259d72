import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import type { Source } from "./architecture.ts";
import { ROOT } from "./root.ts";

/** Every TypeScript file below `folder` of the project (or what `kind` names), installed ones apart; forward slashes. */
export function sourcesBelow(folder: string, kind = /\.ts$/): Source[] {
  const top = join(ROOT, folder);
  return readdirSync(top, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && kind.test(entry.name) && !entry.parentPath.includes("node_modules"))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((file) => ({ path: relative(top, file).split(sep).join("/"), text: readFileSync(file, "utf8") }));
}
