import { CanonryError } from "../core/errors.ts";
import { LIMITS } from "../core/limits.ts";
import { oneLine, tokenCount } from "../core/text.ts";
import type { Filter } from "../drivers/driver.ts";
import type { IndexedRow } from "../schema/row.ts";
import { readableName } from "./resolve.ts";
import { placeIds, type View } from "./view.ts";

export interface StubOptions {
  /** Who it is for ("planner", "worker"): recorded by those who inject it; the text is the same (S2.20, S2.21). */
  readonly role?: string | undefined;
  /** Tools at hand; a skill that requires another is hidden (S1.21). None given means none at hand. */
  readonly tools?: readonly string[] | undefined;
  /** Asked for only where stated (C8). */
  readonly languages?: readonly string[] | undefined;
  readonly toolsets?: readonly string[] | undefined;
  /** Tokens of four UTF-8 bytes, 1 to 2,048; default 2,048 (S1.23, C53). */
  readonly budget?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Stub {
  /** "" where no skill is eligible, or none fits (S2.21). */
  readonly text: string;
  /** Skills shown, and eligible ones left out. */
  readonly count: number;
  readonly remaining: number;
  readonly tokens: number;
  /** Skills hidden only because a tool they require was not named. */
  readonly hiddenByTools: number;
}

/** The L0 text in the seed's exact form and order (S1.20 to S1.24): whole lines only, never over its budget (P7). */
export async function buildStub(view: View, options: StubOptions = {}): Promise<Stub> {
  const budget = checkedBudget(options.budget);
  await view.catalog.fresh({ force: true, signal: options.signal });
  const { driver } = view.catalog;
  const open: Filter = { path: placeIds(view), states: ["active"], forAgents: true, ...statedOnly(options) };
  const filter: Filter = { ...open, tools: options.tools ?? [] };
  const total = await driver.count(filter, options.signal);
  const rows = await driver.list(filter, "seed", LIMITS.stubSkills, 0, options.signal);
  const hiddenByTools = (await driver.count(open, options.signal)) - total;
  const named = new Map<IndexedRow, string>();
  for (const row of rows) named.set(row, await readableName(view, row));
  const stub = fill(rows, total, budget, (row) => named.get(row) ?? row.name);
  if (stub.remaining > 0)
    view.context.log.warn(
      `stub: ${stub.remaining} of ${total} skills are left out (at most ${LIMITS.stubSkills}, ${budget} tokens)`,
    );
  return { ...stub, hiddenByTools };
}

function statedOnly({ languages, toolsets }: StubOptions): Filter {
  return {
    ...(languages === undefined ? {} : { languages }),
    ...(toolsets === undefined ? {} : { toolsets }),
  };
}

function checkedBudget(budget: number | undefined): number {
  if (budget === undefined) return LIMITS.stubTokens;
  if (Number.isInteger(budget) && budget >= 1 && budget <= LIMITS.stubTokens) return budget;
  throw new CanonryError(
    "CANONRY_USAGE",
    `The budget of a stub is a whole number of tokens from 1 to ${LIMITS.stubTokens}; received ${budget}.`,
    { data: { received: budget, least: 1, most: LIMITS.stubTokens } },
  );
}

function head(total: number): string {
  return `## Skills available (L0 stub)\n\nYou have ${total} project-specific skills available. Call \`skill_read(name)\` to load the full body on demand. Do not assume a skill matches — read it first.\n\n`;
}

function lineOf(row: IndexedRow, name: string): string {
  return `- \`${oneLine(name)}\` — ${oneLine(row.summary)}\n`;
}

function tail(remaining: number): string {
  return remaining === 0 ? "" : `plus ${remaining} more — use \`skill_search(query)\`\n`;
}

/** Fills by rank and stops at the first line that does not fit; the tail line's cost is kept free for it (C9). */
function fill(
  rows: readonly IndexedRow[],
  total: number,
  budget: number,
  nameOf: (row: IndexedRow) => string,
): Omit<Stub, "hiddenByTools"> {
  let lines = "";
  let count = 0;
  for (const row of rows) {
    const next = lines + lineOf(row, nameOf(row));
    if (tokenCount(head(total) + next + tail(total - count - 1)) > budget) break;
    lines = next;
    count++;
  }
  if (count === 0) return { text: "", count: 0, remaining: total, tokens: 0 };
  const text = head(total) + lines + tail(total - count);
  return { text, count, remaining: total - count, tokens: tokenCount(text) };
}
