import { readdirSync } from "node:fs";
import { join } from "node:path";
import { listNames } from "../core/atomic.ts";
import { lookAt } from "../core/look.ts";
import { fingerprintOf, type Layout } from "./layout.ts";

/** Why nothing may be written to a home, or undefined: a link, or a file system of its own, where a folder should be. */
export function problemOfFolders(layout: Layout): string | undefined {
  const linked = linkedFolder(layout);
  if (linked !== undefined)
    return `${linked} is a symbolic link, and nothing is written through one: the home is only read. Put a real folder there.`;
  const apart = folderApart(layout);
  if (apart !== undefined)
    return `${apart} is on another file system than ${layout.home}, and no file can go from one to the other in one step: the home is only read. Keep the whole home on one.`;
  return undefined;
}

/** The first folder that texts are moved from or to and that is mounted from elsewhere, or undefined where none is. */
function folderApart(layout: Layout): string | undefined {
  const { home, local, commits, kept, temps, versions, objects } = layout;
  const spaces = listNames(home).filter((name) => fingerprintOf(name) !== undefined);
  const own = [local, commits, kept, temps, versions, objects, ...spaces.map((name) => join(home, name))];
  const device = lookAt(home)?.dev;
  return own.find((folder) => (lookAt(folder)?.dev ?? device) !== device);
}

/** The first folder of a home that Canonry alone writes to and that is a symbolic link, or undefined where none is. */
function linkedFolder(layout: Layout): string | undefined {
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
