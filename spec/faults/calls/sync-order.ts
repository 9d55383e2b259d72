import { dirname } from "node:path";
import type { Row, Section } from "../section.ts";
import { withFolder } from "../temporary.ts";
import { CREATE, type Operation, PATCH, QUARANTINE, REJECT, RESTORE, UPDATE } from "./operations.ts";
import {
  FINISH_PATCH,
  FINISH_QUARANTINE,
  FINISH_RENAMED,
  FLUSH,
  INIT,
  MOUNT,
  REINDEX,
} from "./operations-around.ts";
import { recordAll } from "./record.ts";
import { cannotTrace, type Point } from "./strace.ts";

/** `append` is none of them: what is counted is not worth waiting for a disk. */
const OPERATIONS: readonly Operation[] = Object.freeze([
  ...[CREATE, PATCH, UPDATE, QUARANTINE, RESTORE, REJECT, MOUNT, INIT, REINDEX, FLUSH],
  ...[FINISH_PATCH, FINISH_QUARANTINE, FINISH_RENAMED],
]);

/**
 * Power cannot be cut here, but what would be lost then can be worked out: at each point of no return, the claim's
 * link, its `.done` mark and the answer to the caller, what came before must have been synced, bytes and names.
 */
export const syncOrder: Section = {
  name: "sync order",
  cannotRun: cannotTrace,
  run: ({ log }) =>
    withFolder(async (root) => {
      const { recorded, failed } = await recordAll(OPERATIONS, root);
      const rows = recorded.map(({ template: { operation }, points }): Row => {
        const findings = syncFindings(points, operation.unsynced).map((one) => `${operation.name}: ${one}`);
        const syncs = points.filter((point) => point.call.endsWith("sync")).length;
        return { fault: `syncs of ${operation.name}`, trials: syncs, findings };
      });
      log(`${rows.length} operations`);
      return [...rows, ...failed];
    }),
};

interface Dirt {
  /** Files with bytes that are not on the disk. */
  readonly bytes: Set<string>;
  /** Names that are not on the disk. */
  readonly names: Set<string>;
}

/** What is not yet on the disk at a point of no return; paths of this machine's own are of no account there. */
export function syncFindings(points: readonly Point[], unsynced: readonly string[] = []): string[] {
  const dirt: Dirt = { bytes: new Set(), names: new Set(unsynced) };
  const findings: string[] = [];
  const demand = (when: string, which: (path: string) => boolean) => {
    for (const path of [...dirt.bytes].filter(which))
      findings.push(`${when}: the bytes of ${path} are not synced`);
    for (const path of [...dirt.names].filter(which))
      findings.push(`${when}: the name ${path} is not synced`);
  };
  for (const { call, text } of points) {
    const paths = [...text.matchAll(/"([^"]*)"/g)].map((match) => match[1] ?? "");
    const [from = "", to = ""] = paths;
    if (/^link/.test(call) && isClaim(to)) {
      if (dirt.bytes.has(from)) findings.push(`claim: the bytes of the token ${from} are not synced`);
      demand("claim", (path) => !isOwn(path));
    }
    if (/^open.*O_CREAT/.test(text) && /^local\/commit\/.*\.done$/.test(from))
      demand("done", (path) => !isOwn(path) && !isTemp(path));
    if (call === "writev") demand("answer", (path) => (!isOwn(path) || isClaim(path)) && !isTemp(path));
    apply(dirt, call, text, from, to);
  }
  return findings;
}

function apply({ bytes, names }: Dirt, call: string, text: string, from: string, to: string): void {
  const [, file = ""] = /<([^>]*)>/.exec(text) ?? [];
  if (/^p?write/.test(call)) bytes.add(file);
  else if (/^open.*O_CREAT/.test(text) && !/O_APPEND/.test(text)) names.add(from);
  else if (/^mkdir/.test(call)) names.add(from);
  else if (/^f(?:data)?sync$/.test(call)) {
    bytes.delete(file);
    for (const name of names) if (dirname(name) === file) names.delete(name);
  } else if (/^unlink/.test(call)) forget(from);
  else if (/^(?:link|rename)/.test(call)) {
    if (bytes.has(from)) bytes.add(to);
    names.add(to);
    if (/^rename/.test(call)) forget(from);
  }

  function forget(path: string): void {
    bytes.delete(path);
    names.delete(path);
  }
}

/** Bookkeeping that is made anew or only helps those who come later, and the journal: a printout of the ledger. */
function isOwn(path: string): boolean {
  return /^local\/(?:commit|temp|kept|turns|swept)(?:\/|$)|^LIBRARIAN\.md$/.test(path);
}

function isClaim(path: string): boolean {
  return /^local\/commit\/[^/]+\/[a-z0-9-]+\.\d+$/.test(path);
}

function isTemp(path: string): boolean {
  return path.includes(".tmp-");
}
