import type { Point } from "./strace.ts";

/** A call that a process is held up in front of, and what has been decided by then. */
export interface Held {
  readonly point: Point;
  /** The process will look at the base once more before it claims. */
  readonly unclaimed: boolean;
  /** It is the link of the claim, which nothing looks at any more. */
  readonly claims: boolean;
  /** Between the link that keeps what stands there and the rename that replaces it. */
  readonly inGap: boolean;
  /** Others wait a second for this one line, and no longer. */
  readonly waitedFor: boolean;
  /** One of the few calls that the outcome hangs on: the short form holds up these. */
  readonly decides: boolean;
}

/** The calls of a change that are worth being held up at: names made, moved, removed, synced; lines written. */
export function heldPoints(points: readonly Point[]): Held[] {
  const claim = points.find(({ text }) => /^link\w*\(.*"local\/commit\/[^"]*\.\d+"\)$/.test(text));
  if (claim === undefined) throw new Error("the operation makes no claim");
  const after = (pattern: RegExp) => points.find(({ at, text }) => at > claim.at && pattern.test(text));
  const keeps = after(/^link.*local\/kept\//);
  const replaces = after(/^rename.*\.tmp-\*"/);
  const lastSync = points.findLast(({ at, call }) => at < claim.at && call.endsWith("sync"));
  const decisive = [
    lastSync,
    claim,
    keeps,
    replaces,
    after(/^link/),
    after(/^rename/),
    after(/^write\(<LIBRARIAN/),
  ];
  return points
    .filter(
      ({ call, text }) =>
        /^(?:link|rename|unlink|f(?:data)?sync)|^write\(<(?:LIBRARIAN\.md|ledger\/)/.test(text) &&
        call !== "writev",
    )
    .map((point) => ({
      point,
      unclaimed: point.at < claim.at,
      claims: point === claim,
      inGap: keeps !== undefined && replaces !== undefined && point.at > keeps.at && point.at <= replaces.at,
      waitedFor: point.call === "write",
      decides: decisive.includes(point),
    }));
}
