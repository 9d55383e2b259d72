import { nameKey } from "../../core/names.ts";
import type { IndexedRow } from "../../schema/row.ts";
import type { Filter } from "../driver.ts";

/** The rows that count, each field of the filter on a line of its own. */
export function selectRows(rows: readonly IndexedRow[], filter: Filter): IndexedRow[] {
  const tags = filter.tags?.map(nameKey);
  const isShadowed = shadowsOf(rows, filter.shadowed === true ? undefined : filter.path);
  return rows.filter(
    (row) =>
      (filter.place === undefined || row.place === filter.place) &&
      (filter.path === undefined || filter.path.includes(row.place)) &&
      (filter.states === undefined || filter.states.includes(row.state)) &&
      (filter.origin === undefined || row.origin === filter.origin) &&
      (filter.key === undefined || row.keys.includes(filter.key)) &&
      (filter.tools === undefined || row.requiresTools.every((tool) => filter.tools?.includes(tool))) &&
      (filter.languages === undefined || isForOneOf(row.languages, filter.languages)) &&
      (filter.toolsets === undefined || isForOneOf(row.toolsets, filter.toolsets)) &&
      (filter.forAgents !== true || !row.personOnly) &&
      (filter.taskType === undefined || row.taskType === filter.taskType) &&
      (tags === undefined || row.tags.some((tag) => tags.includes(nameKey(tag)))) &&
      !isShadowed(row),
  );
}

function isForOneOf(named: readonly string[], wanted: readonly string[]): boolean {
  return named.length === 0 || named.some((one) => one === "*" || wanted.includes(one));
}

/** Whether an active row of the same name stands in an earlier place of the path. */
function shadowsOf(
  rows: readonly IndexedRow[],
  path: readonly string[] | undefined,
): (row: IndexedRow) => boolean {
  if (path === undefined) return () => false;
  const rank = (row: IndexedRow) => path.indexOf(row.place);
  const first = new Map<string, number>();
  for (const row of rows) {
    const [key, own] = [nameKey(row.name), rank(row)];
    if (row.state === "active" && own !== -1) first.set(key, Math.min(own, first.get(key) ?? own));
  }
  return (row) => (first.get(nameKey(row.name)) ?? Number.POSITIVE_INFINITY) < rank(row);
}
