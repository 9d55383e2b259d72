import { type Dirent, lstatSync, readdirSync, type Stats, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { isTempName } from "../core/atomic.ts";
import { errnoOf } from "../core/errors.ts";
import { LIMITS } from "../core/limits.ts";
import type { Pacer } from "../core/pacer.ts";
import type { Diagnostic, DiagnosticCode, Severity } from "../schema/diagnostic.ts";
import { type FolderContent, sortFolder } from "./folder-sort.ts";
import type { Place } from "./place.ts";
import { type FileKind, stampOf, unreadable } from "./skill-file.ts";

/** What the last walk of a place saw, kept with the index so that the next one lists only changed folders. */
export interface WalkState {
  /** Folder path inside the place ("" is its root) → stamp, "" where it must be listed again. */
  readonly folders: Readonly<Record<string, string>>;
  /** File path inside the place → its kind, and the stamp that it had. */
  readonly files: Readonly<Record<string, readonly [kind: FileKind, stamp: string]>>;
  readonly notes: readonly Diagnostic[];
}

export interface FoundFile {
  readonly path: string;
  readonly kind: FileKind;
  readonly stamp: string;
  /** Changed so short a time ago that an equal stamp proves nothing. */
  readonly young: boolean;
}

export interface Walk {
  readonly files: readonly FoundFile[];
  /** Paths that could not be used, one diagnostic each. */
  readonly problems: ReadonlyMap<string, Diagnostic>;
  /** Folders that could not be listed: what was known below them is not gone (B110). */
  readonly locked: readonly string[];
  readonly state: Pick<WalkState, "folders" | "notes">;
  /** Every path that counts as a skill file, those with problems and those met before under another path too. */
  readonly kinds: ReadonlyMap<string, FileKind>;
}

/** Walks a place. `known` is the state of the last walk, or undefined to list everything. */
export async function walkPlace(
  place: Place,
  known: WalkState | undefined,
  nowMs: number,
  pacer: Pacer,
): Promise<Walk> {
  const walker = new Walker(place, known, nowMs);
  if (place.kind === "space") {
    for (const kind of ["canon", "quarantine", "archive"] as const) await walker.space(kind, pacer);
  } else {
    await walker.mount(pacer);
  }
  return walker.result();
}

/** Children of each folder as the last walk saw them. */
function childrenOf(paths: Iterable<string>): Map<string, string[]> {
  const children = new Map<string, string[]>();
  for (const path of paths) {
    if (path === "") continue;
    const cut = path.lastIndexOf("/");
    const parent = cut === -1 ? "" : path.slice(0, cut);
    const list = children.get(parent);
    if (list === undefined) children.set(parent, [path]);
    else list.push(path);
  }
  return children;
}

class Walker {
  private readonly files: FoundFile[] = [];
  private readonly problems = new Map<string, Diagnostic>();
  private readonly locked: string[] = [];
  private readonly folders = new Map<string, string>();
  private readonly kinds = new Map<string, FileKind>();
  private readonly notes: Diagnostic[] = [];
  private readonly seen = new Set<string>();
  private readonly linked: { path: string; depth: number }[] = [];
  private readonly knownFolders: Map<string, string[]>;
  private readonly knownFiles: Map<string, string[]>;
  private readonly knownNotes = new Map<string, Diagnostic[]>();
  private count = 0;
  private readonly place: Place;
  private readonly known: WalkState | undefined;
  private readonly nowMs: number;

  constructor(place: Place, known: WalkState | undefined, nowMs: number) {
    this.place = place;
    this.known = known;
    this.nowMs = nowMs;
    this.knownFolders = childrenOf(Object.keys(known?.folders ?? {}));
    this.knownFiles = childrenOf(Object.keys(known?.files ?? {}));
    for (const note of known?.notes ?? []) {
      const folder = dirname(note.file);
      this.knownNotes.set(folder, [...(this.knownNotes.get(folder) ?? []), note]);
    }
  }

  result(): Walk {
    const { files, problems, locked, notes } = this;
    return {
      files,
      problems,
      locked,
      state: { folders: Object.fromEntries(this.folders), notes },
      kinds: this.kinds,
    };
  }

  /** One flat folder of a space: its regular `*.md` files. */
  async space(kind: "canon" | "quarantine" | "archive", pacer: Pacer): Promise<void> {
    const listing = this.list(kind, false);
    if (listing === undefined) return;
    const names = listing.entries
      ?.map((entry) => entry.name)
      .filter((name) => name.endsWith(".md") && !isTempName(name));
    const paths = names?.map((name) => `${kind}/${name}`) ?? this.knownFiles.get(kind) ?? [];
    for (const path of paths.sort()) {
      this.file(path, kind);
      const pause = pacer.step();
      if (pause !== undefined) await pause;
    }
  }

  /** A mounted tree: real folders first, so that a file reached twice keeps its real path (B19). */
  async mount(pacer: Pacer): Promise<void> {
    await this.tree("", 0, false, pacer);
    for (let next = this.linked.shift(); next !== undefined; next = this.linked.shift())
      await this.tree(next.path, next.depth, true, pacer);
  }

  private async tree(path: string, depth: number, viaLink: boolean, pacer: Pacer): Promise<void> {
    if (depth > LIMITS.mountDepth || ++this.count > LIMITS.mountFolders) {
      this.note(
        path,
        "FOLDER_LIMIT",
        "warning",
        `Passed over: deeper than ${LIMITS.mountDepth} folders, or more than ${LIMITS.mountFolders} of them.`,
      );
      return;
    }
    const listing = this.list(path, viaLink);
    if (listing === undefined) return;
    const { entries } = listing;
    const { files, folders, links } =
      entries === undefined ? this.remembered(path) : this.sorted(path, entries);
    for (const [file, kind] of files) this.file(file, kind);
    for (const link of links) this.linked.push({ path: link, depth: depth + 1 });
    const pause = pacer.step();
    if (pause !== undefined) await pause;
    for (const folder of folders) await this.tree(folder, depth + 1, viaLink, pacer);
  }

  /** The entries of a folder; `entries` is absent where nothing changed since the last walk. */
  private list(path: string, viaLink: boolean): { entries?: Dirent[] } | undefined {
    const folder = join(this.place.dir, path);
    try {
      const stats = statSync(folder);
      if (!stats.isDirectory()) {
        this.problem(path, "FILE_NOT_REGULAR", "There is a file where a folder of skills should be.");
        return undefined;
      }
      if (!this.firstSight(stats)) return undefined;
      const stamp = stampOf(stats) + (viaLink ? "@" : "");
      this.folders.set(path, this.isYoung(stats) ? (viaLink ? "@" : "") : stamp);
      if (this.known?.folders[path] === stamp) return {};
      return {
        entries: readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1)),
      };
    } catch (error) {
      this.unlisted(path, error);
      return undefined;
    }
  }

  private unlisted(path: string, error: unknown): void {
    const errno = errnoOf(error);
    const gone = errno === "ENOENT" || errno === "ENOTDIR";
    if (gone && (path !== "" || this.place.kind === "space")) return;
    this.problems.set(path, unreadable(join(this.place.dir, path), error));
    if (!gone) this.locked.push(path);
  }

  /** What a folder held when it was last listed; its stamp says that it holds the same now. */
  private remembered(path: string): FolderContent {
    this.notes.push(...(this.knownNotes.get(join(this.place.dir, path)) ?? []));
    const children = this.knownFolders.get(path) ?? [];
    const isLink = (child: string) => this.known?.folders[child]?.endsWith("@") === true;
    const files = (this.knownFiles.get(path) ?? []).map((file): [string, FileKind] => [
      file,
      this.known?.files[file]?.[0] ?? "skill",
    ]);
    return { files, folders: children.filter((child) => !isLink(child)), links: children.filter(isLink) };
  }

  private sorted(path: string, entries: Dirent[]): FolderContent {
    return sortFolder(this.place.dir, path, entries, (...note) => this.note(...note));
  }

  private file(path: string, kind: FileKind): void {
    try {
      const stats = statSync(join(this.place.dir, path));
      this.kinds.set(path, kind);
      if (!this.firstSight(stats)) return;
      this.files.push({ path, kind, stamp: stampOf(stats), young: this.isYoung(stats) });
    } catch (error) {
      const gone = errnoOf(error) === "ENOENT" || errnoOf(error) === "ENOTDIR";
      if (gone && !isLink(join(this.place.dir, path))) return;
      this.kinds.set(path, kind);
      if (gone)
        this.problem(
          path,
          "LINK_BROKEN",
          "The symbolic link points to nothing. Bring back what it pointed to, or remove the link.",
        );
      else this.problems.set(path, unreadable(join(this.place.dir, path), error));
    }
  }

  /** False for a file or folder that this walk has met under another path. */
  private firstSight(stats: Stats): boolean {
    const id = `${stats.dev}:${stats.ino}`;
    if (this.seen.has(id)) return false;
    this.seen.add(id);
    return true;
  }

  private isYoung(stats: Stats): boolean {
    return this.nowMs - Math.max(stats.mtimeMs, stats.ctimeMs) < LIMITS.youngFileMs;
  }

  private problem(path: string, code: DiagnosticCode, message: string): void {
    this.problems.set(path, {
      file: join(this.place.dir, path),
      line: 1,
      column: 1,
      code,
      severity: "error",
      message,
    });
  }

  private note(path: string, code: DiagnosticCode, severity: Severity, message: string): void {
    this.notes.push({ file: join(this.place.dir, path), line: 1, column: 1, code, severity, message });
  }
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}
