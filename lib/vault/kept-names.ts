import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { Claim } from "../schema/claim.ts";
import { makeOwnFolder } from "./hold.ts";
import { fingerprintOf, spaceFolder } from "./layout.ts";
import type { Room } from "./room.ts";

/** What stands in `local/kept`: a text that may have to go back, the note of a folder that is being moved, or a text. */
export type KeptKind = "moved" | "folder" | "text";

const KEPT = /^([0-9a-f]{16})-(?:(moved|folder)-)?(?:([0-9a-z]+)\.([a-z0-9-]+)-)?[0-9a-f]{12}$/;

/** A name of its own for what a claim takes out of the way. */
export function keptPath(room: Room, claim: Claim, kind: KeptKind): string {
  makeOwnFolder(room.layout.home, room.layout.kept);
  const skill = kind === "moved" ? `${spaceFolder(claim.fingerprint)}.${claim.name}-` : "";
  const mark = kind === "text" ? "" : `${kind}-${skill}`;
  return join(room.layout.kept, `${claim.id}-${mark}${randomBytes(6).toString("hex")}`);
}

export interface KeptName {
  /** Of the claim. */
  readonly id: string;
  readonly kind: KeptKind;
  /** Whose text was moved; only with `moved`. */
  readonly skill?: { readonly fingerprint: string; readonly name: string };
}

/** Undefined for a name that is none of ours. */
export function readKeptName(file: string): KeptName | undefined {
  const [, id, mark, folder, name] = KEPT.exec(file) ?? [];
  if (id === undefined) return undefined;
  const kind = mark === "moved" || mark === "folder" ? mark : "text";
  const fingerprint = folder === undefined ? undefined : fingerprintOf(folder);
  return fingerprint === undefined || name === undefined
    ? { id, kind }
    : { id, kind, skill: { fingerprint, name } };
}
