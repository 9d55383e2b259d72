import { lstatSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { LIMITS } from "../core/limits.ts";
import { lookAt } from "../core/look.ts";
import { isTempName } from "../core/temp-names.ts";
import { problemOfPath } from "./path-rules.ts";
import type { Place } from "./place.ts";

/** A file that stands beside a skill (L2): its path inside the skill's folder, size in bytes, executable bit. */
export interface BesideFile {
  readonly path: string;
  readonly bytes: number;
  readonly executable: boolean;
}

/** The folder that holds a skill's files: SKILL.md's own, or the one named like a canon file. */
export function folderBeside(place: Place, path: string): string {
  const file = join(place.dir, path);
  return /^skill\.md$/i.test(basename(file)) ? dirname(file) : file.replace(/\.md$/i, "");
}

/**
 * Where the files beside a skill are read from, and what their paths there begin with. A space holds no links, so its
 * folder is the root; in a mount the skill's own folder may be one, and is.
 */
export function rootBeside(place: Place, path: string): { root: string; prefix: string } {
  const folder = folderBeside(place, path);
  if (place.kind === "mount") return { root: folder, prefix: "" };
  return { root: place.dir, prefix: `${folder.slice(place.dir.length + 1).replaceAll("\\", "/")}/` };
}

/**
 * The files beside a skill, sorted: at most 512 (C59), four folders deep, no hidden ones, no links, no skill nested
 * in it: exactly those that can be read.
 */
export function filesBeside(place: Place, path: string): BesideFile[] {
  const root = folderBeside(place, path);
  const found: BesideFile[] = [];
  const own = /(?:^|\/)skill\.md$/i.test(path);
  const { prefix } = rootBeside(place, path);
  if (place.kind === "mount" || lookAt(root)?.isDirectory() === true) walk("", 0);
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));

  function walk(folder: string, depth: number): void {
    const names = namesOf(join(root, folder));
    if (depth > 0 && names.some((name) => /^skill\.md$/i.test(name))) return;
    for (const name of names) {
      if (found.length >= LIMITS.skillFiles) return;
      const inner = folder === "" ? name : `${folder}/${name}`;
      if (name.startsWith(".") || name === "node_modules" || isTempName(name)) continue;
      if (own && depth === 0 && /^skill\.md$/i.test(name)) continue;
      const stats = lstatSync(join(root, inner), { throwIfNoEntry: false });
      if (stats?.isDirectory() === true && depth < 4) walk(inner, depth + 1);
      else if (stats?.isFile() === true && problemOfPath(prefix + inner) === undefined)
        found.push({ path: inner, bytes: stats.size, executable: (stats.mode & 0o111) !== 0 });
    }
  }
}

function namesOf(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
