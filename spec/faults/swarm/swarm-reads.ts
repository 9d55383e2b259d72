import { existsSync, readFileSync } from "node:fs";
import { isCanonryError } from "../../../lib/core/errors.ts";
import { type Library, openLibrary } from "../../../lib/library.ts";
import type { Dice } from "./dice.ts";
import type { HistoryWriter } from "./history-file.ts";
import { canonPath, quarantinePath } from "./swarm-writes.ts";
import { problemOfBody, problemOfText, SPACE } from "./whole-text.ts";

/** What a reader of the swarm works with; the library is opened at the first question. */
export interface Shelf {
  readonly home: string;
  readonly history: HistoryWriter;
  readonly dice: Dice;
  readonly names: readonly string[];
  library?: Library;
}

/** Under changes a skill may be gone, hidden or being moved between the look and the read. */
const MOVING = ["CANONRY_SKILL_NOT_FOUND", "CANONRY_SKILL_HIDDEN", "CANONRY_SKILL_AMBIGUOUS"] as const;

/** Every file as any program reads it: whole, or not there (P2). */
export function readRaw(shelf: Shelf): void {
  let whole = 0;
  for (const path of shelf.names.flatMap((name) => [canonPath(name), quarantinePath(name)])) {
    const text = textOf(`${shelf.home}/${path}`);
    if (text === undefined) continue;
    const problem = problemOfText(text);
    if (problem === undefined) whole++;
    else shelf.history.saw(`torn read of ${path}: ${problem}`);
  }
  shelf.history.read("raw", whole);
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return existsSync(path) ? textOf(path) : undefined;
  }
}

export async function askLibrary(shelf: Shelf): Promise<void> {
  shelf.library ??= await openLibrary({ home: shelf.home, fingerprint: SPACE, create: false });
  const { library } = shelf;
  const name = shelf.dice.pick(shelf.names);
  const kind = shelf.dice.pick(["search", "search", "read", "read", "read", "stub", "list", "reindex"]);
  try {
    if (kind === "search") await searchAndRead(shelf, library, name);
    else if (kind === "read") await readWhole(shelf, library, name);
    else if (kind === "stub") await library.stub();
    else if (kind === "list") await library.list();
    else await library.reindex();
    shelf.history.read(kind);
  } catch (error) {
    if (isCanonryError(error, ...MOVING)) shelf.history.read(`${kind}: moving`);
    else
      shelf.history.saw(`${kind} of ${name} failed: ${error instanceof Error ? error.stack : String(error)}`);
  }
}

async function searchAndRead(shelf: Shelf, library: Library, name: string): Promise<void> {
  const { hits } = await library.search(`${name} harness`);
  const hit = hits[0];
  if (hit !== undefined) await readWhole(shelf, library, hit.name);
}

async function readWhole(shelf: Shelf, library: Library, name: string): Promise<void> {
  const { body } = await library.read(name);
  const problem = problemOfBody(body);
  if (problem !== undefined) shelf.history.saw(`torn read of ${name} through the library: ${problem}`);
}
