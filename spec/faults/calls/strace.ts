import { type ChildProcessByStdio, spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import type { Job, Outcome } from "./actor.ts";

const ACTOR = fileURLToPath(new URL("./actor.js", import.meta.url));
/** Beyond any wait of an operation, on a machine that is busy. */
const PATIENCE_MS = 60_000;

/** Calls that change what is on the disk, or bring it there. `?` in front: not every machine has every one. */
export const CHANGING = Object.freeze([
  ...["write", "pwrite64", "writev", "pwritev", "fsync", "fdatasync", "ftruncate", "copy_file_range"],
  ...["rename", "renameat", "renameat2", "link", "linkat", "unlink", "unlinkat", "rmdir", "mkdir", "mkdirat"],
  ...["chmod", "fchmod", "fchmodat", "symlink", "symlinkat", "utimensat"],
]);
/** `openat` is both: it makes files too. */
export const LOOKING = Object.freeze([
  ...["open", "openat", "close", "read", "pread64", "getdents64", "statx", "newfstatat", "fstat", "lstat"],
  ...["stat", "access", "faccessat", "faccessat2", "readlink", "readlinkat"],
]);

/** One system call of an operation on its home: the `nth` of that name since the byte that starts it. */
export interface Point {
  readonly call: string;
  readonly nth: number;
  /** Its place among all the traced calls, from 0. */
  readonly at: number;
  /** Changes the disk, rather than looking at it. */
  readonly changes: boolean;
  /** As strace prints it, with paths relative to the home and names made at random as `*`. */
  readonly text: string;
}

export interface Traced {
  /** Empty where the process was killed. */
  readonly outcome: Outcome;
  /** Died without a word. */
  readonly killed: boolean;
  readonly lines: readonly string[];
}

export interface Tracing {
  readonly log: string;
  /** `-e inject=…` expressions. */
  readonly inject?: readonly string[];
  /** The process may make no file longer than this: the write that would is cut there, the next one kills it. */
  readonly fileBytes?: number;
  /** Waited for before the process, ready and traced, is told to go. */
  readonly before?: () => Promise<void>;
  /** Called once the process is traced and told to go; what it does in between is its own. */
  readonly meanwhile?: () => Promise<void>;
}

/** Why processes cannot be traced here, or undefined. */
export function cannotTrace(): string | undefined {
  const probe = spawnSync("strace", ["-o", "/dev/null", "-e", "trace=none", "true"], { encoding: "utf8" });
  if (probe.error !== undefined) return "strace is not installed";
  return probe.status === 0 ? undefined : `strace cannot trace here: ${probe.stderr.trim()}`;
}

export type Actor = ChildProcessByStdio<Writable, Readable, null>;

/** Starts a process for the job; resolves once it is ready to go. */
export async function startActor(job: Job): Promise<{ child: Actor; end: Promise<Omit<Traced, "lines">> }> {
  const child = spawn(process.execPath, [ACTOR, JSON.stringify(job)], { stdio: ["pipe", "pipe", "inherit"] });
  let out = "";
  child.stdin.on("error", () => {});
  const end = new Promise<Omit<Traced, "lines">>((resolve, reject) => {
    const late = setTimeout(() => child.kill("SIGKILL"), PATIENCE_MS);
    child.on("error", reject);
    child.on("close", () => {
      clearTimeout(late);
      const line = out.split("\n")[1] ?? "";
      resolve({ outcome: line === "" ? {} : (JSON.parse(line) as Outcome), killed: line === "" });
    });
  });
  await new Promise<void>((resolve, reject) => {
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      out += text;
      if (out.includes("\n")) resolve();
    });
    void end.then(() =>
      reject(new Error(`the actor was never ready: ${JSON.stringify(job.act).slice(0, 200)}`)),
    );
  });
  return { child, end };
}

/** Runs a job without tracing it. */
export async function runActor(job: Job): Promise<Outcome> {
  const { child, end } = await startActor(job);
  child.stdin.end("g");
  return (await end).outcome;
}

