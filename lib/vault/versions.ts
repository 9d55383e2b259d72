import { readFileSync } from "node:fs";
import { join } from "node:path";
import { listNames } from "../core/atomic.ts";
import { check } from "../schema/check.ts";
import { type Version, VersionSchema } from "../schema/claim.ts";
import type { Room } from "./room.ts";

const MANIFEST = /^(\d+)-[0-9a-f]{8}\.json$/;

/** The kept states of a skill, oldest number first; manifests that cannot be read are warned about and passed over. */
export function listVersions(room: Room, fingerprint: string, name: string): Version[] {
  const folder = room.layout.versionFolder(fingerprint, name);
  const versions: Version[] = [];
  for (const file of listNames(folder)) {
    if (!MANIFEST.test(file)) continue;
    try {
      versions.push(
        check(
          VersionSchema,
          JSON.parse(readFileSync(join(folder, file), "utf8")),
          "CANONRY_INVALID_RECORD",
          file,
        ),
      );
    } catch (error) {
      room.context.log.warn(
        `The version ${join(folder, file)} was passed over: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
  return versions.sort((a, b) => a.version - b.version || (a.at < b.at ? -1 : 1));
}

/** The bytes of a manifest: keys in one order, so that the same version gives the same bytes (P10). */
export function manifestJson(version: Version): string {
  const { version: number, parent, bytesHash, files, at, by, runId, verdict } = version;
  return `${JSON.stringify({ version: number, parent, bytesHash, files, at, by, runId, verdict }, undefined, 2)}\n`;
}
