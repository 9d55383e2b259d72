import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { Claim } from "../schema/claim.ts";
import { makeOwnFolder } from "./hold.ts";
import type { Room } from "./room.ts";

/** What stands in `local/kept`: a text that may have to go back, the note of a folder that is being moved, or a text. */
export type KeptKind = "moved" | "folder" | "text";

const KEPT = /^([0-9a-f]{16})-(?:(moved|folder)-)?[0-9a-f]{12}$/;

/** A name of its own for what a claim takes out of the way. */
export function keptPath(room: Room, claim: Claim, kind: KeptKind): string {
  makeOwnFolder(room.layout.home, room.layout.kept);
  const mark = kind === "text" ? "" : `${kind}-`;
  return join(room.layout.kept, `${claim.id}-${mark}${randomBytes(6).toString("hex")}`);
}

/** The claim's id and the kind, or undefined for a name that is none of ours. */
export function readKeptName(file: string): { id: string; kind: KeptKind } | undefined {
  const [, id, mark] = KEPT.exec(file) ?? [];
  if (id === undefined) return undefined;
  return { id, kind: mark === "moved" || mark === "folder" ? mark : "text" };
}
