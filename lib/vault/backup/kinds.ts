import { LIMITS } from "../../core/limits.ts";
import { isTempName } from "../../core/temp-names.ts";
import { fingerprintOf, LEDGER_FILE } from "../layout.ts";
import { problemOfPath } from "../path-rules.ts";

/**
 * What a file of a home is to a backup. `lines` are the append-only files; `skill` is `<folder>/<name>.md` of canon,
 * quarantine or archive, `beside` a file of its folder; `candidate` any note of an agent, waiting, consumed or dropped.
 */
export type Kind =
  | "object"
  | "version"
  | "ledger"
  | "lines"
  | "journal"
  | "candidate"
  | "other"
  | "skill"
  | "beside"
  | "settings";

export interface Classed {
  /** "" for the home's own tree, `tenants/<t>/` for a tenant's (design 2: the same tree again). */
  readonly root: string;
  /** Below that root. */
  readonly path: string;
  readonly kind: Kind;
  /** Of a space; with `name` for skills and what stands beside them. */
  readonly fingerprint?: string;
  readonly name?: string;
}

/** Append-only files: whole lines of them count. */
export function isLines(kind: Kind): boolean {
  return kind === "ledger" || kind === "lines" || kind === "journal";
}

/** What one file may have, going in and coming out. */
export function maxBytesOf(kind: Kind): number {
  return isLines(kind) ? LIMITS.backupLinesBytes : LIMITS.skillFolderBytes;
}

/** The first entry of an archive says what the others are; they stand in a folder, which unpacked is a home. */
export const MANIFEST_ENTRY = "canonry-backup.json";
export const ENTRY_FOLDER = "canonry-backup/";

export const SKILL_FOLDERS: readonly string[] = Object.freeze(["canon", "quarantine", "archive"]);
export const QUEUE_FOLDERS: readonly string[] = Object.freeze(["candidates", "processed", "dropped"]);

/** Why no backup holds this path and none may bring it, or undefined: it leaves the home, or is of this machine alone. */
export function problemOfEntry(path: string): string | undefined {
  return problemOfPath(path) ?? whyNotOfHome(path);
}

/** Why a path is none of what a backup is for, or undefined. */
export function whyNotOfHome(path: string): string | undefined {
  const parts = path.split("/").map(folded);
  const [first = ""] = parts[0] === "tenants" ? parts.slice(2) : parts;
  if (first === "local") return "is of one machine alone";
  if (first.startsWith("index")) return "is an index, which is built anew";
  if (parts.some((part) => part === ".git" || /^git~\d+$/.test(part))) return "is git's own";
  if (path.split("/").some(isTempName)) return "is a temporary file";
  return undefined;
}

/** As file systems compare names that tell neither case nor composed letters nor invisible characters apart. */
function folded(part: string): string {
  return part
    .normalize("NFKC")
    .replace(/\p{Cf}/gu, "")
    .toLowerCase();
}

/** A path that `problemOfEntry` has nothing against. */
export function classify(path: string): Classed {
  const parts = path.split("/");
  if (parts[0] === "tenants" && parts.length > 2)
    return { ...classify(parts.slice(2).join("/")), root: `${parts[0]}/${parts[1]}/` };
  const at = { root: "", path };
  if (path === "LIBRARIAN.md") return { ...at, kind: "journal" };
  if (path === "settings.json") return { ...at, kind: "settings" };
  if (parts[0] === "ledger" && parts.length === 2 && LEDGER_FILE.test(parts[1] ?? ""))
    return { ...at, kind: "ledger" };
  if (path.startsWith("versions/objects/")) return { ...at, kind: "object" };
  if (path.startsWith("versions/")) return { ...at, kind: "version" };
  return classifyInSpace(at, parts) ?? { ...at, kind: path.endsWith(".ndjson") ? "lines" : "other" };
}

function classifyInSpace(at: { root: string; path: string }, parts: string[]): Classed | undefined {
  const [space = "", folder = "", entry = "", ...rest] = parts;
  const fingerprint = fingerprintOf(space);
  if (fingerprint === undefined || entry === "") return undefined;
  if (QUEUE_FOLDERS.includes(folder)) return { ...at, kind: "candidate", fingerprint };
  if (!SKILL_FOLDERS.includes(folder)) return { ...at, kind: "other", fingerprint };
  const main = rest.length === 0 && entry.endsWith(".md");
  const name = main ? entry.slice(0, -".md".length) : entry;
  return { ...at, kind: main ? "skill" : "beside", fingerprint, name };
}
