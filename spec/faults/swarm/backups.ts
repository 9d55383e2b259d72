import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { isTempName } from "../../../lib/core/atomic.ts";
import { sha256 } from "../../../lib/core/hash.ts";
import { openVault } from "../../../lib/vault/vault.ts";
import type { Row, Scale, Section } from "../section.ts";
import { withFolder } from "../temporary.ts";
import { createDice, type Dice } from "./dice.ts";

const ACTOR = fileURLToPath(new URL("./backup-actor.js", import.meta.url));

/** A backup that is killed leaves the file whole or as it was; a restore that is killed is done again. */
export const backups: Section = {
  name: "backups",
  cannotRun: () => undefined,
  run: async (scale) => [await killBackups(scale), await killRestores(scale)],
};

function prepare(home: string): void {
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

/** How long the work takes when nobody disturbs it, in ms. */
async function timeOf(what: string, home: string, archive: string): Promise<number> {
  const begun = performance.now();
  await runActor(what, home, archive);
  return performance.now() - begun;
}

/** Resolves to whether it came to its end; with `killAfterMs` it is killed so long after it has begun. */
function runActor(what: string, home: string, archive: string, killAfterMs?: number): Promise<boolean> {
  const child = spawn(process.execPath, [ACTOR, what, home, archive], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  child.stdout.once("data", () => {
    if (killAfterMs !== undefined) setTimeout(() => child.kill("SIGKILL"), killAfterMs);
  });
  return new Promise((resolve, reject) => {
    child.on("close", (code, signal) => {
      if (code === 0 || signal === "SIGKILL") resolve(code === 0);
      else reject(new Error(`${what} left with ${code}`));
    });
  });
}

function killBackups({ form, log }: Scale): Promise<Row> {
  const trials = form === "short" ? 5 : 200;
  log(`backups: ${trials} killed`);
  return withFolder(async (folder) => {
    const [home, file, old] = [join(folder, "home"), join(folder, "b.tar.gz"), join(folder, "old")];
    prepare(home);
    const ms = await timeOf("backup", home, file);
    copyFileSync(file, old);
    const dice = createDice(96);
    const findings: string[] = [];
    let killed = 0;
    for (let trial = 0; trial < trials; trial++) {
      const ended = await runActor("backup", home, file, dice.roll(Math.ceil(ms / 2)));
      if (!ended) killed++;
      findings.push(...problemOfArchive(file).map((problem) => `trial ${trial}: ${problem}`));
    }
    const temps = readdirSync(folder).filter((name) => name.startsWith(".b.tar.gz"));
    return {
      fault: "a backup killed while it replaces another",
      trials,
      findings,
      figures: { killed, "temporary files beside it": temps.length },
    };
  });
}

/** A whole gzip with its checksum, and every file that its list names. */
function problemOfArchive(file: string): string[] {
  if (!existsSync(file)) return ["the file is gone"];
  try {
    const text = gunzipSync(readFileSync(file)).toString("latin1");
    return text.includes("canonry-backup.json") && text.includes("skill-11")
      ? []
      : ["the archive is not whole"];
  } catch (error) {
    return [`the archive is torn: ${error instanceof Error ? error.message : String(error)}`];
  }
}

function killRestores({ form, log }: Scale): Promise<Row> {
  const trials = form === "short" ? 4 : 150;
  log(`restores: ${trials} killed`);
  return withFolder(async (folder) => {
    const [home, archive] = [join(folder, "home"), join(folder, "b.tar.gz")];
    prepare(home);
    await runActor("backup", home, archive);
    const ms = await timeOf("restore", join(folder, "undisturbed"), archive);
    const wanted = digestOf(join(folder, "undisturbed"));
    const dice = createDice(97);
    const findings: string[] = [];
    let killed = 0;
    for (let trial = 0; trial < trials; trial++) {
      const target = join(folder, `home-${trial}`);
      killed += await killTwice(target, archive, ms, dice);
      await runActor("restore", target, archive);
      if (digestOf(target) !== wanted)
        findings.push(`trial ${trial}: the home is not what an undisturbed restore makes`);
    }
    return {
      fault: "a restore killed at any moment, twice, and done again",
      trials,
      findings,
      figures: { killed },
    };
  });
}

async function killTwice(target: string, archive: string, ms: number, dice: Dice): Promise<number> {
  let killed = 0;
  for (let time = 0; time < 2; time++)
    if (!(await runActor("restore", target, archive, dice.roll(Math.ceil(ms))))) killed++;
  return killed;
}

/** Every file of a home but those of this machine and young temporary files; ledger and journal as sets of lines. */
function digestOf(home: string): string {
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
