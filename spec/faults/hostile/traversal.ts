import { silentLog } from "../../../lib/core/context.ts";
import { type Library, openLibrary } from "../../../lib/library.ts";
import { openVault, type Vault } from "../../../lib/vault/vault.ts";
import { layOut, type Outside, treeHash } from "../../vault/outside.ts";
import { traversalStrings } from "../../vault/traversal-strings.ts";
import type { Row, Scale, Section } from "../section.ts";
import { withFolder } from "../temporary.ts";
import { diskEntries, type Entry, libraryEntries, ruleEntries } from "./traversal-entries.ts";

const FINDINGS = 20;

/** How many strings each kind of entry is tried with; a whole search through the library takes its time. */
interface Portions {
  readonly rules: number;
  readonly disk: number;
  readonly library: number;
}

const LONG: Portions = { rules: 1, disk: 1, library: 1 };
/** Every so manieth string. */
const SHORT: Portions = { rules: 4, disk: 16, library: 128 };

async function runEntry(entry: Entry, strings: readonly string[], every: number): Promise<Row> {
  const findings: string[] = [];
  let trials = 0;
  for (let at = 0; at < strings.length && findings.length < FINDINGS; at += every) {
    const text = strings[at] ?? "";
    trials++;
    const found = await entry.attempt(text);
    if (found !== undefined) findings.push(`${JSON.stringify(text.slice(0, 120))} ${found}`);
  }
  return { fault: `traversal: ${entry.name}`, trials, findings };
}

async function runAll(stage: Outside, vault: Vault, library: Library, portions: Portions): Promise<Row[]> {
  const strings = traversalStrings();
  const rows: Row[] = [];
  for (const entry of ruleEntries(vault)) rows.push(await runEntry(entry, strings, portions.rules));
  for (const entry of diskEntries(stage, vault)) rows.push(await runEntry(entry, strings, portions.disk));
  for (const entry of libraryEntries(library)) rows.push(await runEntry(entry, strings, portions.library));
  return rows;
}

/** Runs in `root`, which is given and taken away by the caller. */
export async function tryTraversal(root: string, portions: Portions): Promise<Row[]> {
  const stage = layOut(root);
  const vault = openVault({ home: stage.home, create: true });
  const library = await openLibrary({ home: stage.home, fingerprint: "*", log: silentLog });
  try {
    await library.mount([stage.skills]);
    const before = treeHash(root, [stage.home]);
    const rows = await runAll(stage, vault, library, portions);
    const after = treeHash(root, [stage.home]);
    const kept = { fault: "traversal: what stands outside is as it was", trials: 1 };
    return [...rows, { ...kept, findings: before === after ? [] : [`something changed below ${root}`] }];
  } finally {
    await library.close();
    vault.close();
  }
}

export const traversal: Section = {
  name: "traversal",
  cannotRun: () => undefined,
  run: ({ form }: Scale) => withFolder((root) => tryTraversal(root, form === "long" ? LONG : SHORT)),
};
