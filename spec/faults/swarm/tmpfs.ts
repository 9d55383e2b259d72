import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Why no small file system of one's own can be mounted here, or undefined. */
export function noMounts(): string | undefined {
  if (process.platform !== "linux") return "tmpfs is Linux's";
  if (process.getuid?.() !== 0) return "only root may mount a tmpfs";
  const folder = mkdtempSync(join(tmpdir(), "canonry-faults-"));
  try {
    const tried = mount("-t", "tmpfs", "-o", "size=64k", "tmpfs", folder);
    if (tried === undefined) unmount(folder);
    return tried;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Runs `work` in a file system of that many bytes; it is unmounted afterwards, whatever happens. */
export async function withTmpfs<T>(bytes: number, work: (folder: string) => Promise<T>): Promise<T> {
  const parent = mkdtempSync(join(tmpdir(), "canonry-faults-"));
  const folder = join(parent, "small");
  mkdirSync(folder);
  try {
    return await withTmpfsAt(folder, bytes, () => work(folder));
  } finally {
    rmSync(parent, { recursive: true });
  }
}

/** The same over a folder that is there: what it holds is hidden meanwhile. */
export async function withTmpfsAt<T>(folder: string, bytes: number, work: () => Promise<T>): Promise<T> {
  const problem = mount("-t", "tmpfs", "-o", `size=${bytes},mode=755`, "tmpfs", folder);
  if (problem !== undefined) throw new Error(problem);
  try {
    return await work();
  } finally {
    unmount(folder);
  }
}

export function remount(folder: string, how: "ro" | "rw"): void {
  const problem = mount("-o", `remount,${how}`, folder);
  if (problem !== undefined) throw new Error(problem);
}

/** What went wrong, or undefined. */
function mount(...args: string[]): string | undefined {
  const { status, stderr, error } = spawnSync("mount", args, { encoding: "utf8" });
  if (status === 0) return undefined;
  return `mount ${args.join(" ")}: ${error?.message ?? stderr.trim()}`;
}

/** A process that is about to end may still hold it: then it goes when that process does. */
function unmount(folder: string): void {
  if (spawnSync("umount", [folder]).status !== 0) spawnSync("umount", ["-l", folder]);
}
