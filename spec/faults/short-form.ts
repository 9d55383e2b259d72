import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import type { Section } from "./section.ts";
import { tableOf } from "./table.ts";

/** For `test`: skips with the section's own reason where it cannot run here. */
export function unlessItCannot(section: Section): { skip: string | false } {
  return { skip: section.cannotRun() ?? false };
}

/** Runs the short form: something was tried, nothing was found. The rows go into the report of the spec. */
export async function findsNothing(context: TestContext, section: Section): Promise<void> {
  const rows = await section.run({ form: "short", log: (line) => context.diagnostic(line) });
  for (const line of tableOf(rows.map((row) => ({ section: section.name, row }))).split("\n"))
    context.diagnostic(line);
  assert.deepEqual(
    rows.flatMap((row) => row.findings.map((finding) => `${row.fault}: ${finding}`)),
    [],
  );
  assert.ok(
    rows.every((row) => row.trials > 0),
    "nothing was tried",
  );
}
