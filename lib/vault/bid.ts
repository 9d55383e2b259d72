import { randomBytes } from "node:crypto";
import { unlinkSync } from "node:fs";
import { dirname } from "node:path";
import { quietly, syncFolder, writeNew } from "../core/atomic.ts";
import { isoTime } from "../core/context.ts";
import { CanonryError, diskError, isCanonryError } from "../core/errors.ts";
import { sha256 } from "../core/hash.ts";
import { LIMITS } from "../core/limits.ts";
import { lookAt } from "../core/look.ts";
import { tempPath } from "../core/temp-names.ts";
import type { Claim, ClaimStep } from "../schema/claim.ts";
import type { CommitResult } from "./change.ts";
import { isAfterOpen, isHighest, publishClaim, readClaim } from "./claims.ts";
import { hold } from "./hold.ts";
import { isShadow, putBack } from "./kept.ts";
import { LOCAL_SPACE } from "./layout.ts";
import { putObject } from "./objects.ts";
import { makeFolderInside, readInside } from "./paths.ts";
import type { Room } from "./room.ts";
import { settle } from "./settle.ts";
import { finishClaim } from "./steps.ts";
import { dropToken, newTokenName, writeToken } from "./tokens.ts";

/** A bid begins again where its number was used although its base still stands, or its token was swept. */
const TRIES = 8;

/** What wins or loses as a whole: one file replaced or taken away, and the steps that follow. */
export interface Bid {
  readonly fingerprint: string;
  readonly name: string;
  /** The file whose hash is compared, relative to the home. */
  readonly target: string;
  readonly base: string | null;
  /** The bytes after it; null where the file goes away. */
  readonly bytes: Buffer | null;
  /** Whether texts are kept in `versions/`: not for files of this machine. */
  readonly keep: boolean;
  /** Called once the base is known to fit; what it throws ends the bid. `id` marks the claim. */
  readonly steps: (found: Buffer | undefined, id: string) => readonly ClaimStep[];
}

/** See `commitChange`; also for files of this machine, which keep no versions. */
export function bid(room: Room, one: Bid): CommitResult {
  for (let attempt = 1; attempt < TRIES; attempt++) {
    const result = bidOnce(room, one);
    if (result !== undefined) return result;
  }
  settle(room, one.fingerprint, one.name);
  throw conflict(room, one, hashOf(readTarget(room, one.target)));
}

/** Undefined where somebody else took the number: whether that is a conflict shows when the base is compared anew. */
function bidOnce(room: Room, one: Bid): CommitResult | undefined {
  const seq = settle(room, one.fingerprint, one.name) + 1;
  const found = readText(room, one);
  const foundHash = hashOf(found);
  const next = hashOf(one.bytes ?? undefined);
  if (next !== null && foundHash === next)
    return { changed: false, bytesHash: next, seq: null, finished: true };
  if (foundHash !== one.base) throw conflict(room, one, foundHash);
  const id = randomBytes(8).toString("hex");
  const steps = one.steps(found, id);
  if (one.keep && found !== undefined) putObject(room, found);
  if (one.keep && one.bytes !== null) putObject(room, one.bytes, { sync: false });
  const temp = one.bytes === null ? undefined : tempPath(room.layout.absolute(one.target));
  const claim = makeClaim(room, one, { id, seq, next, temp, steps });
  if (!publish(room, one, claim, temp)) return undefined;
  return finish(room, claim);
}

function makeClaim(
  room: Room,
  one: Bid,
  parts: Pick<Claim, "id" | "seq" | "next"> & {
    readonly temp: string | undefined;
    readonly steps: readonly ClaimStep[];
  },
): Claim {
  const { fingerprint, name, base, target, keep } = one;
  const { id, seq, next, temp, steps } = parts;
  const replace: ClaimStep[] =
    temp === undefined ? [] : [{ do: "replace", temp: room.layout.relative(temp), target, keep }];
  const at = isoTime(room.context.clock());
  const token = newTokenName(name, seq);
  return { id, seq, fingerprint, name, token, base, next, at, steps: [...replace, ...steps] };
}

/**
 * Token, temporary file, a last look at number and base, link (design 5, steps 1 and 2). The look stands after the
 * token: from then on a number that is used up takes the token with it, so a link that succeeds was never too late.
 */
