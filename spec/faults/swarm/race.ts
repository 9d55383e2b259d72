import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openVault } from "../../../lib/vault/vault.ts";
import { ROOT } from "../../support/root.ts";
import { withFolder } from "../temporary.ts";
import { isStopped } from "./fate.ts";
import { endOf, startScript } from "./fleet.ts";
import { canonPath } from "./swarm-writes.ts";
import type { UpdaterJob, UpdaterResult } from "./updater.ts";
import { makeText, SPACE, versionOf } from "./whole-text.ts";

/** One way to update files: how its files are laid out, and how one of its processes is started. */
export interface Racer {
  readonly name: string;
  /** Makes the files, and says where each one is. */
  readonly prepare: (folder: string, names: readonly string[]) => (name: string) => string;
  readonly start: (job: UpdaterJob) => ChildProcess;
}

export interface Course {
  readonly processes: number;
  readonly seconds: number;
  /** Skills are shared by all processes, or each has its own. */
  readonly shared: boolean;
  /** The first process stops itself in the making of its third update, for this long; 0 for none. */
  readonly stopMs: number;
}

export interface Finish {
  readonly acknowledged: number;
  readonly perSecond: number;
  readonly medianMs: number;
  readonly p99Ms: number;
  readonly longestMs: number;
  /** Acknowledged updates that are not in the files: each adds one to the version of its file. */
  readonly lost: number;
  readonly problems: readonly string[];
}

const STALE_MS = 2_000;

const firstText = (name: string) => makeText({ name, version: 1, token: "first", bodyBytes: 1_500 });

export const ours: Racer = {
  name: "canonry",
  prepare(folder, names) {
    const vault = openVault({ home: folder, create: true });
    for (const name of names)
      vault.commit({
        kind: "put",
        fingerprint: SPACE,
        name,
        target: canonPath(name),
        content: firstText(name),
        base: null,
        by: "librarian",
        runId: "first",
        version: 1,
        verdict: null,
      });
    vault.close();
    return (name) => join(folder, canonPath(name));
  },
  start: (job) => startScript("./updater.js", job),
};

export const peers: Racer = {
  name: "proper-lockfile + write-file-atomic",
  prepare(folder, names) {
    mkdirSync(folder);
    for (const name of names) writeFileSync(join(folder, `${name}.md`), firstText(name));
    return (name) => join(folder, `${name}.md`);
  },
  start: (job) =>
    spawn(process.execPath, [join(ROOT, "bench", "peer-update.mjs"), JSON.stringify(job)], {
      stdio: ["ignore", "pipe", "pipe"],
    }),
};

/** Why the peers cannot run, or undefined. */
export function noPeers(): string | undefined {
  const missing = ["proper-lockfile", "write-file-atomic"].filter(
    (name) => !existsSync(join(ROOT, "bench", "node_modules", name)),
  );
  return missing.length === 0 ? undefined : `${missing.join(" and ")} missing: npm run bench:setup`;
}

/** All start at one moment, when each of them is ready; what counts is what was acknowledged before the end. */
export function race(racer: Racer, course: Course): Promise<Finish> {
  return withFolder(async (folder) => {
    const own = Array.from({ length: course.processes }, (_, n) => [`skill-${n + 1}`]);
    const names = course.shared ? ["skill-1"] : own.flat();
    const go = join(folder, "go");
    const pathOf = racer.prepare(join(folder, "files"), names);
    const runners = own.map((mine, n) => {
      const stopAt = n === 0 && course.stopMs > 0 ? 3 : 0;
      const job = { folder: join(folder, "files"), names: course.shared ? names : mine, go };
      const child = racer.start({ ...job, stopAt, staleMs: STALE_MS });
      return { child, ready: readiness(child), end: endOf(child) };
    });
    await Promise.all(runners.map((one) => Promise.race([one.ready, one.end])));
    writeFileSync(`${go}.new`, String(Date.now() + course.seconds * 1_000));
    renameSync(`${go}.new`, go);
    const [first] = runners;
    if (course.stopMs > 0 && first !== undefined) void wakeLater(first, course.stopMs);
    const ends = await Promise.all(runners.map((one) => one.end));
    const versions = names.map((name) => versionOf(readFileSync(pathOf(name), "utf8")) - 1);
    return finishOf(ends, versions, course.seconds);
  });
}

function readiness(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.stdout?.once("data", () => resolve());
  });
}

/** The process stops itself, sooner or later; from then on it sleeps for so long. */
async function wakeLater(
  runner: { child: ChildProcess; end: Promise<unknown> },
  stopMs: number,
): Promise<void> {
  let ended = false;
  void runner.end.then(() => {
    ended = true;
  });
  while (!ended && !isStopped(runner.child.pid)) await sleep(5);
  await sleep(stopMs);
  runner.child.kill("SIGCONT");
}

function finishOf(
  ends: readonly { readonly out: string; readonly problem?: string }[],
  versions: readonly number[],
  seconds: number,
): Finish {
  const problems = ends.flatMap(({ problem }) => (problem === undefined ? [] : [problem]));
  const waits = ends.flatMap(({ out, problem }) =>
    problem === undefined ? (JSON.parse(out.replace(/^ready\n/, "")) as UpdaterResult).waits : [],
  );
  waits.sort((a, b) => a - b);
  const at = (share: number) => waits[Math.min(waits.length - 1, Math.floor(waits.length * share))] ?? 0;
  const stands = versions.reduce((sum, one) => sum + one, 0);
  return {
    acknowledged: waits.length,
    perSecond: Math.round(waits.length / seconds),
    medianMs: at(0.5),
    p99Ms: Math.round(at(0.99)),
    longestMs: Math.round(at(1)),
    lost: waits.length - stands,
    problems,
  };
}
