import type { LintProblem } from "./lint-problem.ts";
import type { LintedSkill } from "./lint-skill.ts";
import { HOSTS, type Host } from "./table.ts";

/** `- name: description` and the end of its line. */
const FRAME_CHARS = 5;

export interface Listing {
  /** Characters that the host would list, and those that it has room for. */
  readonly chars: number;
  readonly budget: number;
  /** Descriptions that it would cut for their own length. */
  readonly cut: number;
}

/** What a host with a budget puts into a prompt of these skills: an estimate, since each frames its lines its own way. */
export function listingOf(host: Host, skills: readonly LintedSkill[]): Listing | undefined {
  if (host.listing === undefined) return undefined;
  const most = host.listing.descriptionChars ?? Number.POSITIVE_INFINITY;
  let chars = 0;
  let cut = 0;
  for (const { skill } of skills) {
    if (skill === undefined) continue;
    if (skill.description.length > most) cut++;
    chars += skill.name.length + Math.min(skill.description.length, most) + FRAME_CHARS;
  }
  return { chars, budget: host.listing.chars, cut };
}

/** A note for each host that could not list a folder whole. */
export function listingProblems(dir: string, skills: readonly LintedSkill[]): LintProblem[] {
  return HOSTS.flatMap((host): LintProblem[] => {
    const listing = listingOf(host, skills);
    if (listing === undefined || listing.chars <= listing.budget) return [];
    const [chars, budget] = [listing.chars, listing.budget].map((one) => one.toLocaleString("en-US"));
    return [
      {
        ...{ file: dir, line: 1, column: 1, code: "LISTING_OVER_BUDGET", severity: "note", hosts: [host.id] },
        message: `Names and descriptions are about ${chars} characters; ${host.title} lists ${budget} in a window of 200,000 tokens and cuts the rest.`,
      },
    ];
  });
}
