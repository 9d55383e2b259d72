import { readFileSync } from "node:fs";
import { appendOnce } from "../core/append.ts";
import { createExclusive } from "../core/atomic.ts";
import { diskError, errnoOf } from "../core/errors.ts";
import { lookAt } from "../core/look.ts";
import { pauseMs } from "../core/pause.ts";

/** How long the process that made the marker is given for its one write. */
const TURN_MS = 1_000;

/**
 * Adds `line` to the journal once, however many processes finish the claim: a line ends with the claim's own mark, so
 * it is recognised, and who makes `marker` writes it. If that process is killed in between, the next one finds the
 * marker without the line and, after a second at most, writes it: a line is never lost, and doubled only if a process
 * was paused for longer than that between two of its instructions.
 */
export function appendJournal(journal: string, line: string, marker: string): void {
  if (holdsLine(journal, line)) return;
  if (!createExclusive(marker, Buffer.alloc(0)) && appears(journal, line, marker)) return;
  const text = readText(journal);
  const gap = text === "" || text.endsWith("\n") ? "" : "\n";
  appendOnce(journal, Buffer.from(`${gap}${line}\n`), { sync: true });
}

function appears(journal: string, line: string, marker: string): boolean {
  for (let waited = 0; waited <= TURN_MS; waited += 20) {
    if (holdsLine(journal, line)) return true;
    if (Date.now() - (lookAt(marker)?.mtimeMs ?? 0) > TURN_MS) return false;
    pauseMs(20);
  }
  return holdsLine(journal, line);
}

function holdsLine(journal: string, line: string): boolean {
  return readText(journal).split("\n").includes(line);
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return "";
    throw diskError("read", path, error);
  }
}
