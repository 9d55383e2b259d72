import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { sha256 } from "../../../lib/core/hash.ts";
import { isTempName } from "../../../lib/core/temp-names.ts";
import { openVault } from "../../../lib/vault/vault.ts";

const ACTOR = fileURLToPath(new URL("./backup-actor.js", import.meta.url));

/** A home with twelve skills, a line and an event of each. */
export function prepare(home: string): void {
  const vault = openVault({ home, create: true });
  for (const name of Array.from({ length: 12 }, (_, i) => `skill-${i}`)) {
    const content = `# ${name}\n`;
    const change = { fingerprint: "*", name, target: `universal/canon/${name}.md`, by: "p", runId: "r" };
    vault.commit({
      kind: "put",
      ...change,
      content,
      base: null,
      version: 1,
      verdict: null,
      journal: `made ${name}`,
    });
    vault.append({ event: "hydrated", skill: name, fingerprint: "*" });
  }
  vault.close();
}

/** Resolves to whether it came to its end; with `killAfterMs` it is killed so long after it has begun, which `begun` hears of. */
export function runActor(
  what: string,
  home: string,
  archive: string,
  killAfterMs?: number,
  begun: () => void = () => {},
): Promise<boolean> {
  const child = spawn(process.execPath, [ACTOR, what, home, archive], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  child.stdout.once("data", () => {
    begun();
    if (killAfterMs !== undefined) setTimeout(() => child.kill("SIGKILL"), killAfterMs);
  });
  return new Promise((resolve, reject) => {
    child.on("close", (code, signal) => {
      if (code === 0 || signal === "SIGKILL") resolve(code === 0);
      else reject(new Error(`${what} left with ${code}`));
    });
  });
}

/** Every file of a home but those of this machine and young temporary files; ledger and journal as sets of lines. */
export function digestOf(home: string): string {
  const hash = createHash("sha256");
  const entries = readdirSync(home, { recursive: true, withFileTypes: true });
  const files = entries.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
  for (const file of files.sort()) {
    const path = file.slice(home.length + 1);
    if (/^(?:local\/|index)/.test(path) || isTempName(basename(path))) continue;
    const text = readFileSync(file, "utf8");
    const lines = /^(?:ledger\/|LIBRARIAN\.md)/.test(path);
    hash.update(`${path} ${lines ? text.split("\n").filter(Boolean).sort().join("\n") : sha256(text)}\n`);
  }
  return hash.digest("hex");
}
