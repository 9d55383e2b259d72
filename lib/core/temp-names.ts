import { randomBytes } from "node:crypto";
import { basename, dirname, join } from "node:path";

const TEMP = ".tmp-";
/** What such a name says of its target, UTF-16 units: with the rest it must stay a legal name. */
const STEM_CHARS = 48;

/** The name of a temporary file for `target`, hidden, in the same folder or in `folder`. */
export function tempPath(target: string, folder = dirname(target)): string {
  return join(folder, tempName(basename(target).slice(0, STEM_CHARS)));
}

export function tempName(stem: string): string {
  return `.${stem}${TEMP}${process.pid}-${randomBytes(6).toString("hex")}`;
}

export function isTempName(name: string): boolean {
  return name.startsWith(".") && /\.tmp-\d+-[0-9a-f]{12}$/.test(name);
}

/** Whether it is the name of a temporary file for a file called `target`. */
export function isTempOf(target: string, name: string): boolean {
  return isTempName(name) && name.startsWith(`.${target.slice(0, STEM_CHARS)}${TEMP}`);
}
