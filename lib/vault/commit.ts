import { exists } from "../core/atomic.ts";
import { isoTime } from "../core/context.ts";
import { CanonryError } from "../core/errors.ts";
import { sha256 } from "../core/hash.ts";
import { isSameFile } from "../core/look.ts";
import type { ClaimStep } from "../schema/claim.ts";
import { bid, hashOf, readTarget } from "./bid.ts";
import { assertChange, type Change, type CommitResult, type MoveChange, type PutChange } from "./change.ts";
import { completeEvent } from "./ledger.ts";
import { eventJson } from "./ledger-line.ts";
import { putFilesBeside } from "./objects.ts";
import type { Room } from "./room.ts";
import { findVersion, lastVersion, manifestJson } from "./versions.ts";

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
  if (found !== undefined && base !== null && findVersion(room, fingerprint, name, base) === undefined) {
    const before = {
      version: Math.max(0, version - 1),
      parent: lastVersion(room, fingerprint, name)?.bytesHash ?? null,
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
  const isSkill = folders.from !== change.target && folders.to !== change.to;
  // with or without a folder now: one that another process is just putting back is looked for when the move is made
  const moves = [{ from: change.target, to: change.to }, ...(isSkill ? [folders] : [])];
  for (const { from, to } of moves) {
    const [source, target] = [layout.absolute(from), layout.absolute(to)];
    // one file under both names: a process was killed in a move that was over by then
    if (!exists(target) || !exists(source) || isSameFile(source, target)) continue;
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
