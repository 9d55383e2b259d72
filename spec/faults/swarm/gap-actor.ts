/** One process that changes a skill and stops itself before a call of that; prints what it was told. */
import { writeFileSync } from "node:fs";
import { sha256 } from "../../../lib/core/hash.ts";
import { openVault } from "../../../lib/vault/vault.ts";
import { beforeEachCall } from "./fs-hook.ts";
import { canonPath } from "./swarm-writes.ts";
import { makeText, SPACE, versionOf } from "./whole-text.ts";

export interface GapJob {
  readonly home: string;
  readonly name: string;
  /** The call, and what its last path must match. */
  readonly call: "linkSync" | "renameSync";
  readonly path: string;
}

export interface GapResult {
  readonly changed?: boolean;
  readonly keptEdit?: string;
  /** Hash of the text that was committed. */
  readonly next: string;
}

const { home, name, call, path } = JSON.parse(process.argv[2] ?? "{}") as GapJob;
const vault = openVault({ home });
const pattern = new RegExp(path);
let stopped = false;
beforeEachCall((made, paths) => {
  if (stopped || made !== call || !pattern.test(paths)) return;
  stopped = true;
  process.kill(process.pid, "SIGSTOP");
});
let text = "";
const result = vault.update({ fingerprint: SPACE, name, target: canonPath(name) }, (found) => {
  const version = versionOf(found?.toString("utf8") ?? "") + 1;
  text = makeText({ name, version, token: "committed", bodyBytes: 1_500 });
  return { content: text, by: "librarian", runId: "gap", version, verdict: null };
});
vault.close();
writeFileSync(1, JSON.stringify({ ...result, next: sha256(text) }));
