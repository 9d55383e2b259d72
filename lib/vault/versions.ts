import { readFileSync } from "node:fs";
import { join } from "node:path";
import { listNames } from "../core/atomic.ts";
import { check } from "../schema/check.ts";
import { type Version, VersionSchema } from "../schema/claim.ts";
import { VERSION_FILE } from "./layout.ts";
import type { Room } from "./room.ts";

/** The kept states of a skill, oldest number first; manifests that cannot be read are warned about and passed over. */
export function listVersions(room: Room, fingerprint: string, name: string): Version[] {
  return manifestNames(room, fingerprint, name).flatMap(
    (file) => readVersion(room, fingerprint, name, file) ?? [],
  );
}

/** The kept state with those bytes. A skill may have thousands: only what bears the hash in its name is read. */
export function findVersion(
  room: Room,
  fingerprint: string,
  name: string,
  bytesHash: string,
): Version | undefined {
  const ending = `-${bytesHash.slice(0, 8)}.json`;
  for (const file of listNames(room.layout.versionFolder(fingerprint, name))) {
    if (!file.endsWith(ending) || !VERSION_FILE.test(file)) continue;
    const version = readVersion(room, fingerprint, name, file);
    if (version?.bytesHash === bytesHash) return version;
  }
  return undefined;
}

/** The kept state with the highest number, the newest of several. */
export function lastVersion(room: Room, fingerprint: string, name: string): Version | undefined {
  const files = manifestNames(room, fingerprint, name);
  const highest = numberOf(files.at(-1) ?? "");
  return files
    .filter((file) => numberOf(file) === highest)
    .flatMap((file) => readVersion(room, fingerprint, name, file) ?? [])
    .sort((a, b) => (a.at < b.at ? -1 : 1))
    .at(-1);
}

function manifestNames(room: Room, fingerprint: string, name: string): string[] {
  return listNames(room.layout.versionFolder(fingerprint, name))
    .filter((file) => VERSION_FILE.test(file))
    .sort((a, b) => numberOf(a) - numberOf(b));
}

function numberOf(file: string): number {
  return Number(VERSION_FILE.exec(file)?.[1] ?? 0);
}

function readVersion(room: Room, fingerprint: string, name: string, file: string): Version | undefined {
  const path = join(room.layout.versionFolder(fingerprint, name), file);
  try {
    return check(
      VersionSchema,
      JSON.parse(readFileSync(path).toString("utf8")),
      "CANONRY_INVALID_RECORD",
      file,
    );
  } catch (error) {
    room.context.log.warn(
      `The version ${path} was passed over: ${error instanceof Error ? error.message : String(error)}`,
    );
    return undefined;
  }
}

/** The bytes of a manifest: keys in one order, so that the same version gives the same bytes (P10). */
export function manifestJson(version: Version): string {
  const { version: number, parent, bytesHash, files, at, by, runId, verdict } = version;
  return `${JSON.stringify({ version: number, parent, bytesHash, files, at, by, runId, verdict }, undefined, 2)}\n`;
}
