import { LIMITS } from "../core/limits.ts";
import { nameKey } from "../core/names.ts";
import { stem } from "../core/stem.ts";
import { indexTerms, queryTerms } from "../core/terms.ts";
import { counted, tokenCount } from "../core/text.ts";
import type { IndexDriver } from "../drivers/driver.ts";
import { posterior } from "../schema/counters.ts";
import type { StubRank } from "../schema/options.ts";
import { type IndexedRow, rowId } from "../schema/row.ts";
import type { Asked, Ordered } from "./stub-order.ts";
import { type Line, lineOf } from "./stub-text.ts";
import { placeIds, type View } from "./view.ts";

/** Why a skill is in a stub, or is not. */
export interface Explained {
  /** What the stub calls it; of one that is left out, its own name. */
  readonly name: string;
  /** "" for a pin that no skill is called by. */
  readonly place: string;
  readonly in: boolean;
  /** From 1 on, of the eligible; null for what is hidden. */
  readonly rank: number | null;
  readonly reason: string;
  /** Of one that answers the task: 0 to 1 within this stub. */
  readonly score?: number;
  /** What its line costs, or would cost whole. */
  readonly tokens: number;
}

/** Every skill of the reading path: those shown, the eligible that are left out, the hidden by name, pins of nothing. */
export async function explainStub(
  view: View,
  asked: Asked,
  order: readonly Ordered[],
  lines: readonly Line[],
): Promise<Explained[]> {
  const { driver } = view.catalog;
  const known = new Set(order.map(({ row }) => rowId(row)));
  const rest = (await driver.list(asked.filter, asked.rank, undefined, 0, asked.signal))
    .filter((row) => !known.has(rowId(row)))
    .map((row): Ordered => ({ row, why: "rank" }));
  const eligible = [...order, ...rest];
  const wordsIn = await createWords(driver, asked);
  const explained = eligible.map((one, at) => {
    const reasons = [at < lines.length ? "" : whyOut(at, asked), whyOf(one, asked.rank, wordsIn)];
    return explain(one, { at, line: lines[at], reason: reasons.filter((text) => text !== "").join("; ") });
  });
  return [...explained, ...(await explainHidden(view, asked, eligible))];
}

function explain(
  { row, score }: Pick<Ordered, "row" | "score">,
  { at, line, reason }: { at?: number; line?: Line | undefined; reason: string },
): Explained {
  return {
    name: line?.name ?? row.name,
    place: row.place,
    in: line !== undefined,
    rank: at === undefined ? null : at + 1,
    reason,
    ...(score === undefined ? {} : { score }),
    tokens: tokenCount(line?.text ?? lineOf(row.name, row.summary)),
  };
}

function whyOf({ row, why, alike }: Ordered, rank: StubRank, wordsIn: (row: IndexedRow) => string): string {
  if (alike !== undefined) return `near-identical to ${alike.name}`;
  if (why === "pinned") return "pinned in settings.json";
  if (why === "task") return `matches the task${wordsIn(row)}`;
  return why === "turn" ? `its turn today; ${worth(row, rank)}` : worth(row, rank);
}

/** What the order went by. */
function worth({ counters: { uses, wins, losses } }: IndexedRow, rank: StubRank): string {
  if (rank === "seed") return `seed order: ${counted(wins, "win")} in ${counted(uses, "use")}`;
  const share = posterior({ wins, losses }).toFixed(2);
  return `evidence ${share}: ${counted(wins, "win")}, ${counted(losses, "loss", "losses")}`;
}

function whyOut(at: number, { task }: Asked): string {
  const most = task === undefined ? LIMITS.stubSkills : LIMITS.stubTaskSkills;
  return at < most ? "over the budget" : `over the limit of ${most} skills`;
}

const WORDS = 5;

/** The rarest words of the task that a row's name, title, description, triggers and tags hold, translated ones too. */
async function createWords(
  driver: IndexDriver,
  { task = "", translate, signal }: Asked,
): Promise<(row: IndexedRow) => string> {
  const terms = [...new Set([...queryTerms(task, LIMITS.queryWords), ...translate(task)])];
  const { holding } = await driver.frequencies(terms, "all", signal);
  const rarest = terms
    .map((term, at) => ({ term, stem: stem(term), holding: holding[at] ?? 0 }))
    .sort((a, b) => a.holding - b.holding);
  return ({ name, title, description, triggers, tags }) => {
    const text = [name, title, description, ...triggers, ...tags].join("\n");
    const stems = new Set([...indexTerms(text).split(" "), ...translate(text)].map(stem));
    const found = rarest.filter((one) => stems.has(one.stem)).slice(0, WORDS);
    return found.length === 0 ? " in its text" : `: ${found.map(({ term }) => term).join(", ")}`;
  };
}

async function explainHidden(view: View, asked: Asked, eligible: readonly Ordered[]): Promise<Explained[]> {
  const path = placeIds(view);
  const all = await view.catalog.driver.list({ path, shadowed: true }, "name", undefined, 0, asked.signal);
  const shown = new Set(eligible.map(({ row }) => rowId(row)));
  const firstPlace = firstPlaces(all, path);
  const pins = new Map(asked.pins.map((pin) => [nameKey(pin), pin]));
  const hidden = all
    .filter((row) => !shown.has(rowId(row)))
    .map((row) => {
      const isPinned = row.keys.some((key) => pins.has(key));
      const why = whyHidden(row, asked, firstPlace.get(nameKey(row.name)));
      return explain({ row }, { reason: isPinned ? `pinned, but ${why}` : why });
    });
  for (const key of all.flatMap((row) => row.keys)) pins.delete(key);
  const unknown = Array.from(pins.values(), (name) => ({
    ...{ name, place: "", in: false, rank: null, tokens: 0 },
    reason: "pinned, but no skill of the reading path is called so",
  }));
  return [...hidden, ...unknown];
}

/** The place that each name is first active in. */
function firstPlaces(rows: readonly IndexedRow[], path: readonly string[]): Map<string, string> {
  const first = new Map<string, string>();
  const isEarlier = (place: string, than: string | undefined) =>
    than === undefined || path.indexOf(place) < path.indexOf(than);
  for (const { name, place, state } of rows)
    if (state === "active" && isEarlier(place, first.get(nameKey(name)))) first.set(nameKey(name), place);
  return first;
}

function whyHidden(row: IndexedRow, { filter }: Asked, first: string | undefined): string {
  if (row.state !== "active") return row.state;
  if (row.personOnly) return "only a person may call it up";
  if (first !== undefined && first !== row.place) return `shadowed by ${first}`;
  const missing = row.requiresTools.filter((tool) => filter.tools?.includes(tool) === false);
  if (missing.length > 0) return `requires ${missing.join(", ")}: not at hand`;
  const [kind, own] = isForNone(row.languages, filter.languages)
    ? ["languages", row.languages]
    : ["toolsets", row.toolsets];
  return `for the ${kind} ${own.join(", ")} alone`;
}

function isForNone(own: readonly string[], wanted: readonly string[] | undefined): boolean {
  return wanted !== undefined && own.length > 0 && !own.some((one) => one === "*" || wanted.includes(one));
}
