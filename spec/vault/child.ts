/**
 * One commit in a process of its own. `hook` stops it at one system call: it dies there, or waits for a file, so that
 * a spec can put another process between any two steps. Prints what came out as JSON.
 */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import os from "node:os";
import { createContext } from "../../lib/core/context.ts";
import { CanonryError } from "../../lib/core/errors.ts";
import { backupHome } from "../../lib/vault/backup/backup.ts";
import type { Change } from "../../lib/vault/change.ts";
import { openVault, type Vault } from "../../lib/vault/vault.ts";
import { placeOfPath } from "../support/held-path.ts";
import { sourceOf } from "./archives.ts";

export interface Hook {
  readonly call: "linkSync" | "renameSync" | "openSync" | "unlinkSync";
  /** A regular expression that one of the call's paths matches. */
  readonly path: string;
  readonly when: "before" | "after";
  readonly act: "die" | "wait";
  /** The file that ends the waiting, and the one that says that it began. */
  readonly until?: string;
  readonly reached?: string;
}

export interface Job {
  readonly home: string;
  readonly change?: Change;
  readonly mount?: string;
  /** Adds this line to the skill, so often, each time to what stands there. */
  readonly update?: { readonly line: string; readonly times: number };
  /** Writes a backup to this file. */
  readonly backup?: string;
  /** Looks about instead of changing anything. */
  readonly look?: boolean;
  readonly hook?: Hook;
  /** Its file system has no hard links. */
  readonly noLinks?: boolean;
}

const job = JSON.parse(process.argv[2] ?? "{}") as Job;
if (job.noLinks === true) refuseLinks();
if (job.hook !== undefined) arm(job.hook);
process.stdout.write(JSON.stringify(await run()));

async function run(): Promise<unknown> {
  const warnings: string[] = [];
  try {
    const log = { warn: (line: string) => void warnings.push(line), note() {} };
    const vault = openVault({ home: job.home, create: job.look === true, context: createContext({ log }) });
    if (job.backup !== undefined) return { result: await backupHome(sourceOf(vault), job.backup), warnings };
    if (job.look === true) return { result: look(vault), warnings };
    if (job.update !== undefined) return { result: update(vault, job.update), warnings };
    const result = job.change === undefined ? vault.mount([job.mount ?? ""], "*") : vault.commit(job.change);
    return { result, warnings };
  } catch (error) {
    if (!(error instanceof CanonryError)) throw error;
    return { code: error.code, data: error.data };
  }
}

function update(vault: Vault, { line, times }: { line: string; times: number }): number {
  const target = { fingerprint: "*", name: "counted", target: "universal/canon/counted.md" };
  const parts = { by: "agent", runId: "", verdict: null };
  for (let n = 1; n <= times; n++)
    vault.update(target, (found = Buffer.alloc(0)) => {
      const version = found.toString().split("\n").length;
      return { ...parts, version, content: `${found}${line} ${n}\n` };
    });
  return times;
}

function look(vault: Vault): unknown {
  const dropped = [vault.append({ event: "hydrated" }), vault.append({ event: "hydrated" })].filter(
    (one) => one === undefined,
  ).length;
  const codes = [() => vault.mount([os.tmpdir()], "*"), () => vault.finishClaims()].map((act) => {
    try {
      act();
      return "done";
    } catch (error) {
      return error instanceof CanonryError ? error.code : String(error);
    }
  });
  const { writable, vaultId } = vault;
  return {
    writable,
    vaultId,
    dropped,
    codes,
    places: vault.places().map((place) => place.id),
    events: vault.readLedger({}).events.length,
  };
}

function refuseLinks(): void {
  const linkSync = () => {
    throw Object.assign(new Error("EPERM: operation not permitted, link"), { code: "EPERM" });
  };
  Object.assign(fs, { linkSync });
  syncBuiltinESMExports();
}

function arm(hook: Hook): void {
  const pattern = new RegExp(hook.path);
  const original = fs[hook.call] as (...args: unknown[]) => unknown;
  let spent = false;
  const stop = (args: unknown[]) => {
    if (spent || !args.some((arg) => typeof arg === "string" && pattern.test(placeOfPath(arg)))) return;
    spent = true;
    if (hook.act === "die") process.kill(process.pid, "SIGKILL");
    if (hook.reached !== undefined) fs.mkdirSync(hook.reached);
    // a spec that failed meanwhile makes no such file: nobody waits for ever
    const begun = performance.now();
    while (hook.until !== undefined && !fs.existsSync(hook.until) && performance.now() - begun < 60_000)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
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
