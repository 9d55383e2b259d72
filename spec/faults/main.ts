/**
 * `npm run faults [-- --form=short|long] [--section=NAME | NAME …]`: runs the sections, says how far it is on stderr,
 * prints one table and every finding on stdout. Ends with 1 where something was found, 2 on a wrong argument.
 */
import type { Form, Row, Section } from "./section.ts";
import { SECTIONS } from "./sections.ts";
import { tableOf } from "./table.ts";

interface Asked {
  readonly form: Form;
  readonly names: readonly string[];
}

function asked(args: readonly string[]): Asked | { readonly problem: string } {
  const names = args.flatMap((arg) =>
    arg.startsWith("--section=") ? arg.slice(10).split(",") : arg.startsWith("--") ? [] : [arg],
  );
  const form = args.find((arg) => arg.startsWith("--form="))?.slice(7) ?? "long";
  const odd = args.filter((arg) => arg.startsWith("--") && !/^--(?:form|section)=/.test(arg));
  const known = SECTIONS.map((section) => section.name);
  const unknown = names.filter((name) => !known.includes(name));
  if (odd.length > 0) return { problem: `Unknown option ${odd.join(", ")}. Allowed: --form=, --section=.` };
  if (form !== "short" && form !== "long")
    return { problem: `Unknown form ${JSON.stringify(form)}. Allowed: short, long.` };
  if (unknown.length > 0)
    return { problem: `No section ${unknown.join(", ")}. There are: ${known.join(", ")}.` };
  return { form, names };
}

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
  const wanted = asked(args);
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
