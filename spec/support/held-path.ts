import { readlinkSync } from "node:fs";

/** The path that a call means where its folder is reached through a descriptor of this process; else the path itself. */
export function placeOfPath(path: string): string {
  const [, held, rest = ""] = /^(\/proc\/self\/fd\/\d+)(\/.*)?$/.exec(path) ?? [];
  if (held === undefined) return path;
  try {
    return `${readlinkSync(held)}${rest}`;
  } catch {
    return path;
  }
}
