import { posix } from "node:path";
import { isTempName } from "../core/temp-names.ts";
import { oneLine } from "../core/text.ts";
import type { Claim, ClaimStep } from "../schema/claim.ts";
import { type Layout, LOCAL_SPACE, spaceFolder, VERSION_FILE } from "./layout.ts";
import { parseEvent } from "./ledger-line.ts";
import { problemOfPath } from "./path-rules.ts";

/**
 * Why a claim must not be carried out, or undefined. A claim is a file and so is input (P9): it may touch its own
 * space, the version manifests of its own name, the journal and the ledger, nothing else.
 */
export function problemOfClaim(layout: Layout, claim: Claim): string | undefined {
  const token = posix.basename(claim.token) === claim.token && isTempName(claim.token);
  if (!token) return `its token ${JSON.stringify(claim.token)} is no temporary file`;
  for (const step of claim.steps) {
    const problem = problemOfStep(layout, claim, step);
    if (problem !== undefined) return `its step ${step.do} ${problem}`;
  }
  return undefined;
}

function problemOfStep(layout: Layout, claim: Claim, step: ClaimStep): string | undefined {
  switch (step.do) {
    case "replace": {
      const beside =
        posix.dirname(step.temp) === posix.dirname(step.target) && isTempName(posix.basename(step.temp));
      return beside
        ? problemOfTarget(claim.fingerprint, step.target)
        : "has no temporary file beside its target";
    }
    case "move":
      return problemOfTarget(claim.fingerprint, step.from) ?? problemOfTarget(claim.fingerprint, step.to);
    case "version": {
      const folder = `${layout.relative(layout.versionFolder(claim.fingerprint, claim.name))}/`;
      const fits = step.manifest.startsWith(folder) && VERSION_FILE.test(step.manifest.slice(folder.length));
      return fits ? problemOfPath(step.manifest) : "names a manifest of another skill";
    }
    case "journal":
      return isOneLine(step.line) ? undefined : "is more than one clean line";
    case "event": {
      const parsed = parseEvent(step.json);
      return "event" in parsed ? undefined : `holds no event: ${parsed.problem}`;
    }
  }
}

/** One line without control or bidirectional characters; columns may be padded (D1). */
export function isOneLine(line: string): boolean {
  return line.replace(/ {2,}/g, " ").trim() === oneLine(line);
}

/** Why a change of that space must not touch `path` (relative to the home), or undefined. */
export function problemOfTarget(fingerprint: string, path: string): string | undefined {
  const problem = problemOfPath(path);
  if (problem !== undefined) return problem;
  if (fingerprint === LOCAL_SPACE)
    return path === "local/mounts.json" ? undefined : "is not a file of this machine that changes";
  const [space, kind] = path.split("/");
  if (space !== spaceFolder(fingerprint) || kind === undefined)
    return `is outside the space ${spaceFolder(fingerprint)}`;
  return undefined;
}
