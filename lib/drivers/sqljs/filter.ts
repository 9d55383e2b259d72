import { nameKey } from "../../core/names.ts";
import { PRIOR } from "../../schema/counters.ts";
import type { Filter, Order } from "../driver.ts";
import type { SqlValue } from "./engine.ts";

/** A WHERE clause over the table called `s`, and the values of its question marks in order. */
export interface Condition {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

type Clause = (filter: Filter) => readonly [sql: string, ...values: SqlValue[]] | false;

const IN_LIST = "IN (SELECT value FROM json_each(?))";
/** A row that names none is for everybody; so is one that names "*" (C8). */
const forOneOf = (column: string) =>
  `(s.${column} = '[]' OR EXISTS (SELECT 1 FROM json_each(s.${column}) WHERE value = '*' OR value ${IN_LIST}))`;
const RANK_OF = "(SELECT min(key) FROM json_each(?) WHERE value =";
const SHADOWING = `SELECT 1 FROM skills e WHERE e.name_key = s.name_key AND e.place <> s.place AND e.state = 'active'
  AND ${RANK_OF} e.place) < ${RANK_OF} s.place)`;

/** One entry a field of `Filter`. Those that apply are joined by AND, before any limit (C6). */
const CLAUSES: readonly Clause[] = [
  (f) => f.place !== undefined && ["s.place = ?", f.place],
  (f) => f.path !== undefined && [`s.place ${IN_LIST}`, json(f.path)],
  (f) =>
    f.path !== undefined &&
    f.path.length > 1 &&
    f.shadowed !== true && [`NOT EXISTS (${SHADOWING})`, json(f.path), json(f.path)],
  (f) => f.states !== undefined && [`s.state ${IN_LIST}`, json(f.states)],
  (f) => f.origin !== undefined && ["s.origin = ?", f.origin],
  (f) => f.key !== undefined && ["s.id IN (SELECT id FROM skill_keys WHERE key = ?)", f.key],
  (f) =>
    f.tools !== undefined && [
      "(s.requires_tools = '[]' OR NOT EXISTS (SELECT 1 FROM json_each(s.requires_tools) WHERE value NOT IN (SELECT value FROM json_each(?))))",
      json(f.tools),
    ],
  (f) => f.languages !== undefined && [forOneOf("languages"), json(f.languages)],
  (f) => f.toolsets !== undefined && [forOneOf("toolsets"), json(f.toolsets)],
  (f) => f.forAgents === true && ["s.person_only = 0"],
  (f) => f.taskType !== undefined && ["s.task_type = ?", f.taskType],
  (f) =>
    f.tags !== undefined && [
      `EXISTS (SELECT 1 FROM json_each(s.tag_keys) WHERE value ${IN_LIST})`,
      json(f.tags.map(nameKey)),
    ],
];

export function compileFilter(filter: Filter): Condition {
  const parts = CLAUSES.map((clause) => clause(filter)).filter((part) => part !== false);
  return {
    sql: parts.map(([sql]) => sql).join(" AND ") || "1",
    values: parts.flatMap(([, ...values]) => values),
  };
}

const BY_NAME = "s.name, s.place, s.path";
const NEWEST_FIRST = `s.updated_at DESC, ${BY_NAME}`;

/** ORDER BY lists over the table called `s`; each is total. */
export const ORDERS: Readonly<Record<Order, string>> = {
  // Real division: integers would make 9 of 10 and 0 of 10 the same (C7).
  seed: `CASE WHEN s.uses > 0 THEN CAST(s.wins AS REAL) / s.uses ELSE 0.0 END DESC, s.last_used_at DESC NULLS LAST, ${BY_NAME}`,
  // The same real division as `posterior`, so that both drivers find the same ties.
  evidence: `CAST(s.wins + ${PRIOR.wins} AS REAL) / (s.wins + s.losses + ${PRIOR.wins + PRIOR.losses}) DESC, ${NEWEST_FIRST}`,
  name: BY_NAME,
  recent: NEWEST_FIRST,
};

/** How equal scores are told apart (S3.17). */
export const TIES = ORDERS.recent;

function json(list: readonly string[]): string {
  return JSON.stringify(list);
}
