import { existsSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createContext } from "../../../lib/core/context.ts";
import { sha256 } from "../../../lib/core/hash.ts";
import { isTempName } from "../../../lib/core/temp-names.ts";
import { openVault } from "../../../lib/vault/vault.ts";

/** Long enough for every leftover to be old, short enough for nothing else to happen. */
export const AN_HOUR_MS = 3_600_000;

export interface Opened {
  readonly warnings: readonly string[];
  /** Why it could not be opened. */
  readonly problem?: string;
}

/** Opens and closes the home twice, an hour from now: what killed processes left is finished and swept. */
export function openTwice(home: string, options: { create?: boolean } = {}): Opened {
  const warnings: string[] = [];
  const log = { warn: (line: string) => void warnings.push(line), note() {} };
  const context = createContext({ log, clock: () => Date.now() + AN_HOUR_MS });
  try {
    for (let times = 0; times < 2; times++) openVault({ home, context, ...options }).close();
    return { warnings };
  } catch (error) {
    return { warnings, problem: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

/** What a raw reader sees at a path of the home: the text, or null where there is none. */
export function textAt(home: string, path: string): string | null {
  return existsSync(join(home, path)) ? readFileSync(join(home, path), "utf8") : null;
}

/** Every file below the home, relative, sorted. */
export function filesOf(home: string): string[] {
  if (!existsSync(home)) return [];
  return readdirSync(home, { recursive: true, encoding: "utf8" })
    .filter((path) => !lstatSync(join(home, path)).isDirectory())
    .sort();
}

/** Objects whose bytes are not what their name says. */
export function damagedObjects(home: string): string[] {
  const folder = join(home, "versions", "objects");
  return filesOf(folder).filter((path) => {
    const name = path.slice(path.lastIndexOf("/") + 1);
    return !isTempName(name) && sha256(readFileSync(join(folder, path))) !== name;
  });
}

/** Whether the text is kept under its hash, whole. */
export function hasObject(home: string, text: string): boolean {
  const hash = sha256(text);
  return textAt(home, `versions/objects/${hash.slice(0, 2)}/${hash}`) === text;
}

/** Where the text is: in one of these files, kept as an object, or nowhere. */
export function whereIs(home: string, text: string, paths: readonly string[]): string | undefined {
  const path = paths.find((one) => textAt(home, one) === text);
  if (path !== undefined) return path;
  if (hasObject(home, text)) return "versions/objects";
  return filesOf(join(home, "local", "kept")).some((one) => textAt(home, `local/kept/${one}`) === text)
    ? "local/kept"
    : undefined;
}

export interface ExpectedVersion {
  /** The folder of the space: twelve hex digits, or `universal`. */
  readonly space: string;
  readonly name: string;
  readonly version: number;
  readonly text: string;
}

/** Why a version is not kept as it should be; undefined if it is. */
export function problemOfVersion(home: string, one: ExpectedVersion): string | undefined {
  if (!hasObject(home, one.text)) return `the object of ${one.name} version ${one.version} is missing`;
  const hash = sha256(one.text);
  const path = `versions/${one.space}/${one.name}/${one.version}-${hash.slice(0, 8)}.json`;
  const json = textAt(home, path);
  if (json === null) return `${path} is missing`;
  try {
    const manifest = JSON.parse(json) as { version: number; bytesHash: string };
    return manifest.version === one.version && manifest.bytesHash === hash
      ? undefined
      : `${path} says another version`;
  } catch {
    return `${path} is torn`;
  }
}

/** How many lines of the journal hold that piece. */
export function journalLines(home: string, piece: string): number {
  return (textAt(home, "LIBRARIAN.md") ?? "").split("\n").filter((line) => line.includes(piece)).length;
}

/** The ids of the ledger's events that a run recorded, as often as they stand there; and lines that are none. */
export function ledgerOf(home: string, runId: string): { ids: string[]; bad: string[] } {
  const ids: string[] = [];
  const bad: string[] = [];
  for (const file of filesOf(join(home, "ledger")))
    for (const line of (textAt(home, `ledger/${file}`) ?? "").split("\n")) {
      if (line.trim() === "") continue;
      try {
        const event = JSON.parse(line) as { id: string; run_id: string };
        if (event.run_id === runId) ids.push(event.id);
      } catch {
        bad.push(line.slice(0, 80));
      }
    }
  return { ids, bad };
}
