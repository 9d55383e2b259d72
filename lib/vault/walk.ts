import { type Dirent, lstatSync, readdirSync, type Stats, statSync } from "node:fs";
import { basename, join } from "node:path";
import { errnoOf } from "../core/errors.ts";
import { LIMITS } from "../core/limits.ts";
import { realPathOf } from "../core/look.ts";
import type { Pacer } from "../core/pacer.ts";
import { isTempName } from "../core/temp-names.ts";
import type { Diagnostic, DiagnosticCode, Severity } from "../schema/diagnostic.ts";
import { type FolderContent, sortFolder } from "./folder-sort.ts";
import { LastWalk } from "./last-walk.ts";
import { refusedLink } from "./link-rules.ts";
import type { Place } from "./place.ts";
import { type FileKind, stampOf, unreadable } from "./skill-file.ts";
import type { FoundFile, Walk, WalkState } from "./walk-state.ts";

/** Walks a place. `known` is the state of the last walk, or undefined to list everything; `home` is a real path. */
export async function walkPlace(
  place: Place,
  known: WalkState | undefined,
  nowMs: number,
  pacer: Pacer,
  home: string,
): Promise<Walk> {
  const walker = new Walker(place, known, nowMs, home);
  if (place.kind === "space") {
    for (const kind of ["canon", "quarantine", "archive"] as const) await walker.space(kind, pacer);
  } else {
    await walker.mount(pacer);
  }
  return walker.result();
}

class Walker {
  private readonly files: FoundFile[] = [];
  private readonly problems = new Map<string, Diagnostic>();
  private readonly locked: string[] = [];
  private readonly folders = new Map<string, string>();
  private readonly kinds = new Map<string, { kind: FileKind; link: boolean }>();
  private readonly notes: Diagnostic[] = [];
  private readonly seen = new Set<string>();
  private readonly linked: { path: string; depth: number }[] = [];
  private readonly linkedFiles: { path: string; kind: FileKind }[] = [];
  private readonly last: LastWalk;
  private count = 0;
  private readonly place: Place;
  private readonly known: WalkState | undefined;
  private readonly nowMs: number;
  private readonly home: string;

  constructor(place: Place, known: WalkState | undefined, nowMs: number, home: string) {
    this.place = place;
    this.known = known;
    this.nowMs = nowMs;
    this.home = home;
    this.last = new LastWalk(place, known);
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
    const listing = this.list(kind, join(this.place.dir, kind), false);
    if (listing === undefined) return;
    const names = listing.entries
      ?.map((entry) => entry.name)
      .filter((name) => name.endsWith(".md") && !isTempName(name));
    const paths =
      names?.map((name) => `${kind}/${name}`) ?? this.last.content(kind).files.map((file) => file.path);
    for (const path of paths.sort()) {
      this.file(path, kind, false);
      const pause = pacer.step();
      if (pause !== undefined) await pause;
    }
  }

  /** A mounted tree: what is really there first, so that what is reached twice keeps its real path (B19). */
  async mount(pacer: Pacer): Promise<void> {
    const root = this.realOf("") ?? this.place.dir;
    await this.tree("", root, 0, false, pacer);
    for (let next = this.linked.shift(); next !== undefined; next = this.linked.shift()) {
      const real = this.realOf(next.path);
      if (real !== undefined && this.mayFollow(next.path, real, root))
        await this.tree(next.path, real, next.depth, true, pacer);
    }
    for (const { path, kind } of this.linkedFiles) {
      const real = this.realOf(path);
      if (real === undefined || (this.mayFollow(path, real, root) && this.firstSight(real)))
        this.file(path, kind, true);
      else this.kinds.set(path, { kind, link: true });
    }
  }

  private realOf(path: string): string | undefined {
    return realPathOf(join(this.place.dir, path));
  }

  private mayFollow(path: string, real: string, root: string): boolean {
    const refused = refusedLink(real, root, this.home);
    if (refused === undefined) return true;
    this.note(path, "LINK_REFUSED", "warning", `The symbolic link leads to ${refused} and is not followed.`);
    return false;
  }

