import { counted } from "../core/text.ts";
import type { Finding } from "../schema/finding.ts";
import { glanceAt } from "../vault/glance.ts";
import type { HealthLine } from "./health.ts";
import type { View } from "./view.ts";

/** What crashes, damage and other programs have left in the vault: one line a kind, and each that is a problem. */
export async function remains({
  vault,
  context,
}: View): Promise<{ lines: HealthLine[]; problems: Finding[] }> {
  const kinds = new Map<string, { check: string; first: Finding; count: number }>();
  const problems: Finding[] = [];
  for await (const { check, finding } of glanceAt(vault.layout, context.clock())) {
    if (finding.severity === "problem") problems.push(finding);
    const key = `${check} ${finding.severity} ${finding.code} ${finding.next}`;
    const kind = kinds.get(key) ?? { check, first: finding, count: 0 };
    kinds.set(key, { ...kind, count: kind.count + 1 });
  }
  return { lines: [...kinds.values()].map(lineOf), problems };
}

function lineOf({ check, first, count }: { check: string; first: Finding; count: number }): HealthLine {
  const { severity, file, line, message, next } = first;
  const where = line > 1 ? `${file}:${line}` : file;
  return {
    check,
    status: severity,
    message: count === 1 ? `${where}: ${message}` : `${counted(count, "case")} like ${where}: ${message}`,
    next,
  };
}
