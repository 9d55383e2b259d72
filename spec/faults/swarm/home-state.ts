import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { sha256 } from "../../../lib/core/hash.ts";
import { leftoversOf, namesOf } from "../leftovers.ts";
import { problemOfText, SPACE } from "./whole-text.ts";

/** What stands in a home after a run, as any program would see it: read without the code under test. */
export interface HomeState {
  readonly files: readonly StandingFile[];
  readonly manifests: readonly Manifest[];
  /** Hashes of the objects whose bytes are right. */
  readonly objects: ReadonlySet<string>;
  /** Paths of objects with other bytes, and of manifests that cannot be read. */
  readonly damaged: readonly string[];
  readonly events: readonly { readonly id: string; readonly token: string }[];
  /** Lines of ledger and journal that are no whole line. */
  readonly torn: readonly string[];
  readonly journal: readonly string[];
  /** Paths below the home that must be gone after an open. */
  readonly leftovers: readonly string[];
}

export interface StandingFile {
  readonly name: string;
  readonly place: "canon" | "quarantine";
  readonly hash: string;
  readonly problem?: string;
}

export interface Manifest {
  readonly name: string;
  readonly version: number;
  readonly parent: string | null;
  readonly bytesHash: string;
  readonly runId: string;
}

export function readHomeState(home: string): HomeState {
  const torn: string[] = [];
  const damaged: string[] = [];
  return {
    files: [...standing(home, "canon"), ...standing(home, "quarantine")],
    manifests: manifestsOf(home, damaged),
    objects: objectsOf(home, damaged),
    damaged,
    events: eventsOf(home, torn),
    torn,
    journal: linesOf(join(home, "LIBRARIAN.md")),
    leftovers: leftoversOf(home),
  };
}

function standing(home: string, place: StandingFile["place"]): StandingFile[] {
  const folder = join(home, SPACE, place);
  return namesOf(folder)
    .filter((name) => name.endsWith(".md") && !name.startsWith("."))
    .map((file) => {
      const bytes = readFileSync(join(folder, file));
      const problem = problemOfText(bytes.toString("utf8"));
      const found = { name: basename(file, ".md"), place, hash: sha256(bytes) };
      return problem === undefined ? found : { ...found, problem };
    });
}

function manifestsOf(home: string, damaged: string[]): Manifest[] {
  const root = join(home, "versions", SPACE);
  return namesOf(root).flatMap((name) =>
    namesOf(join(root, name))
      .filter((file) => file.endsWith(".json"))
      .flatMap((file) => {
        try {
          const read = JSON.parse(readFileSync(join(root, name, file), "utf8")) as Omit<Manifest, "name">;
          const { version, parent, bytesHash, runId } = read;
          return [{ name, version, parent, bytesHash, runId }];
        } catch {
          damaged.push(join("versions", SPACE, name, file));
          return [];
        }
      }),
  );
}

function objectsOf(home: string, damaged: string[]): Set<string> {
  const root = join(home, "versions", "objects");
  const objects = new Set<string>();
  for (const folder of namesOf(root))
    for (const hash of namesOf(join(root, folder))) {
      if (hash.startsWith(".")) continue;
      const right = sha256(readFileSync(join(root, folder, hash))) === hash && hash.startsWith(folder);
      if (right) objects.add(hash);
      else damaged.push(join("versions", "objects", folder, hash));
    }
  return objects;
}

function eventsOf(home: string, torn: string[]): { id: string; token: string }[] {
  const events: { id: string; token: string }[] = [];
  for (const name of namesOf(join(home, "ledger")))
    for (const line of linesOf(join(home, "ledger", name))) {
      try {
        const { id, run_id } = JSON.parse(line) as { id: string; run_id: string };
        events.push({ id, token: run_id });
      } catch {
        torn.push(`ledger/${name}: ${line.slice(0, 100)}`);
      }
    }
  return events;
}

function linesOf(path: string): string[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "");
}
