import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Context, createContext } from "../../lib/core/context.ts";
import { sha256 } from "../../lib/core/hash.ts";
import type { PutChange } from "../../lib/vault/change.ts";
import { openVault, type Vault } from "../../lib/vault/vault.ts";
import { temporaryFolder } from "../support/home.ts";
import type { Job } from "./child.ts";

export const TARGET = "universal/canon/retry-flaky-test.md";

/** A fresh home, opened, with what was logged. */
export function openStage(parts: Partial<Context> = {}): { home: string; vault: Vault; warnings: string[] } {
  const home = join(temporaryFolder(), "home");
  const warnings: string[] = [];
  const log = { warn: (line: string) => void warnings.push(line), note() {} };
  return {
    home,
    warnings,
    vault: openVault({ home, create: true, context: createContext({ log, ...parts }) }),
  };
}

/** A change of the one skill of these specs; `base` is the text that it was made from. */
export function put(
  content: string,
  base: string | null,
  version: number,
  more: Partial<PutChange> = {},
): PutChange {
  return {
    kind: "put",
    fingerprint: "*",
    name: "retry-flaky-test",
    target: TARGET,
    content,
    base: base === null ? null : sha256(base),
    by: "librarian",
    runId: "run-1",
    version,
    verdict: "verdict-1",
    ...more,
  };
}

export interface Outcome {
  /** Undefined for a process that was killed. */
  readonly result?: { readonly changed: boolean; readonly finished: boolean; readonly keptEdit?: string };
  readonly warnings?: readonly string[];
  readonly code?: string;
  readonly data?: {
    readonly expected: string | null;
    readonly found: string | null;
    readonly keptAt: string | null;
  };
}

/** The compiled program of such a process; who runs as another user must be able to read it. */
export const CHILD = fileURLToPath(new URL("./child.js", import.meta.url));

/** Runs a job in a process of its own. */
export function runChild(job: Job, as: { uid?: number; gid?: number } = {}): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [CHILD, JSON.stringify(job)], {
      stdio: ["ignore", "pipe", "inherit"],
      ...as,
    });
    let out = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      out += text;
    });
    child.on("error", reject);
    child.on("close", (code, signal) => {
      if (signal === "SIGKILL") resolve({});
      else if (code === 0) resolve(JSON.parse(out) as Outcome);
      else reject(new Error(`the child ended with ${code ?? signal}`));
    });
  });
}

/** A child that stops at a call until `go` is called; resolves once it has got there. */
export async function pausedChild(job: Job): Promise<{ go: () => Promise<Outcome> }> {
  const folder = temporaryFolder();
  const [until, reached] = [join(folder, "go"), join(folder, "reached")];
  if (job.hook === undefined) throw new Error("a paused child needs a hook");
  const outcome = runChild({ ...job, hook: { ...job.hook, act: "wait", until, reached } });
  let ended = false;
  void outcome.finally(() => {
    ended = true;
  });
  while (!existsSync(reached)) {
    if (ended) throw new Error("the child never came to the call");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return {
    go() {
      mkdirSync(until);
      return outcome;
    },
  };
}

export function textOf(home: string, path = TARGET): string | undefined {
  return existsSync(join(home, path)) ? readFileSync(join(home, path), "utf8") : undefined;
}

export function objectText(home: string, hash: string): string | undefined {
  return textOf(home, join("versions", "objects", hash.slice(0, 2), hash));
}

export function namesIn(...parts: string[]): string[] {
  return existsSync(join(...parts)) ? readdirSync(join(...parts)).sort() : [];
}
