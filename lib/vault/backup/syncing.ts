import { open } from "node:fs/promises";
import { diskError } from "../../core/errors.ts";
import { throwIfAborted } from "../../core/pacer.ts";

/** A disk confirms many files together nearly as fast as one; more at a time than Node has threads wins nothing. */
const AT_ONCE = 8;

/** Brings files to the disk, many at a time. Throws `CANONRY_DISK`, and `CANONRY_ABORTED` once the signal fires. */
export async function syncFiles(
  paths: readonly string[],
  signal: AbortSignal | undefined,
  done: (files: number) => void = () => {},
): Promise<void> {
  const waiting = paths.values();
  let count = 0;
  const work = async () => {
    for (const path of waiting) {
      throwIfAborted(signal);
      await syncFile(path);
      done(++count);
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: AT_ONCE }, work));
  for (const one of ended) if (one.status === "rejected") throw one.reason;
}

/** Opened for writing, since Windows syncs no other files. */
async function syncFile(path: string): Promise<void> {
  try {
    const file = await open(path, "r+");
    try {
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    throw diskError("sync", path, error);
  }
}
