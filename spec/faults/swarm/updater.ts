/** One process that updates skills over and over, as fast as it gets its turn; prints how long each one took. */
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { openVault } from "../../../lib/vault/vault.ts";
import { canonPath } from "./swarm-writes.ts";
import { makeText, SPACE, versionOf } from "./whole-text.ts";

export interface UpdaterJob {
  /** The home; for the peers, the folder of the files. */
  readonly folder: string;
  readonly names: readonly string[];
  /** The file that starts the race: it holds when it ends, milliseconds since the epoch. */
  readonly go: string;
  /** In the making of which update the process stops itself, from 1; 0 for none. */
  readonly stopAt: number;
  /** After how long the peers take a lock for abandoned. */
  readonly staleMs: number;
}

export interface UpdaterResult {
  /** Milliseconds from the call to the acknowledgement, one each. */
  readonly waits: readonly number[];
  readonly compromised: number;
}

async function main(job: UpdaterJob): Promise<void> {
  const vault = openVault({ home: job.folder });
  const waits: number[] = [];
  let made = 0;
  process.stdout.write("ready\n");
  while (!existsSync(job.go)) await sleep(5);
  const until = Number(readFileSync(job.go, "utf8"));
  for (let round = 0; Date.now() < until; round++) {
    const name = job.names[round % job.names.length] ?? "";
    const began = performance.now();
    vault.update({ fingerprint: SPACE, name, target: canonPath(name) }, (found) => {
      const token = randomBytes(8).toString("hex");
      const version = versionOf(found?.toString("utf8") ?? "") + 1;
      if (++made === job.stopAt) process.kill(process.pid, "SIGSTOP");
      return {
        content: makeText({ name, version, token, bodyBytes: 1_500 }),
        by: "librarian",
        runId: token,
        version,
        verdict: null,
        journal: `patched ${name} ${token}`,
        event: { event: "patched", fingerprint: SPACE, skill: name, run_id: token },
      };
    });
    waits.push(Math.round((performance.now() - began) * 100) / 100);
  }
  vault.close();
  process.stdout.write(JSON.stringify({ waits, compromised: 0 }));
}

await main(JSON.parse(process.argv[2] ?? "{}") as UpdaterJob);
