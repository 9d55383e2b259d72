import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { engines } from "../../lib/drivers/sqljs/engines.ts";
import { readMeta } from "../../lib/drivers/sqljs/schema.ts";
import { temporaryFolder } from "../support/home.ts";
import { REPO } from "../support/library.ts";
import type { FlushHook, LibraryJob, LibraryOutcome } from "./child.ts";

const CHILD = fileURLToPath(new URL("./child.js", import.meta.url));

/** The places of a flush between which a process can be killed or stopped. */
export const FLUSH_STEPS: readonly (readonly [string, Pick<FlushHook, "call" | "path" | "when">])[] = [
  ["its temporary file is empty", { call: "openSync", path: "/\\.index\\.sqlite\\.tmp-", when: "after" }],
  [
    "its temporary file is whole",
    { call: "linkSync", path: "local/index/index\\.sqlite\\.", when: "before" },
  ],
  ["its generation is claimed", { call: "linkSync", path: "local/index/index\\.sqlite\\.", when: "after" }],
  ["its claim's own temporary file goes", { call: "unlinkSync", path: "local/index/\\.", when: "before" }],
  ["it renames", { call: "renameSync", path: "/index\\.sqlite$", when: "before" }],
  ["it has renamed", { call: "renameSync", path: "/index\\.sqlite$", when: "after" }],
];

/** Undefined for a process that was killed. */
export function runLibrary(job: Omit<LibraryJob, "fingerprint">): Promise<LibraryOutcome | undefined> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [CHILD, JSON.stringify({ fingerprint: REPO, ...job })], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let out = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      out += text;
    });
    child.on("error", reject);
    child.on("close", (code, signal) => {
      if (signal === "SIGKILL") resolve(undefined);
      else if (code === 0) resolve(JSON.parse(out) as LibraryOutcome);
      else reject(new Error(`the child ended with ${code ?? signal}`));
    });
  });
}

/** A child that stops at a step of its flush until `go` is called; resolves once it has got there. */
export async function stoppedLibrary(
  job: Omit<LibraryJob, "fingerprint" | "hook">,
  hook: Pick<FlushHook, "call" | "path" | "when">,
): Promise<{ go: () => Promise<LibraryOutcome | undefined> }> {
  const folder = temporaryFolder();
  const [until, reached] = [join(folder, "go"), join(folder, "reached")];
  const outcome = runLibrary({ ...job, hook: { ...hook, act: "wait", until, reached } });
  let ended = false;
  void outcome.finally(() => {
    ended = true;
  });
  while (!existsSync(reached)) {
    if (ended) throw new Error("the child never came to the step");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return {
    go() {
      writeFileSync(until, "");
      return outcome;
    },
  };
}

/** The number that an index file carries in itself, or 0 where there is none. */
export async function generationOf(home: string): Promise<number> {
  const path = join(home, "index.sqlite");
  if (!existsSync(path)) return 0;
  const { Database } = await engines.get("sqlite-wasm")();
  const db = new Database(new Uint8Array(readFileSync(path)));
  try {
    return readMeta(db)?.generation ?? -1;
  } finally {
    db.close();
  }
}

/** Names in the home that an index leaves only where something went wrong, or is going on. */
export function oddNames(home: string): string[] {
  return [...readdirSync(home), ...readdirSync(join(home, "local", "index"))].filter((name) =>
    /\.(?:bak|seed|tmp)/.test(name),
  );
}
