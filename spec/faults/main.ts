/**
 * `npm run faults [-- --form=short|long] [--section=NAME | NAME …] [--help]`: runs the sections, says how far it is on
 * stderr, prints one table and every finding on stdout. Ends with 1 where something was found, 2 on a wrong argument.
 */
import { asked } from "./asked.ts";
import type { Form, Row, Section } from "./section.ts";
import { SECTIONS } from "./sections.ts";
import { tableOf } from "./table.ts";

async function runSection(section: Section, form: Form): Promise<Row[]> {
  const why = section.cannotRun();
  if (why !== undefined) return [{ fault: `not run: ${why}`, trials: 0, findings: [] }];
  const log = (line: string) => console.error(`faults: ${line}`);
  const began = performance.now();
  try {
    return await section.run({ form, log });
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return [{ fault: "the harness itself", trials: 0, findings: [`it broke: ${text}`] }];
  } finally {
    log(`${section.name} took ${((performance.now() - began) / 1_000).toFixed(1)} s`);
  }
}

async function main(args: readonly string[]): Promise<number> {
  const wanted = asked(args, SECTIONS);
  if ("help" in wanted) {
    console.log(wanted.help);
    return 0;
  }
  if ("problem" in wanted) {
    console.error(`faults: ${wanted.problem}`);
    return 2;
  }
  const chosen = SECTIONS.filter(({ name }) => wanted.names.length === 0 || wanted.names.includes(name));
  const rows: { section: string; row: Row }[] = [];
  for (const section of chosen)
    for (const row of await runSection(section, wanted.form)) rows.push({ section: section.name, row });
  console.log(tableOf(rows));
  const findings = rows.flatMap(({ section, row }) => row.findings.map((one) => `${section}: ${one}`));
  console.log(findings.length === 0 ? "\nNothing found." : `\n${findings.length} findings:`);
  for (const finding of findings) console.log(`- ${finding}`);
  return findings.length === 0 ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
