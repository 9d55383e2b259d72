import { join } from "node:path";
import { isCanonryError } from "../../core/errors.ts";
import { keepAside } from "../../core/keep-aside.ts";
import { LIMITS } from "../../core/limits.ts";
import { check } from "../../schema/check.ts";
import { type Version, VersionSchema } from "../../schema/claim.ts";
import { putObject, readObject } from "../objects.ts";
import { readInside } from "../paths.ts";
import { countPut, hereOf, keep, type Merging, mergeWhole, type Part, putNew, refuse } from "./merging.ts";

const OBJECT = /^versions\/objects\/([0-9a-f]{2})\/([0-9a-f]{64})$/;
const MANIFEST = /^versions\/[^/]+\/[^/]+\/(\d+)-([0-9a-f]{8})\.json$/;

/** Bytes under their hash. One that is damaged here is written anew. */
export function mergeObject(merging: Merging, part: Part): void {
  const [, start = "", hash] = OBJECT.exec(part.path) ?? [];
  if (hash === undefined) mergeWhole(merging, part);
  else if (hash !== part.file.sha256 || !hash.startsWith(start))
    refuse(merging, part, "its bytes are not those of its name");
  else if (readObject(part.tree.room, hash) !== undefined) merging.tally.present++;
  else {
    if (!merging.dry) putObject(part.tree.room, part.read());
    countPut(merging, part);
  }
}

/** The record of a version: one that is absent is put, and one that cannot be read here makes way. */
export function mergeVersion(merging: Merging, part: Part): void {
  const here = MANIFEST.test(part.path) ? hereOf(merging, part.full) : undefined;
  if (!MANIFEST.test(part.path)) mergeWhole(merging, part);
  else if (versionOf(part.path, part.read()) === undefined)
    refuse(merging, part, "it is no record of the version in its name");
  else if (here === part.file.sha256) merging.tally.present++;
  else if (here !== undefined && isReadableHere(merging, part)) keep(merging, part, "differs");
  else {
    if (here !== undefined && !merging.dry) keepAside(join(merging.room.layout.home, part.full), ".damaged");
    if (!putNew(merging, part)) keep(merging, part, "differs");
  }
}

export function isVersionPath(path: string): boolean {
  return MANIFEST.test(path);
}

/** The version that a manifest's bytes hold, if it is the one in the file's name. */
export function versionOf(path: string, bytes: Buffer): Version | undefined {
  const [, number, start] = MANIFEST.exec(path) ?? [];
  try {
    const value: unknown = JSON.parse(bytes.toString("utf8"));
    const version = check(VersionSchema, value, "CANONRY_INVALID_RECORD", path);
    const fits = String(version.version) === number && version.bytesHash.startsWith(start ?? "-");
    return fits ? version : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || isCanonryError(error)) return undefined;
    throw error;
  }
}

/** Whether the home's own record can be read: one that cannot makes way. */
function isReadableHere(merging: Merging, part: Part): boolean {
  try {
    const bytes = readInside(merging.room.layout.home, part.full, {
      maxBytes: LIMITS.skillFolderBytes,
      links: "refuse",
    });
    return versionOf(part.path, bytes) !== undefined;
  } catch (error) {
    if (isCanonryError(error)) return true;
    throw error;
  }
}
