import { readdirSync } from "node:fs";
import { join } from "node:path";
import { lookAt } from "../core/look.ts";
import type { Layout } from "./layout.ts";

/** The first folder of a home that Canonry alone writes to and that is a symbolic link, or undefined where none is. */
export function linkedFolder(layout: Layout): string | undefined {
  const { local, ledger, gate, versions, objects, commits, slots, kept } = layout;
  const own = [local, commits, slots, kept, join(local, "index"), ledger, gate, versions, objects];
  const linked = own.find((folder) => lookAt(folder)?.isSymbolicLink() === true);
  return linked ?? [local, versions, objects, commits].map(linkIn).find((path) => path !== undefined);
}

/** The first link that stands in a folder in the place of a folder or file. */
function linkIn(folder: string): string | undefined {
  try {
    const found = readdirSync(folder, { withFileTypes: true }).find((entry) => entry.isSymbolicLink());
    return found === undefined ? undefined : join(folder, found.name);
  } catch {
    return undefined;
  }
}
