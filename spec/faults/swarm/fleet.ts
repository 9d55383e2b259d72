import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

/** One place in a run: a process, and after it was killed the next one. */
export interface Berth {
  readonly slot: number;
  readonly generation: number;
  /** What it writes down in. */
  readonly history: string;
  readonly child: ChildProcess;
  /** Resolves to what is wrong with how it ended, or undefined. */
  readonly ended: Promise<string | undefined>;
  stopped: boolean;
}

/** Starts a compiled script beside this one with one JSON argument; `inside` is a command that runs it. */
export function startScript(
  script: string,
  job: unknown,
  user: { readonly uid?: number; readonly gid?: number } = {},
  inside: readonly string[] = [],
): ChildProcess {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const [command = process.execPath, ...args] = [...inside, process.execPath, path, JSON.stringify(job)];
  return spawn(command, args, { stdio: ["ignore", "pipe", "pipe"], ...user });
}

/** Resolves once it is over: with what it printed, or with why it counts as failed. A kill is no failure. */
export function endOf(child: ChildProcess): Promise<{ out: string; problem?: string }> {
  return new Promise((resolve) => {
    let out = "";
    let errors = "";
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      out += text;
    });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      errors = (errors + text).slice(-4_000);
    });
    child.on("error", (error) => resolve({ out, problem: String(error) }));
    child.on("close", (code, signal) => {
      if (code === 0 || signal === "SIGKILL") resolve({ out });
      else resolve({ out, problem: `it ended with ${code ?? signal}: ${errors.trim()}` });
    });
  });
}
