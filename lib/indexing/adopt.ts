import type { Context } from "../core/context.ts";
import { isFingerprint, UNIVERSAL } from "../core/fingerprint.ts";
import { foldCounters } from "../schema/counters.ts";
import type { Counters, LedgerEvent } from "../schema/ledger-event.ts";
import { type ArrivedCounters, pastEvents } from "../vault/baseline.ts";
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
  readonly events: readonly {
    readonly ts: string;
    readonly run_id: string;
    readonly wave: number;
    readonly skill_name: string;
    readonly event: string;
    readonly value: number | null;
  }[];
}

/**
 * Brings a seed index into the ledger, once: its events, and for each skill a `baseline` of what its counters say
 * beyond them, so that the fold of both is what that program counted.
 */
export function adoptSeed(seed: SeedIndex, vault: Vault, context: Context): void {
  const skills = seed.skills.filter(
    ({ fingerprint }) => fingerprint === UNIVERSAL || isFingerprint(fingerprint),
  );
  const homes = new Map(skills.map((skill) => [skill.name, skill.fingerprint]));
  const past = pastEvents(
    seed.events.flatMap(({ skill_name: skill, ...line }) => {
      const fingerprint = homes.get(skill);
      return fingerprint === undefined ? [] : [{ ...line, skill, fingerprint }];
    }),
  );
  vault.appendPast(past);
  vault.appendBaselines(
    skills.map(({ name, fingerprint, ...counted }) => ({
      fingerprint,
      name,
      counters: beyond(
        {
          uses: counted.uses,
          wins: counted.wins,
          losses: counted.losses,
          costSavedUsd: counted.cost_saved_usd,
          lastUsedAt: counted.last_used_at,
          lastWave: counted.last_wave,
        },
        past.filter((event) => event.skill === name),
      ),
    })),
  );
  context.log.note(`${skills.length} skills keep the counters of the earlier index`);
}

/** What counters say that these events do not. */
function beyond(counters: Counters, events: readonly LedgerEvent[]): Counters {
  const told = foldCounters(events);
  return {
    uses: Math.max(0, counters.uses - told.uses),
    wins: Math.max(0, counters.wins - told.wins),
    losses: Math.max(0, counters.losses - told.losses),
    costSavedUsd: counters.costSavedUsd - told.costSavedUsd,
    lastUsedAt: counters.lastUsedAt,
    lastWave: counters.lastWave,
  };
}

/** A home that came without a ledger keeps the counters that its canon files carry, one `baseline` each (design 2). */
export function adoptCheckpoints(arrived: readonly ArrivedCounters[], vault: Vault): boolean {
  if (arrived.length === 0 || !vault.writable || vault.hasLedger()) return false;
  return vault.appendBaselines(arrived) > 0;
}
