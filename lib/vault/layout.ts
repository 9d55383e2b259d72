import { join, relative, sep } from "node:path";
import { CanonryError } from "../core/errors.ts";
import { isFingerprint, UNIVERSAL } from "../core/fingerprint.ts";

/** The folder of fingerprint "*". */
export const UNIVERSAL_FOLDER = "universal";
/** Stands where a fingerprint would for claims on files of this machine (`mounts.json`); no skill is there. */
export const LOCAL_SPACE = "local";

/** `<machine>-<yyyy-mm>.ndjson`: no other file of the ledger folder counts. */
export const LEDGER_FILE = /^[A-Za-z0-9_-]{1,100}-\d{4}-\d{2}\.ndjson$/;
/** A version's manifest: its number and the beginning of its hash. */
export const VERSION_FILE = /^(\d+)-([0-9a-f]{8})\.json$/;

/** Every path of a vault (design 2), absolute, made from the home alone: nothing here looks at the disk. */
export interface Layout {
  readonly home: string;
  readonly journal: string;
  readonly settings: string;
  readonly ignore: string;
  readonly attributes: string;
  readonly versions: string;
  readonly objects: string;
  readonly ledger: string;
  readonly gate: string;
  readonly tenants: string;
  readonly local: string;
  readonly vaultFile: string;
  readonly machineFile: string;
  readonly mounts: string;
  /** Claims, one folder a space (design 5). */
  readonly commits: string;
  readonly slots: string;
  /** Inodes that a commit has taken out of the way and not yet filed. */
  readonly kept: string;
  /** Temporary files that are no part of a claim, and tokens of claims that lost. */
  readonly temps: string;
  /** Who waits to change which skill: advice, no safety. */
  readonly turns: string;
  /** Its time says when leftover temporary files were last looked for. */
  readonly swept: string;
  space(fingerprint: string): string;
  canon(fingerprint: string): string;
  canonFile(fingerprint: string, name: string): string;
  /** The files beside a canon skill. */
  skillFolder(fingerprint: string, name: string): string;
  quarantine(fingerprint: string): string;
  archive(fingerprint: string): string;
  candidates(fingerprint: string): string;
  /** `date` is YYYY-MM-DD. */
  processed(fingerprint: string, date: string): string;
  dropped(fingerprint: string, date: string): string;
  proposals(fingerprint: string): string;
  versionFolder(fingerprint: string, name: string): string;
  versionFile(fingerprint: string, name: string, version: number, bytesHash: string): string;
  object(bytesHash: string): string;
  /** `month` is YYYY-MM. */
  ledgerFile(machine: string, month: string): string;
  commit(fingerprint: string): string;
  claim(fingerprint: string, name: string, seq: number): string;
  /** The index file of a driver: `index.sqlite` for `sqljs`, `index.<driver>` for another. */
  index(driver: string): string;
  /** A path below the home as claims and results spell it: relative, forward slashes. */
  relative(path: string): string;
  /** The reverse; the caller has checked the path. */
  absolute(path: string): string;
}

/** Folder name of a space; throws `CANONRY_USAGE` on anything but twelve hex digits or "*". */
export function spaceFolder(fingerprint: string): string {
  if (fingerprint === UNIVERSAL) return UNIVERSAL_FOLDER;
  if (isFingerprint(fingerprint) || fingerprint === LOCAL_SPACE) return fingerprint;
  throw new CanonryError(
    "CANONRY_USAGE",
    `${JSON.stringify(fingerprint)} is not a fingerprint. Allowed: 12 hex digits, or "*" for skills that hold everywhere.`,
    { data: { received: fingerprint } },
  );
}

/** The fingerprint that a folder of the home stands for, or undefined if it is no space. */
export function fingerprintOf(folder: string): string | undefined {
  if (folder === UNIVERSAL_FOLDER) return UNIVERSAL;
  return isFingerprint(folder) ? folder : undefined;
}

export function createLayout(home: string): Layout {
  const at = (...parts: string[]) => join(home, ...parts);
  const inSpace =
    (...parts: string[]) =>
    (fingerprint: string) =>
      at(spaceFolder(fingerprint), ...parts);
  const dated = (kind: string) => (fingerprint: string, date: string) =>
    at(spaceFolder(fingerprint), kind, date);
  const named = (fingerprint: string, name: string) => at("versions", spaceFolder(fingerprint), name);
  return Object.freeze({
    home,
    journal: at("LIBRARIAN.md"),
    settings: at("settings.json"),
    ignore: at(".gitignore"),
    attributes: at(".gitattributes"),
    versions: at("versions"),
    objects: at("versions", "objects"),
    ledger: at("ledger"),
    gate: at("gate"),
    tenants: at("tenants"),
    local: at("local"),
    vaultFile: at("local", "vault.json"),
    machineFile: at("local", "machine.json"),
    mounts: at("local", "mounts.json"),
    commits: at("local", "commit"),
    slots: at("local", "slots"),
    kept: at("local", "kept"),
    temps: at("local", "temp"),
    turns: at("local", "turns"),
    swept: at("local", "swept"),
    space: inSpace(),
    canon: inSpace("canon"),
    canonFile: (fingerprint: string, name: string) => at(spaceFolder(fingerprint), "canon", `${name}.md`),
    skillFolder: (fingerprint: string, name: string) => at(spaceFolder(fingerprint), "canon", name),
    quarantine: inSpace("quarantine"),
    archive: inSpace("archive"),
    candidates: inSpace("candidates"),
    processed: dated("processed"),
    dropped: dated("dropped"),
    proposals: inSpace("proposals"),
    versionFolder: named,
    versionFile: (fingerprint: string, name: string, version: number, bytesHash: string) =>
      join(named(fingerprint, name), `${version}-${bytesHash.slice(0, 8)}.json`),
    object: (bytesHash: string) => at("versions", "objects", bytesHash.slice(0, 2), bytesHash),
    ledgerFile: (machine: string, month: string) => at("ledger", `${machine}-${month}.ndjson`),
    commit: (fingerprint: string) => at("local", "commit", spaceFolder(fingerprint)),
    claim: (fingerprint: string, name: string, seq: number) =>
      at("local", "commit", spaceFolder(fingerprint), `${name}.${seq}`),
    index: (driver: string) => at(driver === "sqljs" ? "index.sqlite" : `index.${driver}`),
    relative: (path: string) => relative(home, path).split(sep).join("/"),
    absolute: (path: string) => at(...path.split("/")),
  });
}