  private async tree(
    path: string,
    real: string,
    depth: number,
    viaLink: boolean,
    pacer: Pacer,
  ): Promise<void> {
    if (depth > LIMITS.mountDepth || ++this.count > LIMITS.mountFolders) {
      this.note(
        path,
        "FOLDER_LIMIT",
        "warning",
        `Passed over: deeper than ${LIMITS.mountDepth} folders, or more than ${LIMITS.mountFolders} of them.`,
      );
      return;
    }
    const listing = this.list(path, real, viaLink);
    if (listing === undefined) return;
    const { entries } = listing;
    const { files, folders, links } =
      entries === undefined ? this.remembered(path) : this.sorted(path, entries);
    for (const file of files) {
      if (file.link) this.linkedFiles.push(file);
      else if (this.firstSight(join(real, basename(file.path)))) this.file(file.path, file.kind, false);
      else this.kinds.set(file.path, { kind: file.kind, link: false });
    }
    for (const link of links) this.linked.push({ path: link, depth: depth + 1 });
    const pause = pacer.step();
    if (pause !== undefined) await pause;
    for (const folder of folders)
      await this.tree(folder, join(real, basename(folder)), depth + 1, viaLink, pacer);
  }

  /** The entries of a folder; `entries` is absent where nothing changed since the last walk. */
  private list(path: string, real: string, viaLink: boolean): { entries?: Dirent[] } | undefined {
    const folder = join(this.place.dir, path);
    try {
      if (this.place.kind === "space" && isLink(folder)) {
        this.problem(
          path,
          "FILE_NOT_REGULAR",
          "This is a symbolic link; a space of the home holds files only.",
        );
        return undefined;
      }
      const stats = statSync(folder);
      if (!stats.isDirectory()) {
        this.problem(path, "FILE_NOT_REGULAR", "There is a file where a folder of skills should be.");
        return undefined;
      }
      if (!this.firstSight(real)) return undefined;
      const stamp = stampOf(stats) + (viaLink ? "@" : "");
      this.folders.set(path, this.isYoung(stats) ? (viaLink ? "@" : "") : stamp);
      if (this.known?.folders[path] === stamp) return {};
      return {
        entries: readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1)),
      };
    } catch (error) {
      if (this.unlisted(path, error) === "gone") this.folders.delete(path);
      // no stamp is like this one: the folder is listed again the next time, although its parent is not
      else this.folders.set(path, viaLink ? "@" : "");
      return undefined;
    }
  }

  /** What cannot be listed may come back, with what is known in it; only what is not there is gone (B110). */
  private unlisted(path: string, error: unknown): "gone" | "locked" {
    const errno = errnoOf(error);
    const gone = errno === "ENOENT" || errno === "ENOTDIR";
    if (!gone || (path === "" && this.place.kind !== "space"))
      this.problems.set(path, unreadable(join(this.place.dir, path), error));
    if (gone) return "gone";
    this.locked.push(path);
    return "locked";
  }

  private remembered(path: string): FolderContent {
    this.notes.push(...this.last.notes(path));
    return this.last.content(path);
  }

  private sorted(path: string, entries: Dirent[]): FolderContent {
    return sortFolder(this.place.dir, path, entries, (...note) => this.note(...note));
  }

  private file(path: string, kind: FileKind, link: boolean): void {
    try {
      const stats = statSync(join(this.place.dir, path));
      this.kinds.set(path, { kind, link });
      this.files.push({ path, kind, stamp: stampOf(stats), young: this.isYoung(stats) });
    } catch (error) {
      const gone = errnoOf(error) === "ENOENT" || errnoOf(error) === "ENOTDIR";
      if (gone && !isLink(join(this.place.dir, path))) return;
      this.kinds.set(path, { kind, link });
      if (gone)
        this.problem(
          path,
          "LINK_BROKEN",
          "The symbolic link points to nothing. Bring back what it pointed to, or remove the link.",
        );
      else this.problems.set(path, unreadable(join(this.place.dir, path), error));
    }
  }

  /** False for a real path that this walk has met; never by inode, which a save by rename gives to another file. */
  private firstSight(real: string): boolean {
    if (this.seen.has(real)) return false;
    this.seen.add(real);
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
