import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { sha256 } from "../../lib/core/hash.ts";
import type { Library } from "../../lib/library.ts";
import type { LedgerEvent } from "../../lib/schema/ledger-event.ts";
import { openVault, type Vault } from "../../lib/vault/vault.ts";
import { temporaryFolder } from "./home.ts";
import { canonFile, openHeard } from "./library.ts";

const WHO = ["-c", "user.name=spec", "-c", "user.email=spec@example.org", "-c", "commit.gpgsign=false"];
export const git = (home: string, ...args: string[]) =>
  execFileSync("git", ["-C", home, ...WHO, ...args], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
export const merge = (home: string, from: string) =>
  spawnSync("git", ["-C", home, ...WHO, "pull", "-q", "--no-rebase", "--no-edit", from, "HEAD"], {
    encoding: "utf8",
  });

export function commitAll(home: string): void {
  git(home, "add", "-A");
  git(home, "commit", "-q", "--allow-empty", "-m", "state");
}

export function patch(
  vault: Vault,
  name: string,
  text: string,
  base: string | null,
  version: number,
  by = "spec",
): void {
  vault.commit({
    kind: "put",
    fingerprint: "*",
    name,
    target: `universal/canon/${name}.md`,
    content: text,
    base: base === null ? null : sha256(base),
    by,
    runId: `run-${by}`,
    version,
    verdict: null,
    journal: `patched  ${name} — version ${version} by ${by}`,
    event: { event: "patched", skill: name, fingerprint: "*", version },
  });
}

export function use(vault: Vault, skill: string, who: string, times: number): void {
  for (let i = 0; i < times; i++) {
    const run_id = `${who}-${i}`;
    vault.append({ event: "hydrated", skill, fingerprint: "*", run_id, wave: i, agent: who });
    vault.append({ event: i % 3 === 0 ? "loss" : "win", skill, fingerprint: "*", run_id });
  }
}

export const eventsOf = (home: string): LedgerEvent[] => {
  const read = openVault({ home }).readLedger({});
  assert.deepEqual(read.problems, []);
  return [...read.events];
};
export const idsOf = (events: readonly LedgerEvent[]) => [...new Set(events.map((event) => event.id))].sort();

export const TEXT = (name: string, body = "Text.") =>
  canonFile(name, { applies_to: `\n  repo_fingerprint: "*"` }, body);

/** A home under git with three skills and some use, and a clone of it: a home of its own, with a machine of its own. */
export function twoClones(): { ours: string; theirs: string; a: Vault; b: Vault } {
  const root = temporaryFolder();
  const [ours, theirs] = [join(root, "ours"), join(root, "theirs")];
  const a = openVault({ home: ours, create: true });
  git(ours, "init", "-q");
  for (const name of ["one", "two", "three"]) patch(a, name, TEXT(name), null, 1);
  use(a, "one", "first", 3);
  commitAll(ours);
  execFileSync("git", ["clone", "-q", ours, theirs]);
  const b = openVault({ home: theirs, create: true });
  assert.notEqual(a.machine, b.machine);
  return { ours, theirs, a, b };
}

/** What a library says of the three skills, by name. */
export async function counted(home: string): Promise<unknown[]> {
  const { library } = await openHeard({ home });
  await library.reindex();
  const listed = await library.list();
  return listed.map(({ name, version, uses, wins, losses }) => ({ name, version, uses, wins, losses }));
}

export async function usesOf(library: Library, name: string): Promise<number | undefined> {
  await library.reindex();
  return (await library.list()).find((one) => one.name === name)?.uses;
}
