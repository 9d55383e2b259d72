import type { Row } from "./section.ts";

/** Rows of all sections as text: what was injected, how often, what was found, what was measured. */
export function tableOf(rows: readonly { readonly section: string; readonly row: Row }[]): string {
  const cells = [
    ["section", "fault", "trials", "findings", "measured"],
    ...rows.map(({ section, row }) => [
      section,
      row.fault,
      String(row.trials),
      String(row.findings.length),
      Object.entries(row.figures ?? {})
        .map(([name, value]) => `${name} ${value}`)
        .join(", "),
    ]),
  ];
  const widths = (cells[0] ?? []).map((_, column) =>
    Math.max(...cells.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
      .join("  ")
      .trimEnd();
  const [head = [], ...rest] = cells;
  const rule = widths.map((width, column) => "-".repeat(column === widths.length - 1 ? 8 : width));
  return [head, rule, ...rest].map(line).join("\n");
}
