/**
 * A library in a process of its own. `hook` stops it at one system call of a flush: it dies there, or waits for a
 * file, so that a spec can look at the index between any two steps. Prints what it found as JSON.
 */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { type Library, openLibrary } from "../../lib/library.ts";

export interface FlushHook {
  readonly call: "openSync" | "linkSync" | "renameSync" | "unlinkSync";
  /** A regular expression that one of the call's paths matches. */
  readonly path: string;
  readonly when: "before" | "after";
  readonly act: "die" | "wait";
  /** The file that ends the waiting, and the one that says that it began. */
  readonly until?: string;
  readonly reached?: string;
}

export interface LibraryJob {
  readonly home: string;
  readonly fingerprint: string;
  /** Done in this order with one library; each prints a line. Waiting ends when the file is there. */
  readonly steps: readonly (
    | { readonly do: "search"; readonly text: string }
    | { readonly do: "read"; readonly text: string }
    | { readonly do: "wait"; readonly text: string }
    | { readonly do: "reindex" | "close" }
  )[];
  readonly hook?: FlushHook;
}

/** What it prints at the end. */
export interface LibraryOutcome {
  /** Names that each search found, in order. */
  readonly found: readonly (readonly string[])[];
  readonly warnings: readonly string[];
}

const job = JSON.parse(process.argv[2] ?? "{}") as LibraryJob;
if (job.hook !== undefined) arm(job.hook);
const warnings: string[] = [];
const found: string[][] = [];
const library = await openLibrary({
  home: job.home,
  fingerprint: job.fingerprint,
  log: { warn: (line) => void warnings.push(line), note() {} },
});
for (const step of job.steps) await take(library, step);
await library.close();
process.stdout.write(JSON.stringify({ found, warnings }));

async function take(one: Library, step: LibraryJob["steps"][number]): Promise<void> {
  switch (step.do) {
    case "search":
      found.push((await one.search(step.text)).hits.map((hit) => hit.name));
      return;
    case "read":
      await one.read(step.text);
      return;
    case "wait":
      waitFor(step.text);
      return;
    case "reindex":
      await one.reindex();
      return;
    case "close":
      await one.close();
  }
}

function waitFor(path: string): void {
  while (!fs.existsSync(path)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
}

function arm(hook: FlushHook): void {
  const pattern = new RegExp(hook.path);
  const original = fs[hook.call] as (...args: unknown[]) => unknown;
  let spent = false;
  const stop = (args: unknown[]) => {
    if (spent || !args.some((arg) => typeof arg === "string" && pattern.test(arg))) return;
    spent = true;
    if (hook.act === "die") process.kill(process.pid, "SIGKILL");
    if (hook.reached !== undefined) fs.writeFileSync(hook.reached, "");
    if (hook.until !== undefined) waitFor(hook.until);
  };
  const hooked = (...args: unknown[]) => {
    if (hook.when === "before") stop(args);
    const result = original(...args);
    if (hook.when === "after") stop(args);
    return result;
  };
  Object.assign(fs, { [hook.call]: hooked });
  syncBuiltinESMExports();
}
