import { dirname, join } from "node:path";
import type { Diagnostic } from "../schema/diagnostic.ts";
import type { FolderContent } from "./folder-sort.ts";
import type { Place } from "./place.ts";
import type { WalkState } from "./walk-state.ts";

/** What the last walk of a place saw, by folder: a folder whose stamp is the same holds the same now. */
export class LastWalk {
  private readonly folders: Map<string, string[]>;
  private readonly files: Map<string, string[]>;
  private readonly noted = new Map<string, Diagnostic[]>();
  private readonly place: Place;
  private readonly state: WalkState | undefined;

  constructor(place: Place, state: WalkState | undefined) {
    this.place = place;
    this.state = state;
    this.folders = childrenOf(Object.keys(state?.folders ?? {}));
    this.files = childrenOf(Object.keys(state?.files ?? {}));
    for (const note of state?.notes ?? []) {
      const folder = dirname(note.file);
      this.noted.set(folder, [...(this.noted.get(folder) ?? []), note]);
    }
  }

  content(path: string): FolderContent {
    const children = this.folders.get(path) ?? [];
    const isLink = (child: string) => this.state?.folders[child]?.endsWith("@") === true;
    const files = (this.files.get(path) ?? []).map((file) => {
      const [kind = "skill", , link = false] = this.state?.files[file] ?? [];
      return { path: file, kind, link };
    });
    return { files, folders: children.filter((child) => !isLink(child)), links: children.filter(isLink) };
  }

  notes(path: string): readonly Diagnostic[] {
    return this.noted.get(join(this.place.dir, path)) ?? [];
  }
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