/** Runs a job whose calls after the start are traced and tampered with. */
export async function traceActor(job: Job, tracing: Tracing): Promise<Traced> {
  const { child, end } = await startActor(job);
  const calls = [...CHANGING, ...LOOKING].map((call) => `?${call}`).join(",");
  const inject = (tracing.inject ?? []).flatMap((one) => ["-e", `inject=${one}`]);
  const tracer = spawn(
    "strace",
    ["-y", "-p", String(child.pid), "-o", tracing.log, "-e", `trace=${calls}`, ...inject],
    { stdio: ["ignore", "ignore", "pipe"] },
  );
  const closed = new Promise<void>((resolve) => tracer.on("close", () => resolve()));
  await new Promise<void>((resolve, reject) => {
    let said = "";
    tracer.stderr.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      if (said.includes("attached")) resolve();
    });
    tracer.on("error", reject);
    void closed.then(() => {
      child.kill("SIGKILL");
      reject(new Error(`strace: ${said.trim()}`));
    });
  });
  if (tracing.fileBytes !== undefined)
    spawnSync("prlimit", ["--pid", String(child.pid), `--fsize=${tracing.fileBytes}`]);
  await tracing.before?.();
  child.stdin.end("g");
  await tracing.meanwhile?.();
  const ended = await end;
  await closed;
  return { ...ended, lines: linesOf(tracing.log) };
}

/** The calls that strace has written down so far, whole lines. */
export function linesOf(log: string): string[] {
  if (!existsSync(log)) return [];
  const lines = readFileSync(log, "utf8")
    .split("\n")
    .slice(0, -1)
    .filter((line) => /^[a-z0-9_]+\(/.test(line));
  return withPlaces(lines);
}

/** Where a call reaches a folder through a descriptor, the folder itself: the line that opened it says which. */
function withPlaces(lines: readonly string[]): string[] {
  const places = new Map<string, string>();
  return lines.map((line) => {
    const [, fd, place] = /^open(?:at)?\(.* = (\d+)<([^>]*)>$/.exec(line) ?? [];
    if (fd !== undefined && place !== undefined) places.set(fd, place);
    return line.replace(/\/proc\/self\/fd\/(\d+)(?=[/"])/g, (held, of: string) => places.get(of) ?? held);
  });
}

/** The calls on the home among the traced ones, up to the one that says what came out. */
export function pointsOf(lines: readonly string[], home: string): Point[] {
  const counts = new Map<string, number>();
  const points: Point[] = [];
  for (const [at, line] of lines.entries()) {
    const call = line.slice(0, line.indexOf("("));
    const nth = (counts.get(call) ?? 0) + 1;
    counts.set(call, nth);
    if (line.startsWith("writev(1<")) {
      points.push({ call, nth, at, changes: true, text: "write of the outcome" });
      break;
    }
    if (!line.includes(home)) continue;
    const changes = CHANGING.includes(call) || /^open.*O_CREAT/.test(line);
    points.push({ call, nth, at, changes, text: plain(line, home) });
  }
  return points;
}

/** A call without what differs between two runs of it. */
export function plain(line: string, home: string): string {
  return (
    line
      .replaceAll(`${home}/`, "")
      .replaceAll(home, ".")
      .replace(/\s+= .*$/, "")
      // what a call is told or tells; a call that never came back shows an address instead
      .replace(/^(p?(?:write|read)(?:64)?\([^,]*|readlink\([^,]*|getdents64\([^,]*),.*$/, "$1)")
      .replace(/^((?:statx|newfstatat|l?stat|fstat)\(.*?), (?:AT_|0x|\{|"").*$/, "$1)")
      .replace(/AT_FDCWD<[^>]*>/, "AT_FDCWD")
      .replace(/\b\d+</g, "<")
      .replace(/\.tmp-\d+-[0-9a-f]{12}/g, ".tmp-*")
      .replace(/\b[0-9a-f]{16}-(?:(?:moved|folder)-(?:[0-9a-z]+\.[a-z0-9-]+?-)?)?[0-9a-f]{12}\b/g, "*-*")
      .replace(/local\/turns\/[^"]*/, "local/turns/*")
  );
}
