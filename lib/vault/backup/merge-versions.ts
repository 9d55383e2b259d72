import { join } from "node:path";
import { exists } from "../../core/atomic.ts";
import { isCanonryError } from "../../core/errors.ts";
import { sha256 } from "../../core/hash.ts";
import { LIMITS } from "../../core/limits.ts";
import { check } from "../../schema/check.ts";
import { type Version, VersionSchema } from "../../schema/claim.ts";
import { VERSION_FILE } from "../layout.ts";
import { putObject, readObject } from "../objects.ts";
import { readInside } from "../paths.ts";
import {
  attempt,
  countPut,
  isSynced,
  keep,
  type Merging,
  makeWay,
  mergeWhole,
  type Part,
  putNew,
  refuse,
} from "./merging.ts";

const OBJECT = /^versions\/objects\/([0-9a-f]{2})\/([0-9a-f]{64})$/;

/** What stands at a part's place: nothing, what can be used, or something with a problem, which ends a sentence. */
type Here = "nothing" | "whole" | { readonly problem: string };

/** Bytes under their hash. One that is damaged here, or cannot be read, is written anew. */
export function mergeObject(merging: Merging, part: Part): void {
  const [, start = "", hash] = OBJECT.exec(part.path) ?? [];
  if (hash === undefined) mergeWhole(merging, part);
  else if (hash !== part.file.sha256 || !hash.startsWith(start))
    refuse(merging, part, "its bytes are not those of its name");
  else attempt(merging, part, () => putText(merging, part, hash));
}

function putText(merging: Merging, part: Part, hash: string): void {
  const here = stateOf(merging, part, () => readObject(part.tree.room, hash) !== undefined);
  if (here === "whole") merging.tally.present++;
  else if (here === "nothing" && isSynced(merging, part)) {
    // whoever has put it there meanwhile has put the same
    if (!putNew(merging, part)) merging.tally.present++;
  } else {
    if (here !== "nothing") makeWay(merging, part, here.problem);
    if (!merging.dry) putObject(part.tree.room, part.read());
    countPut(merging, part);
  }
}

/** The record of a version: one that is absent is put, and one that cannot be read here makes way. */
export function mergeVersion(merging: Merging, part: Part): void {
  if (!isVersionPath(part.path)) mergeWhole(merging, part);
  else if (versionOf(part.path, part.read()) === undefined)
    refuse(merging, part, "it is no record of the version in its name");
  else attempt(merging, part, () => putRecord(merging, part));
}

function putRecord(merging: Merging, part: Part): void {
  let same = false;
  const here = stateOf(merging, part, () => {
    const bytes = recordHere(merging, part);
    same = bytes !== undefined && sha256(bytes) === part.file.sha256;
    return bytes === undefined || versionOf(part.path, bytes) !== undefined;
  });
  if (same) merging.tally.present++;
  else if (here === "whole") keep(merging, part, "differs");
  else {
    if (here !== "nothing") makeWay(merging, part, here.problem);
    if (!putNew(merging, part)) keep(merging, part, "differs");
  }
}

function stateOf(merging: Merging, part: Part, isWhole: () => boolean): Here {
  if (!exists(join(merging.room.layout.home, part.full))) return "nothing";
  try {
    return isWhole() ? "whole" : { problem: "was damaged" };
  } catch (error) {
    if (!isCanonryError(error, "CANONRY_DISK", "CANONRY_READ_ONLY")) throw error;
    return { problem: `could not be read (${error.data["errno"]})` };
  }
}

/** Undefined for what is no file of a record's size: that is somebody's own, and stays. */
function recordHere(merging: Merging, part: Part): Buffer | undefined {
  const { home } = merging.room.layout;
  try {
    return readInside(home, part.full, { maxBytes: LIMITS.skillFolderBytes, links: "refuse" });
  } catch (error) {
    if (isCanonryError(error, "CANONRY_DISK")) throw error;
    if (isCanonryError(error)) return undefined;
    throw error;
  }
}

export function isVersionPath(path: string): boolean {
  return manifestOf(path) !== undefined;
}

/** Name, number and hash of a manifest: `versions/<space>/<name>/<n>-<hash8>.json`. */
function manifestOf(path: string): readonly string[] | undefined {
  const [folder, space, name, file, ...rest] = path.split("/");
  if (folder !== "versions" || space === "" || name === "" || rest.length > 0) return undefined;
  return VERSION_FILE.exec(file ?? "") ?? undefined;
}

/** The version that a manifest's bytes hold, if it is the one in the file's name. */
export function versionOf(path: string, bytes: Buffer): Version | undefined {
  const [, number, start] = manifestOf(path) ?? [];
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
