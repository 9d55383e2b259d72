import { randomBytes } from "node:crypto";
import { statSync, unlinkSync } from "node:fs";
import { basename, dirname } from "node:path";
import { exists, quietly, writeTemp } from "../core/atomic.ts";
import { isoTime } from "../core/context.ts";
import { CanonryError, isCanonryError } from "../core/errors.ts";
import { sha256 } from "../core/hash.ts";
import { LIMITS } from "../core/limits.ts";
import type { Claim, ClaimStep } from "../schema/claim.ts";
import { assertChange, type Change, type CommitResult, type MoveChange, type PutChange } from "./change.ts";
import { newToken, publishClaim, readBook, readClaim } from "./claims.ts";
import { completeEvent } from "./ledger.ts";
import { eventJson } from "./ledger-line.ts";
import { putFilesBeside, putObject } from "./objects.ts";
import { makeFolderInside, readInside } from "./paths.ts";
import type { Room } from "./room.ts";
import { type Finished, finishClaim } from "./steps.ts";
import { listVersions, manifestJson } from "./versions.ts";

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

/**
 * Makes a change by the claim protocol (design 5). Exactly one of several processes that start from one base wins;
 * the others get `CANONRY_CONFLICT`, whose `data` holds `expected`, `found` and `keptAt`, where the loser's text is
 * kept (P3). Throws `CANONRY_INVALID_…`, `CANONRY_READ_ONLY`, `CANONRY_DISK`; then nothing was changed.
 */
export function commitChange(room: Room, change: Change): CommitResult {
  assertChange(change);
  const bytes = change.kind === "put" ? Buffer.from(change.content) : null;
  const { fingerprint, name, target, base } = change;
  const steps = (found: Buffer | undefined, id: string) =>
    change.kind === "put" ? putSteps(room, change, found, id) : moveSteps(room, change, id);
  return bid(room, { fingerprint, name, target, base, bytes, keep: true, steps });
}

/** See `commitChange`; also for files of this machine, which keep no versions. */
export function bid(room: Room, one: Bid): CommitResult {
  const { layout } = room;
  const seq = settle(room, one.fingerprint, one.name) + 1;
  const found = readTarget(room, one.target);
  const foundHash = found === undefined ? null : sha256(found);
  const next = one.bytes === null ? null : sha256(one.bytes);
  if (next !== null && foundHash === next)
    return { changed: false, bytesHash: next, seq: null, finished: true };
  if (foundHash !== one.base) throw conflict(room, one, foundHash);
  const id = randomBytes(8).toString("hex");
  const steps = one.steps(found, id);
  if (one.keep && found !== undefined) putObject(room, found);
  if (one.keep && one.bytes !== null) putObject(room, one.bytes);
  const temp = one.bytes === null ? undefined : tempFor(room, one.target, one.bytes);
  const replace: ClaimStep[] =
    temp === undefined
      ? []
      : [{ do: "replace", temp: layout.relative(temp), target: one.target, keep: one.keep }];
  const { fingerprint, name, base } = one;
  const token = basename(newToken(layout, fingerprint, name, seq));
  const claim: Claim = {
    id,
    seq,
    fingerprint,
    name,
    token,
    base,
    next,
    at: isoTime(room.context.clock()),
    steps: [...replace, ...steps],
  };
  const outcome = publish(room, claim, temp);
  if (outcome === "finished") return { changed: true, bytesHash: next, seq, finished: true };
  if (outcome === "won") return finish(room, claim);
  settle(room, fingerprint, name);
  throw conflict(room, one, hashOf(readTarget(room, one.target)));
}

function publish(room: Room, claim: Claim, temp: string | undefined): "won" | "taken" | "late" | "finished" {
  try {
    const outcome = publishClaim(room.layout, claim);
    if (temp !== undefined && (outcome === "taken" || outcome === "late")) quietly(() => unlinkSync(temp));
    return outcome;
  } catch (error) {
    const mine = readClaim(room.layout, claim.fingerprint, claim.name, claim.seq);
    const published = mine !== undefined && "claim" in mine && mine.claim.id === claim.id;
    if (!published && temp !== undefined) quietly(() => unlinkSync(temp));
    throw error;
  }
}

/** The claim is won: whatever fails from here on does not undo it. */
function finish(room: Room, claim: Claim): CommitResult {
  const won = { changed: true, bytesHash: claim.next, seq: claim.seq };
  try {
    const { keptEdit } = finishClaim(room, claim);
    return { ...won, finished: true, ...(keptEdit === undefined ? {} : { keptEdit }) };
  } catch (error) {
    if (!isCanonryError(error)) throw error;
    room.context.log.warn(
      `The change of ${claim.name} is made, but not all that follows from it: ${error.message} It will be finished later.`,
    );
    return { ...won, finished: false };
  }
}

/**
 * Finishes what others have won before, and gives the highest number in use. The order matters: numbers are read,
 * claims finished, then the base is compared and the next number linked; who changes the file in between takes it.
 */