function publish(room: Room, one: Bid, claim: Claim, temp: string | undefined): boolean {
  const { fingerprint, name, seq } = claim;
  let won = false;
  try {
    writeToken(room.layout, claim);
    if (temp !== undefined && one.bytes !== null) writeBeside(room, one, temp, one.bytes);
    if (!isHighest(room.layout, fingerprint, name, seq - 1) || isAfterOpen(room.layout, claim)) return false;
    const found = hashOf(readText(room, one));
    if (found !== one.base) throw conflict(room, one, found);
    won = publishClaim(room.layout, claim) === "won";
    return won;
  } catch (error) {
    won = isPublished(room, claim);
    throw won ? unconfirmed(claim, error) : error;
  } finally {
    if (!won) {
      if (temp !== undefined) quietly(() => unlinkSync(temp));
      dropToken(room.layout, fingerprint, claim.token);
    }
  }
}

function isPublished(room: Room, claim: Claim): boolean {
  const mine = readClaim(room.layout, claim.fingerprint, claim.name, claim.seq);
  return mine !== undefined && "claim" in mine && mine.claim.id === claim.id;
}

/** Linked, but the disk did not confirm it: nobody can say whether it survives a power loss, so it is not acknowledged. */
function unconfirmed(claim: Claim, cause: unknown): unknown {
  const error = isCanonryError(cause) ? cause : diskError("publish the claim of", claim.name, cause);
  return new CanonryError(
    error.code,
    `${error.message} The change of ${claim.name} may have been made all the same: read it again before you repeat it.`,
    { cause: error, data: { ...error.data, unconfirmed: true } },
  );
}

/** The folders are synced last, when the file's own sync has brought their names to most disks already. */
function writeBeside(room: Room, one: Bid, temp: string, bytes: Buffer): void {
  const path = room.layout.absolute(one.target);
  makeFolderInside(room.layout.home, room.layout.relative(dirname(path)));
  hold([temp], (held) => writeNew(held, bytes, lookAt(path)?.mode));
  syncFolder(dirname(path));
  if (one.keep) syncFolder(dirname(room.layout.object(sha256(bytes))));
}

/** The claim is won: whatever fails from here on does not undo it. */
function finish(room: Room, claim: Claim): CommitResult {
  const won = { changed: true, bytesHash: claim.next, seq: claim.seq };
  try {
    const { keptEdit } = finishClaim(room, claim);
    return { ...won, finished: true, ...(keptEdit === undefined ? {} : { keptEdit }) };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    room.context.log.warn(
      `The change of ${claim.name} is made, but not all that follows from it: ${why} It will be finished later.`,
    );
    return { ...won, finished: false };
  }
}

/**
 * The text that a change is about: not its shadow, and put back first where a process that stopped in a move has it in
 * its hands.
 */
export function readText(room: Room, one: Pick<Bid, "fingerprint" | "name" | "target">): Buffer | undefined {
  const { fingerprint, name, target } = one;
  const found = readTarget(room, target);
  if (fingerprint === LOCAL_SPACE) return found;
  if (found !== undefined) return isShadow(room.layout, fingerprint, name, target) ? undefined : found;
  return putBack(room, fingerprint, name) ? readTarget(room, target) : undefined;
}

/** The bytes of a file of the home, or undefined where there is none. */
export function readTarget(room: Room, target: string): Buffer | undefined {
  try {
    return readInside(room.layout.home, target, { maxBytes: LIMITS.skillFileBytes, links: "refuse" });
  } catch (error) {
    if (isCanonryError(error, "CANONRY_FILE_NOT_FOUND")) return undefined;
    throw error;
  }
}

export function hashOf(bytes: Buffer | undefined): string | null {
  return bytes === undefined ? null : sha256(bytes);
}

function conflict(room: Room, one: Bid, found: string | null): CanonryError {
  const keptAt = one.keep && one.bytes !== null ? room.layout.object(putObject(room, one.bytes)) : null;
  const kept = keptAt === null ? "" : ` Your text is kept as ${keptAt}.`;
  const why =
    found === one.base
      ? `${one.target} could not be changed in ${TRIES} attempts: others changed it and back, or the home was swept, each time.`
      : `${one.target} is not what this change was made from: expected ${one.base ?? "no file"}, found ${found ?? "no file"}.`;
  return new CanonryError("CANONRY_CONFLICT", `${why}${kept} Read it again and make the change anew.`, {
    data: { target: one.target, expected: one.base, found, keptAt },
  });
}
