import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { foldCounters } from "../../lib/schema/counters.ts";
import { backupHome } from "../../lib/vault/backup/backup.ts";
import { type RestoreReport, restoreBackup } from "../../lib/vault/backup/restore.ts";
import type { Vault } from "../../lib/vault/vault.ts";
import { temporaryFolder, writeTree } from "../support/home.ts";
import { sourceOf } from "./archives.ts";
import { openStage, put } from "./stage.ts";

/** A home with a skill of two versions, one by hand, one archived, notes and a ledger; and a backup of it. */
export async function backedUp() {
  const { home, vault } = openStage();
  writeTree(home, {
    "settings.json": `{"driver":"memory"}`,
    "universal/canon/hand-made.md": "# by hand\n",
    "universal/canon/hand-made/references/a.md": "a\n",
    "0123456789ab/archive/old.md": "# old\n",
    "0123456789ab/archive/old/scripts/x.sh": "x\n",
    "0123456789ab/candidates/c.md": "note\n",
    "0123456789ab/proposals/p.md": "proposal\n",
    "gate/m.ndjson": `{"id":"g1"}\n{"id":"g2"}\n`,
    "tenants/acme/universal/canon/theirs.md": "# theirs\n",
  });
  vault.commit(put("# one\n", null, 1, { journal: "promoted retry-flaky-test — it works" }));
  vault.commit(put("# two\n", "# one\n", 2, { journal: "patched  retry-flaky-test — better" }));
  hydrate(vault, 3);
  const file = join(temporaryFolder(), "b.tar.gz");
  await backupHome(sourceOf(vault), file);
  return { home, vault, file };
}

export function hydrate(vault: Vault, times: number): void {
  for (let i = 0; i < times; i++)
    vault.append({ event: "hydrated", skill: "retry-flaky-test", fingerprint: "*", run_id: `r${i}` });
  vault.append({ event: "win", skill: "retry-flaky-test", fingerprint: "*", run_id: "r0" });
}

export const counters = (vault: Vault) => foldCounters(vault.readLedger({}).events);
export const restore = (vault: Vault, file: string, options = {}) =>
  restoreBackup(sourceOf(vault), file, options);
export const kept = (report: RestoreReport) => report.kept.map((one) => [one.path, one.reason, one.stands]);

/** Path and hash of every file, but for what is of one machine. */
export function snapshot(home: string): string[] {
  const find =
    "find . -path '*/local' -prune -o -type f ! -name 'index*' -print0 | sort -z | xargs -0 sha256sum";
  return spawnSync("sh", ["-c", find], { cwd: home, encoding: "utf8" }).stdout.split("\n").filter(Boolean);
}

/** What differs between two homes, but for texts: a restore keeps those of skills made by hand too. */
export function difference(one: string, two: string): string[] {
  const [a, b] = [one, two].map((home) =>
    snapshot(home).filter((line) => !line.includes("versions/objects/")),
  );
  return [...(a ?? []), ...(b ?? [])].filter((line) => !a?.includes(line) || !b?.includes(line));
}