function settle(room: Room, fingerprint: string, name: string): number {
  const failed = new Set<number>();
  for (;;) {
    const book = readBook(room.layout, fingerprint, name);
    const open = book.open.find((seq) => !failed.has(seq));
    if (open === undefined) return book.highest;
    if (finishOpen(room, fingerprint, name, open) === undefined) failed.add(open);
  }
}

/** Every claim of the space that is open; those that cannot be carried out are warned about. */
export function finishOpen(room: Room, fingerprint: string, name: string, seq: number): Finished | undefined {
  const read = readClaim(room.layout, fingerprint, name, seq);
  if (read === undefined) return undefined;
  if ("problem" in read) {
    room.context.log.warn(
      `The claim ${room.layout.claim(fingerprint, name, seq)} was passed over: ${read.problem}.`,
    );
    return undefined;
  }
  // read first, then looked at: a late claim under a swept number shows a higher one by now
  if (!readBook(room.layout, fingerprint, name).open.includes(seq)) return undefined;
  const finished = finishClaim(room, read.claim);
  if (finished.keptEdit !== undefined)
    room.context.log.warn(
      `${name}: a text that was saved while it was being changed is kept as ${room.layout.object(finished.keptEdit)}.`,
    );
  return finished;
}

function tempFor(room: Room, target: string, bytes: Buffer): string {
  const path = room.layout.absolute(target);
  makeFolderInside(room.layout.home, room.layout.relative(dirname(path)));
  return writeTemp(path, bytes, exists(path) ? statSync(path).mode : undefined);
}

function readTarget(room: Room, target: string): Buffer | undefined {
  try {
    return readInside(room.layout.home, target, { maxBytes: LIMITS.skillFileBytes, links: "refuse" });
  } catch (error) {
    if (isCanonryError(error, "CANONRY_FILE_NOT_FOUND")) return undefined;
    throw error;
  }
}

function hashOf(bytes: Buffer | undefined): string | null {
  return bytes === undefined ? null : sha256(bytes);
}

function conflict(room: Room, one: Bid, found: string | null): CanonryError {
  const keptAt = one.keep && one.bytes !== null ? room.layout.object(putObject(room, one.bytes)) : null;
  const kept = keptAt === null ? "" : ` Your text is kept as ${keptAt}.`;
  return new CanonryError(
    "CANONRY_CONFLICT",
    `${one.target} is not what this change was made from: expected ${one.base ?? "no file"}, found ${found ?? "no file"}.${kept} Read it again and make the change anew.`,
    { data: { target: one.target, expected: one.base, found, keptAt } },
  );
}

function putSteps(room: Room, change: PutChange, found: Buffer | undefined, id: string): ClaimStep[] {
  const { fingerprint, name, by, runId, version, verdict, base } = change;
  const next = sha256(change.content);
  const files = putFilesBeside(room, fingerprint, name);
  const at = isoTime(room.context.clock());
  const manifest = (n: number, bytesHash: string, json: string): ClaimStep => ({
    do: "version",
    manifest: room.layout.relative(room.layout.versionFile(fingerprint, name, n, bytesHash)),
    json,
  });
  const steps: ClaimStep[] = [];
  const known = listVersions(room, fingerprint, name);
  if (found !== undefined && base !== null && !known.some((one) => one.bytesHash === base)) {
    const before = {
      version: Math.max(0, version - 1),
      parent: known.at(-1)?.bytesHash ?? null,
      bytesHash: base,
    };
    steps.push(
      manifest(
        before.version,
        base,
        manifestJson({ ...before, files, at, by: "person", runId: "", verdict: null }),
      ),
    );
  }
  steps.push(
    manifest(
      version,
      next,
      manifestJson({ version, parent: base, bytesHash: next, files, at, by, runId, verdict }),
    ),
  );
  return [...steps, ...sharedSteps(room, change, id)];
}

function moveSteps(room: Room, change: MoveChange, id: string): ClaimStep[] {
  const { layout } = room;
  const folders = { from: change.target.replace(/\.md$/, ""), to: change.to.replace(/\.md$/, "") };
  const withFolder =
    folders.from !== change.target && folders.to !== change.to && exists(layout.absolute(folders.from));
  const moves = [{ from: change.target, to: change.to }, ...(withFolder ? [folders] : [])];
  for (const { to } of moves) {
    if (!exists(layout.absolute(to))) continue;
    throw new CanonryError(
      "CANONRY_CONFLICT",
      `${change.target} cannot be moved: ${to} is there already. Move that away first.`,
      {
        data: {
          target: to,
          expected: null,
          found: hashOf(to.endsWith(".md") ? readTarget(room, to) : undefined),
          keptAt: null,
        },
      },
    );
  }
  return [...moves.map((one): ClaimStep => ({ do: "move", ...one })), ...sharedSteps(room, change, id)];
}

function sharedSteps(room: Room, change: Change, id: string): ClaimStep[] {
  const steps: ClaimStep[] = (change.moves ?? []).map(({ from, to }) => ({ do: "move", from, to }));
  if (change.journal !== undefined) steps.push({ do: "journal", line: `${change.journal} ^${id}` });
  if (change.event !== undefined)
    steps.push({ do: "event", json: eventJson(completeEvent(change.event, room)) });
  return steps;
}
