import { CanonryError } from "../core/errors.ts";
import { LIMITS } from "../core/limits.ts";
import { cutBytes } from "../core/text.ts";
import type { Filter } from "../drivers/driver.ts";
import type { StubRank } from "../schema/options.ts";
import { type Explained, explainStub } from "./stub-explained.ts";
import { type Asked, inOrder, withTurns } from "./stub-order.ts";
import { type Filled, fillStub } from "./stub-text.ts";
import { placeIds, type View } from "./view.ts";

export interface StubOptions {
  /** Who it is for ("planner", "worker"): recorded by those who inject it; the text is the same (S2.20, S2.21). */
  readonly role?: string | undefined;
  /** Tools at hand; a skill that requires another is hidden (S1.21). None given means none at hand. */
  readonly tools?: readonly string[] | undefined;
  /** What is to be done, in any words: skills that answer it come first. Blank is as none; its first 4,096 bytes count. */
  readonly task?: string | undefined;
  /** The order without a task, and of what no task asks for: `seed` (default, S1.22) or `evidence` (C12). */
  readonly rank?: StubRank | undefined;
  /** Asked for only where stated (C8). */
  readonly languages?: readonly string[] | undefined;
  readonly toolsets?: readonly string[] | undefined;
  /** Tokens of four UTF-8 bytes, 1 to 2,048; default 2,048 (S1.23, C53). */
  readonly budget?: number | undefined;
  /** Says of every skill why it is in or out. Reads every row: for people who ask, not for each prompt. */
  readonly explain?: boolean | undefined;
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
  /** Only with `explain`: the skills shown, then the eligible ones that are not, then the hidden ones. */
  readonly explained?: readonly Explained[];
}

/**
 * The L0 text in the seed's exact form (S1.20 to S1.24): whole lines only, never over its budget (P7). Pinned skills come
 * first, then those that answer the task, then the others in the order of `rank`. Throws `CANONRY_USAGE` on a budget that
 * there is not.
 */
export async function buildStub(view: View, options: StubOptions = {}): Promise<Stub> {
  const budget = checkedBudget(options.budget);
  await view.catalog.fresh({ force: true, signal: options.signal });
  const { driver } = view.catalog;
  const open: Filter = { path: placeIds(view), states: ["active"], forAgents: true, ...statedOnly(options) };
  const filter: Filter = { ...open, tools: options.tools ?? [] };
  const total = await driver.count(filter, options.signal);
  const hiddenByTools = (await driver.count(open, options.signal)) - total;
  const pins = view.vault.settings.pins ?? [];
  const { rank = "seed", signal } = options;
  const { context, reader } = view;
  const { translate } = context;
  const asked: Asked = { filter, rank, pins, task: taskOf(options.task), translate, reader, total, signal };
  const order = await inOrder(driver, asked);
  const first = await fillStub(view, order, asked, budget);
  const turned = await withTurns(driver, order, first.count, asked, context.clock());
  const filled = turned === order ? first : await fillStub(view, turned, asked, budget);
  warnOfRest(view, filled, asked, budget);
  const { lines, ...stub } = filled;
  if (options.explain !== true) return { ...stub, hiddenByTools };
  return { ...stub, hiddenByTools, explained: await explainStub(view, asked, turned, lines) };
}

function warnOfRest(view: View, { remaining }: Filled, { total, task }: Asked, budget: number): void {
  if (remaining === 0) return;
  const limits = task === undefined ? `at most ${LIMITS.stubSkills}, ${budget} tokens` : `${budget} tokens`;
  view.context.log.warn(`stub: ${remaining} of ${total} skills are left out (${limits})`);
}

function statedOnly({ languages, toolsets }: StubOptions): Filter {
  return {
    ...(languages === undefined ? {} : { languages }),
    ...(toolsets === undefined ? {} : { toolsets }),
  };
}

/** As much of the task as a query is read of. */
function taskOf(task: string | undefined): string | undefined {
  const text = cutBytes(task?.trim() ?? "", LIMITS.queryBytes);
  return text === "" ? undefined : text;
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
