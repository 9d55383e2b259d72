import type { Context } from "../core/context.ts";
import { isFingerprint, UNIVERSAL } from "../core/fingerprint.ts";
import type { Vault } from "../vault/vault.ts";

/** What an index of the seed's own program holds that no Markdown file does (C60). */
export interface SeedIndex {
  readonly skills: readonly {
    readonly name: string;
    readonly fingerprint: string;
    readonly uses: number;
    readonly wins: number;
    readonly losses: number;
    readonly cost_saved_usd: number;
    readonly last_used_at: string | null;
    readonly last_wave: number | null;
  }[];
}

/** Writes the counters of a seed index into the ledger, one `baseline` a skill; again, it writes the same ids. */
export async function adoptSeed(
  path: string,
  vault: Vault,
  context: Context,
  readIndex: (path: string) => Promise<SeedIndex>,
): Promise<void> {
  const { skills } = await readIndex(path);
  const known = skills.filter(({ fingerprint }) => fingerprint === UNIVERSAL || isFingerprint(fingerprint));
  vault.appendBaselines(
    known.map(({ name, fingerprint, ...counters }) => ({
      fingerprint,
      name,
      counters: {
        uses: counters.uses,
        wins: counters.wins,
        losses: counters.losses,
        costSavedUsd: counters.cost_saved_usd,
        lastUsedAt: counters.last_used_at,
        lastWave: counters.last_wave,
      },
    })),
  );
  context.log.note(`${known.length} skills keep the counters of the earlier index`);
}
