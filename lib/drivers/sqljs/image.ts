import { statSync, unlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { exists, publish, quietly, replaceFile, writeTemp } from "../../core/atomic.ts";
import { sha256 } from "../../core/hash.ts";
import { LIMITS } from "../../core/limits.ts";
import { type Claim, openClaims } from "./claims.ts";
import { faultOf } from "./header.ts";
import { damaged, readRegular } from "./regular-file.ts";

/** Whether the bytes are ones that a flush on this machine wrote: `none` where it remembers no flush of this file. */
export type Checksum = "known" | "unknown" | "none";

/** The index file on disk: whole images in and out (design 5, "Index"). Not safe for two in one process at a time. */
export interface ImageFile {
  /** Undefined where there is no file. Throws `CANONRY_INDEX_DAMAGED` on what is no whole database. */
  load(): { readonly bytes: Uint8Array; readonly checksum: Checksum } | undefined;
  /**
   * Writes the next generation whole, unless somebody has written one since `load`: false, and nothing changed.
   * `make` is called only when it looks as if nobody has. Throws `CANONRY_READ_ONLY`, `CANONRY_DISK`.
   */
  flush(make: (generation: number) => Uint8Array): boolean;
}

/** With a folder of this machine for claims: checksums, and one winner a generation. */
export function openImage(path: string, localDir: string | undefined): ImageFile {
  return localDir === undefined ? plainImage(path) : claimedImage(path, join(localDir, "index"));
}

function claimedImage(path: string, folder: string): ImageFile {
  const claims = openClaims(folder, basename(path));
  let base = 0;

  /** Whoever comes next finishes the last flush; a late sleeper's rename then finds no temp and is harmless. */
  function finishLast(): Claim | undefined {
    const [last] = claims.list();
    if (last === undefined || last.temp === "") return last;
    const temp = join(dirname(path), last.temp);
    // A reader may not be allowed to; the image that stands there is whole all the same.
    if (exists(temp)) quietly(() => publish(temp, path));
    return last;
  }

  function load(again = true): ReturnType<ImageFile["load"]> {
    const last = finishLast();
    base = last?.generation ?? 0;
    const bytes = readWhole(path);
    if (bytes === undefined) return undefined;
    const hash = sha256(bytes);
    const kept = claims.list();
    const claim = kept.find((one) => one.sha256 === hash);
    // The moment between somebody's claim and rename, or a flush in between: look once more. An older image that still
    // stands there then was put back by hand, and may be written over.
    if (again && kept[0] !== undefined && claim?.generation !== kept[0].generation) return load(false);
    return { bytes, checksum: claim !== undefined ? "known" : kept.length > 0 ? "unknown" : "none" };
  }

  function flush(make: (generation: number) => Uint8Array): boolean {
    if ((finishLast()?.generation ?? 0) > base) return false;
    const generation = base + 1;
    const bytes = make(generation);
    const claim = { generation, sha256: sha256(bytes), bytes: bytes.length };
    const temp = writeTemp(path, bytes);
    try {
      const won = claims.create({ ...claim, temp: basename(temp) });
      // Slept so long that the number had been used and swept: what was written since is newer.
      const late = won && (claims.list()[0]?.generation ?? 0) > generation;
      if (late) claims.withdraw(generation);
      if (!won || late) {
        quietly(() => unlinkSync(temp));
        return false;
      }
    } catch (error) {
      quietly(() => unlinkSync(temp));
      throw error;
    }
    publish(temp, path);
    base = generation;
    claims.prune();
    return true;
  }

  return { load: () => load(), flush };
}

/** Without a place for claims: whole files, and no writing over a file that has changed since it was read. */
function plainImage(path: string): ImageFile {
  let seen = "";
  return {
    load() {
      seen = stampOf(path);
      const bytes = readWhole(path);
      return bytes === undefined ? undefined : { bytes, checksum: "known" };
    },
    flush(make) {
      if (stampOf(path) !== seen) return false;
      replaceFile(path, make(1));
      seen = stampOf(path);
      return true;
    },
  };
}

function stampOf(path: string): string {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? "" : `${found.ino}:${found.mtimeNs}:${found.size}`;
}

function readWhole(path: string): Uint8Array | undefined {
  const bytes = readRegular(path, LIMITS.indexFileBytes);
  if (bytes === undefined) return undefined;
  const fault = faultOf(bytes);
  if (fault !== undefined) throw damaged(path, fault);
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
}
