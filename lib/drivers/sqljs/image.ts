import { join } from "node:path";
import { replaceFile } from "../../core/atomic.ts";
import type { Clock } from "../../core/context.ts";
import { ClaimedImage } from "./claimed-image.ts";
import { stampOf } from "./regular-file.ts";
import { readWhole } from "./whole.ts";

/**
 * Whether the bytes are ones that a flush on this machine wrote: `none` where it remembers no flush of this file,
 * `unasked` where there is no folder to remember one in.
 */
export type Checksum = "known" | "unknown" | "none" | "unasked";

export interface LoadedImage {
  readonly bytes: Uint8Array;
  readonly checksum: Checksum;
}

/** The index file on disk: whole images in and out (design 5, "Index"). Not safe for two in one process at a time. */
export interface ImageFile {
  /** Undefined where there is no file. Throws `CANONRY_INDEX_DAMAGED` on what is no whole database. */
  load(): LoadedImage | undefined;
  /** A token for the newest image that anybody has written. */
  standing(): string;
  /**
   * Writes the next generation whole, unless somebody has written one since `load`, the last own flush, or `over`,
   * whichever is newest: false then. `make` is called only when it looks as if nobody has. Throws
   * `CANONRY_READ_ONLY`, `CANONRY_DISK`.
   */
  flush(make: (generation: number) => Uint8Array, over?: string): boolean;
}

/** With a folder of this machine for claims: checksums, and one winner a generation. */
export function openImage(path: string, localDir: string | undefined, clock: Clock): ImageFile {
  return localDir === undefined ? plainImage(path) : new ClaimedImage(path, join(localDir, "index"), clock);
}

/**
 * Without a place for claims: whole files, and no writing over a file that has changed since it was read. Nothing is
 * tidied up: what lies about may be another's, who has claims.
 */
function plainImage(path: string): ImageFile {
  let seen = "";
  return {
    load() {
      seen = stampOf(path);
      const bytes = readWhole(path);
      return bytes === undefined ? undefined : { bytes, checksum: "unasked" };
    },
    standing: () => stampOf(path),
    flush(make, over) {
      const now = stampOf(path);
      if (now !== seen && now !== over) return false;
      replaceFile(path, make(1));
      seen = stampOf(path);
      return true;
    },
  };
}
