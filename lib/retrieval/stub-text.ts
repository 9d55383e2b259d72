import { LIMITS } from "../core/limits.ts";
import { oneLine, summaryOf, tokenCount } from "../core/text.ts";
import type { IndexedRow } from "../schema/row.ts";
import { readableName } from "./resolve.ts";
import type { Asked, Ordered } from "./stub-order.ts";
import type { View } from "./view.ts";

export interface Filled {
  readonly text: string;
  readonly count: number;
  readonly remaining: number;
  readonly tokens: number;
  /** The line of each skill shown, in order. */
  readonly lines: readonly Line[];
}

export interface Line {
  readonly row: IndexedRow;
  /** What `skill_read` takes for this very skill. */
  readonly name: string;
  readonly text: string;
}

/**
 * Whole lines in order, as many as the budget holds. With a task whose answers do not all fit, lines behind the thirty
 * of S2.2 show less of a description, so that more skills have one.
 */
export async function fillStub(
  view: View,
  order: readonly Ordered[],
  { total, task }: Asked,
  budget: number,
): Promise<Filled> {
  const names = new Map<IndexedRow, string>();
  const nameOf = async (row: IndexedRow): Promise<string> => {
    const name = names.get(row) ?? (await readableName(view, row));
    names.set(row, name);
    return name;
  };
  const fillBy = (charsAt: (at: number) => number) =>
    fill(total, budget, async (at) => {
      const row = order[at]?.row;
      if (row === undefined) return undefined;
      const name = await nameOf(row);
      return { row, name, text: lineOf(name, row.summary, charsAt(at)) };
    });
  const whole = await fillBy(() => LIMITS.summaryChars);
  if (task === undefined || whole.count === order.length) return whole;
  return fillBy((at) => (at < LIMITS.stubSkills ? LIMITS.summaryChars : LIMITS.stubShortChars));
}

/** Stops at the first line that does not fit; the tail line's cost is kept free for it (C9). */
async function fill(
  total: number,
  budget: number,
  lineAt: (at: number) => Promise<Line | undefined>,
): Promise<Filled> {
  const lines: Line[] = [];
  let shown = "";
  for (let line = await lineAt(0); line !== undefined; line = await lineAt(lines.length)) {
    const next = shown + line.text;
    if (tokenCount(head(total) + next + tail(total - lines.length - 1)) > budget) break;
    shown = next;
    lines.push(line);
  }
  const remaining = total - lines.length;
  const text = lines.length === 0 ? "" : head(total) + shown + tail(remaining);
  return { text, count: lines.length, remaining, tokens: tokenCount(text), lines };
}

function head(total: number): string {
  return `## Skills available (L0 stub)\n\nYou have ${total} project-specific skills available. Call \`skill_read(name)\` to load the full body on demand. Do not assume a skill matches — read it first.\n\n`;
}

export function lineOf(name: string, summary: string, chars: number = LIMITS.summaryChars): string {
  return `- \`${oneLine(name)}\` — ${summaryOf(summary, chars)}\n`;
}

function tail(remaining: number): string {
  return remaining === 0 ? "" : `plus ${remaining} more — use \`skill_search(query)\`\n`;
}
