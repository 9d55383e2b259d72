import { cpSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Runs `work` with a fresh folder that is gone afterwards. Not for specs only: the long form is a plain process. */
export async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "canonry-faults-")));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** A copy that stays, for whoever wants to know why something was found. */
export function keepCopy(folder: string): string {
  const kept = mkdtempSync(join(tmpdir(), "canonry-found-"));
  cpSync(folder, kept, { recursive: true, preserveTimestamps: true });
  return kept;
}
