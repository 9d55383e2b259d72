import type { Counters, LedgerEvent } from "./ledger-event.ts";

/**
 * The counters of one skill from its events, in any order, each id once (S1.11, C10 to C12):
 * `uses` counts `hydrated`; a run counts as won or lost by its last verdict, so at most once a run and skill;
 * verdicts of trials (`source: "ab"`) do not count here; the oldest `baseline` is what everything adds to.
 * An outcome without a run counts as a run of its own.
 */
export function foldCounters(events: Iterable<LedgerEvent>): Counters {
  const ordered = [...new Map(Array.from(events, (event) => [event.id, event])).values()].sort(
    (a, b) => compare(a.ts, b.ts) || compare(a.id, b.id),
  );
  const base = ordered.find((event) => event.event === "baseline")?.baseline;
  const verdicts = new Map<string, string>();
  let uses = base?.uses ?? 0;
  let costSavedUsd = base?.cost_saved_usd ?? 0;
  let lastUsedAt = base?.last_used_at ?? null;
  let lastWave = base?.last_wave ?? null;
  for (const event of ordered) {
    if (event.event === "hydrated") {
      uses++;
      if (lastUsedAt === null || event.ts >= lastUsedAt) [lastUsedAt, lastWave] = [event.ts, event.wave];
    } else if (event.event === "cost_saved") {
      costSavedUsd += event.value ?? 0;
    } else if ((event.event === "win" || event.event === "loss") && event.source !== "ab") {
      verdicts.set(event.run_id === "" ? event.id : event.run_id, event.event);
    }
  }
  const outcomes = [...verdicts.values()];
  return {
    uses,
    wins: (base?.wins ?? 0) + outcomes.filter((outcome) => outcome === "win").length,
    losses: (base?.losses ?? 0) + outcomes.filter((outcome) => outcome === "loss").length,
    costSavedUsd,
    lastUsedAt,
    lastWave,
  };
}

/**
 * What a skill is held to be worth before any run: two wins and two losses. A first win makes it 3 of 5, less than any
 * long record above that; a skill that nobody has tried stands above those that lose more than they win.
 */
export const PRIOR = Object.freeze({ wins: 2, losses: 2 });

/** The mean of what the share of won runs may be, given the prior and every decided run (C12): 0 to 1. */
export function posterior({ wins, losses }: Pick<Counters, "wins" | "losses">): number {
  return (wins + PRIOR.wins) / (wins + losses + PRIOR.wins + PRIOR.losses);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
