import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { silentLog } from "../../../lib/core/context.ts";
import { type Library, openLibrary } from "../../../lib/library.ts";
import { MARKDOWN_FUZZ } from "../../markdown/fuzz.ts";
import { readPrefixes, skillsToCut } from "../../markdown/prefixes.ts";
import { retrievalFuzz } from "../../retrieval/fuzz.ts";
import type { Fuzz } from "../../support/fuzz.ts";
import { vaultFuzz } from "../../vault/fuzz.ts";
import { readCutLedger } from "../../vault/ledger-cuts.ts";
import type { Row, Scale, Section } from "../section.ts";
import { withFolder } from "../temporary.ts";

/** Runs of one promise at the share of 1. */
const RUNS = { short: 400, long: 80_000 } as const;

async function runFuzz(one: Fuzz, runs: number, log: (line: string) => void): Promise<Row> {
  const trials = Math.max(1, Math.round(runs * (one.share ?? 1)));
  const seed = runs === RUNS.short ? 1 : Date.now() % 1_000_000_000;
  log(`${one.name}: ${trials} runs, seed ${seed}`);
  const failed = await one.run(runs, seed);
  return { fault: `any input: ${one.name}`, trials, findings: failed === undefined ? [] : [failed] };
}

async function openStage(root: string): Promise<Library> {
  for (const name of ["pdf-merge", "deploy", "flaky"]) {
    mkdirSync(join(root, "skills", name), { recursive: true });
    const text = `---\nname: ${name}\ndescription: "What ${name} is for, AND 部署"\n---\n\n# ${name}\n\nText.\n`;
    writeFileSync(join(root, "skills", name, "SKILL.md"), text);
  }
  const library = await openLibrary({
    home: join(root, "home"),
    fingerprint: "0123456789ab",
    log: silentLog,
  });
  await library.mount([join(root, "skills")]);
  return library;
}

/** T-R6: every prefix of two hundred skills, every cut of a ledger of two hundred lines. */
function cutRows(root: string, long: boolean): Row[] {
  const skills = skillsToCut(200).map((bytes) => readPrefixes(bytes, long ? 1 : 29));
  const ledger = readCutLedger(join(root, "cuts"), 200, long ? 1 : 211);
  return [
    {
      fault: "cut skills (T-R6)",
      trials: skills.reduce((sum, one) => sum + one.read, 0),
      findings: skills.flatMap((one, at) => one.thrown.map((what) => `skill ${at}: ${what}`)).slice(0, 10),
    },
    { fault: "cut ledger (T-R6)", trials: ledger.cuts, findings: ledger.findings.slice(0, 10) },
  ];
}

export const fuzzing: Section = {
  name: "any input",
  cannotRun: () => undefined,
  run: ({ form, log }: Scale) =>
    withFolder(async (root) => {
      const library = await openStage(root);
      try {
        const promises = [...MARKDOWN_FUZZ, ...vaultFuzz(join(root, "state")), ...retrievalFuzz(library)];
        const rows: Row[] = [];
        for (const one of promises) rows.push(await runFuzz(one, RUNS[form], log));
        return [...rows, ...cutRows(root, form === "long")];
      } finally {
        await library.close();
      }
    }),
};
