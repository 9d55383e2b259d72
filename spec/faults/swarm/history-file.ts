import { closeSync, openSync, readdirSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";

export type Operation = "create" | "patch" | "update" | "quarantine" | "restore" | "append";

/** Written before something is tried. */
export interface Attempt {
  readonly id: string;
  readonly op: Operation;
  /** Of the skill, or "" for a ledger event. */
  readonly name: string;
  /** bytesHash that the change is made from, and the one after it; null for no file. */
  readonly base: string | null;
  readonly next: string | null;
  /** Stands in the text, the event and the journal line of this attempt, and nowhere else. */
  readonly token: string;
}

/** The code of a round of an update that came too late and was made anew: no text that anybody misses. */
export const SUPERSEDED = "superseded";

/** Written once it came back; an attempt without one was killed, or is not over. */
export interface Outcome {
  readonly ok: boolean;
  readonly seq?: number | null;
  /** False where the file held these bytes already. */
  readonly changed?: boolean;
  /** Id of an appended event. */
  readonly event?: string;
  /** Code of the error, or its text where it was none of ours. */
  readonly code?: string;
  readonly keptAt?: string | null;
  readonly keptEdit?: string;
  readonly ms?: number;
}

export interface Tried extends Attempt {
  /** The file that it was read from. */
  readonly by?: string;
  readonly outcome?: Outcome;
}

export interface History {
  readonly tried: readonly Tried[];
  /** What an actor saw and must not be. */
  readonly seen: readonly string[];
  /** How often something was read, by kind of reading. */
  readonly reads: Readonly<Record<string, number>>;
}

/** One process writes one file, a line at a time: only processes die, so nothing is synced. */
export interface HistoryWriter {
  /** Whether something is being tried at this moment. */
  readonly midway: boolean;
  attempt(attempt: Attempt): void;
  outcome(id: string, outcome: Outcome): void;
  saw(finding: string): void;
  read(kind: string, times?: number): void;
  close(): void;
}

type Line =
  | { readonly attempt: Attempt }
  | { readonly of: string; readonly outcome: Outcome }
  | { readonly saw: string }
  | { readonly read: string; readonly times: number };

export function openHistory(path: string): HistoryWriter {
  const fd = openSync(path, "a");
  const write = (line: Line) => void writeSync(fd, `${JSON.stringify(line)}\n`);
  let midway = false;
  return {
    get midway() {
      return midway;
    },
    attempt: (attempt) => {
      write({ attempt });
      midway = true;
    },
    outcome: (of, outcome) => {
      midway = false;
      write({ of, outcome });
    },
    saw: (saw) => write({ saw }),
    read: (read, times = 1) => write({ read, times }),
    close: () => closeSync(fd),
  };
}

/** All files of a folder together; a last line without its end is of a process that was killed there. */
export function readHistories(folder: string): History {
  const tried = new Map<string, Tried>();
  const seen: string[] = [];
  const reads: Record<string, number> = {};
  for (const name of readdirSync(folder)
    .sort()
    .filter((file) => file.endsWith(".ndjson"))) {
    const lines = readFileSync(join(folder, name), "utf8").split("\n").slice(0, -1);
    for (const line of lines) {
      const one = JSON.parse(line) as Line;
      if ("attempt" in one) tried.set(one.attempt.id, { ...one.attempt, by: name });
      else if ("of" in one) take(tried, one.of, one.outcome);
      else if ("saw" in one) seen.push(`${name}: ${one.saw}`);
      else reads[one.read] = (reads[one.read] ?? 0) + one.times;
    }
  }
  return { tried: [...tried.values()], seen, reads };
}

function take(tried: Map<string, Tried>, id: string, outcome: Outcome): void {
  const attempt = tried.get(id);
  if (attempt === undefined) throw new Error(`an outcome of ${id}, which was never tried`);
  tried.set(id, { ...attempt, outcome });
}
