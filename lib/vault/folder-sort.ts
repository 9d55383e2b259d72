import { type Dirent, statSync } from "node:fs";
import { join } from "node:path";
import type { DiagnosticCode, Severity } from "../schema/diagnostic.ts";
import type { FileKind } from "./skill-file.ts";

/** Hidden folders in which hosts keep skills (`ecosystem.md` 1.3). */
const HOST_FOLDERS: ReadonlySet<string> = new Set(
  `.agents .claude .codex .config .copilot .cursor .curated .experimental .gemini .github .goose .hermes .junie .kiro
  .openclaw .opencode .qwen .roo .system .windsurf`.split(/\s+/),
);
/** Hidden or bulky folders in which nobody keeps skills that are in use. */
const NOISE: ReadonlySet<string> = new Set(
  ".git .hg .svn .cache .venv .tox .idea .vscode .archive .trash .Trash .hub node_modules __pycache__".split(
    " ",
  ),
);

/** What a folder of a mount holds for a walk; paths inside the place. */
export interface FolderContent {
  /** `link`: the file itself is a symbolic link. */
  readonly files: { readonly path: string; readonly kind: FileKind; readonly link: boolean }[];
  readonly folders: string[];
  /** Symbolic links to folders. */
  readonly links: string[];
}

export type Note = (path: string, code: DiagnosticCode, severity: Severity, message: string) => void;

const SKILL_FILE = /^skill\.md$/i;
/** README, CHANGELOG, AGENTS: files about a folder, not skills. */
const ABOUT = /^[A-Z][A-Z0-9_-]{2,}\.md$/;

/**
 * Sorts the entries of a mounted folder: its SKILL.md, folders to go into, links to folders; in the mount's root, where
 * there is no SKILL.md, lone `*.md` files too. Broken links count as files, so that reading them names them (B19).
 */
export function sortFolder(
  root: string,
  path: string,
  entries: readonly Dirent[],
  note: Note,
): FolderContent {
  const found: FolderContent = { files: [], folders: [], links: [] };
  const at = (name: string) => (path === "" ? name : `${path}/${name}`);
  const main = mainFile(entries, at, note);
  if (main !== undefined)
    found.files.push({ path: at(main.name), kind: "skill", link: main.isSymbolicLink() });
  for (const entry of entries) {
    if (SKILL_FILE.test(entry.name)) continue;
    if (entry.isDirectory()) {
      if (enters(at(entry.name), entry.name, note)) found.folders.push(at(entry.name));
    } else if (entry.isSymbolicLink()) {
      sortLink(root, at(entry.name), entry.name, found, note);
    } else if (path === "" && main === undefined && entry.isFile() && isLoneSkill(entry.name)) {
      found.files.push({ path: entry.name, kind: "flat", link: false });
    }
  }
  return found;
}

function isLoneSkill(name: string): boolean {
  return /\.md$/i.test(name) && !ABOUT.test(name);
}

function sortLink(root: string, path: string, name: string, found: FolderContent, note: Note): void {
  try {
    if (statSync(join(root, path)).isDirectory() && enters(path, name, note)) found.links.push(path);
  } catch {
    if (!name.startsWith(".")) found.files.push({ path, kind: "skill", link: true });
  }
}

/** SKILL.md, or the one that differs from it in case only (B41). */
function mainFile(entries: readonly Dirent[], at: (name: string) => string, note: Note): Dirent | undefined {
  const twins = entries.filter((entry) => SKILL_FILE.test(entry.name));
  const main = twins.find((entry) => entry.name === "SKILL.md") ?? twins[0];
  for (const other of twins)
    if (other !== main)
      note(
        at(other.name),
        "FILE_SHADOWED_BY_CASE",
        "warning",
        `Passed over: ${main?.name} stands beside it and counts.`,
      );
  return main;
}

/** Whether a walk goes into a folder of that name; a hidden one that it does not know is noted (S4.6). */
function enters(path: string, name: string, note: Note): boolean {
  if (NOISE.has(name)) return false;
  if (!name.startsWith(".") || HOST_FOLDERS.has(name)) return true;
  note(
    path,
    "FOLDER_HIDDEN_SKIPPED",
    "note",
    "Passed over: a hidden folder that no known host keeps skills in. Mount it by name to index it.",
  );
  return false;
}
