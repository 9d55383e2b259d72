import { posterior } from "../schema/counters.ts";
import type { IndexedRow } from "../schema/row.ts";
import type { Order } from "./driver.ts";

type Compare = (a: IndexedRow, b: IndexedRow) => number;

/** By code points, as SQLite compares UTF-8; `<` on strings compares UTF-16 units. */
export function compareText(a: string, b: string): number {
  return a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** Real division; 0 without uses (C7). */
function winRate({ counters }: IndexedRow): number {
  return counters.uses > 0 ? counters.wins / counters.uses : 0;
}

const byName: Compare = (a, b) =>
  compareText(a.name, b.name) || compareText(a.place, b.place) || compareText(a.path, b.path);
const newestUse: Compare = (a, b) => compareText(b.counters.lastUsedAt ?? "", a.counters.lastUsedAt ?? "");

const newestFirst: Compare = (a, b) => compareText(b.updatedAt, a.updatedAt) || byName(a, b);

export const ORDERS: Readonly<Record<Order, Compare>> = {
  seed: (a, b) => winRate(b) - winRate(a) || newestUse(a, b) || byName(a, b),
  evidence: (a, b) => posterior(b.counters) - posterior(a.counters) || newestFirst(a, b),
  name: byName,
  recent: newestFirst,
};
