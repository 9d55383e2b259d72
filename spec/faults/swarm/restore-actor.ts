/**
 * One process in which a restore stops before each of its calls in turn, while another changes the skill that it brings
 * back. Prints how many trials it made and what must not be.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createContext } from "../../../lib/core/context.ts";
import { sha256 } from "../../../lib/core/hash.ts";
import { restoreBackup } from "../../../lib/vault/backup/restore.ts";
import { openVault } from "../../../lib/vault/vault.ts";
import { beforeEachCall } from "./fs-hook.ts";
import { readHomeState } from "./home-state.ts";
import { reopenLater } from "./reopen.ts";
import { canonPath } from "./swarm-writes.ts";
import { makeText, SPACE, versionOf } from "./whole-text.ts";

export interface RestoreJob {
  readonly root: string;
  readonly archive: string;
  /** The one skill in it, and its text. */
  readonly name: string;
  readonly text: string;
}

export interface RestoreResult {
  readonly trials: number;
  readonly findings: readonly string[];
}

/** The calls that make, replace or remove something: what comes in between two of them comes in before the next. */
const CALLS = new Set(["linkSync", "renameSync", "unlinkSync", "mkdirSync", "writeFileSync"]);

const armed: { left: number; act: () => void; at: string } = { left: 0, act: () => {}, at: "" };

beforeEachCall((call, path) => {
  if (armed.left === 0 || !CALLS.has(call) || --armed.left > 0) return;
  armed.at = `${call} ${path}`;
  armed.act();
});

/** Undefined where a restore has no such call. `begun`: the space holds another skill beforehand. */
async function tryOnce({ root, archive, name, text }: RestoreJob, call: number, begun: boolean) {
  const home = mkdtempSync(join(root, "home-"));
  const context = createContext();
  const { layout, machine, vaultId, writable } = openVault({ home, create: true, context });
  const writer = openVault({ home });
  let made = "";
  const put = (skill: string) =>
    writer.update({ fingerprint: SPACE, name: skill, target: canonPath(skill) }, (found) => {
      const version = versionOf(found?.toString("utf8") ?? "") + 1;
      made = makeText({ name: skill, version, token: "writer", bodyBytes: 500 });
      return { content: made, by: "librarian", runId: "writer", version, verdict: null };
    });
  if (begun) put("other");
  const act = () => void put(name);
  Object.assign(armed, { left: call, act, at: "" });
  await restoreBackup({ room: { layout, machine, context }, vaultId, writable }, archive);
  const reached = armed.left === 0;
  armed.left = 0;
  if (!reached) return undefined;
  const findings: string[] = reopenLater(home);
  const { files, objects, damaged, leftovers, manifests } = readHomeState(home);
  const mine = files.filter((file) => file.name === name);
  if (mine.map((file) => file.hash).join() !== sha256(made))
    findings.push(`a text that was acknowledged does not stand there, but ${mine.length} others do`);
  if (files.length !== (begun ? 2 : 1)) findings.push(`${files.length} skills stand there`);
  if (!objects.has(sha256(text))) findings.push("the text of the backup is nowhere");
  if (!manifests.some((one) => one.bytesHash === sha256(made))) findings.push("the writer's version is gone");
  findings.push(...[...damaged, ...leftovers].map((path) => `damaged or left over: ${path}`));
  rmSync(home, { recursive: true });
  const where = `${begun ? "" : "into a new space, "}a writer came before ${armed.at.replaceAll(home, "")}`;
  return findings.map((one) => `${where}: ${one}`);
}

async function sweep(job: RestoreJob): Promise<RestoreResult> {
  const findings: string[] = [];
  let trials = 0;
  for (const begun of [true, false])
    for (let call = 1; ; call++) {
      const found = await tryOnce(job, call, begun);
      if (found === undefined) break;
      trials++;
      findings.push(...found);
    }
  return { trials, findings };
}

writeFileSync(1, JSON.stringify(await sweep(JSON.parse(process.argv[2] ?? "{}") as RestoreJob)));
