import type { Diagnostic } from "../schema/diagnostic.ts";
import type { FileKind } from "./skill-file.ts";

/** What the last walk of a place saw, kept with the index so that the next one lists only changed folders. */
export interface WalkState {
  /** Folder path inside the place ("" is its root) → stamp, "" where it must be listed again. */
  readonly folders: Readonly<Record<string, string>>;
  /** File path inside the place → its kind, the stamp that it had, and whether it is a symbolic link. */
  readonly files: Readonly<Record<string, readonly [kind: FileKind, stamp: string, link: boolean]>>;
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
  readonly kinds: ReadonlyMap<string, { readonly kind: FileKind; readonly link: boolean }>;
}
