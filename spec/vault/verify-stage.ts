import assert from "node:assert/strict";
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync } from "node:fs";
import { join, relative } from "node:path";
import { sha256 } from "../../lib/core/hash.ts";
import { openLibrary, verifyHome } from "../../lib/library.ts";
import { openVault } from "../../lib/vault/vault.ts";
import { temporaryFolder, writeTree } from "../support/home.ts";
import { canonFile } from "../support/library.ts";

export const NAME = "retry-flaky-test";
export const CANON = `universal/canon/${NAME}.md`;
export const FIRST = canonFile(NAME, {}, "One.");
export const SECOND = canonFile(NAME, { version: "2" }, "Two.");
export const LEDGER = "ledger/m-1-2026-01.ndjson";

const CANDIDATE =
  '---\nkind: skill\nproposed_by: planner\nwave: 1\nrun_id: "r"\ntrigger: "when"\nstatus: new\ncreated_at: "2026-01-02T03:04:05.000Z"\n---\n\n# Note\n\nText.\n';

export const eventLine = (id: string, more = "") =>
  `{"id":"${id}","ts":"2026-01-02T03:04:05.000Z","event":"hydrated"${more}}`;

/** Path of the kept object of a text, below the home. */
export function objectOf(text: string): string {
  const hash = sha256(text);
  return `versions/objects/${hash.slice(0, 2)}/${hash}`;
}

/** Path of a version's manifest, below the home. */
export function manifestOf(version: number, text: string): string {
  return `versions/universal/${NAME}/${version}-${sha256(text).slice(0, 8)}.json`;
}

/** A whole, small home: a skill of two versions with a file beside it, a candidate, ledger, journal, an index. */
export async function makeHome(): Promise<string> {
  const home = join(temporaryFolder(), "home");
  writeTree(home, {
    "universal/candidates/2026-01-02T03-04-05Z-planner.md": CANDIDATE,
    [`universal/canon/${NAME}/references/limits.md`]: "Limits.\n",
    [LEDGER]: `\n${eventLine("e1")}\n\n${eventLine("e2")}\n`,
    "gate/m-1.ndjson": '{"verdict":"pass"}\n',
    "local/slots/0123456789abcdef01234567/slot-1": '{"runId":"r","wave":1,"agent":"a","skill":"s"}\n',
  });
  const vault = openVault({ home, create: true });
  const shared = {
    kind: "put",
    fingerprint: "*",
    name: NAME,
    target: CANON,
    by: "librarian",
    runId: "r",
  } as const;
  for (const [i, text] of [FIRST, SECOND].entries())
    vault.commit({
      ...shared,
      content: text,
      base: i === 0 ? null : sha256(FIRST),
      version: i + 1,
      verdict: "v",
      journal: `### ${NAME} ${i + 1}`,
      event: { event: "patched", fingerprint: "*", skill: NAME, version: i + 1 },
    });
  vault.close();
  const library = await openLibrary({ home, fingerprint: "*" });
  await library.mount([mountedFolder()]);
  await library.reindex();
  await library.close();
  return home;
}

function mountedFolder(): string {
  const folder = join(temporaryFolder(), "skills");
  mkdirSync(folder);
  return folder;
}

/** A copy of a home, to be damaged. */
export function copyOf(home: string): string {
  const copy = join(temporaryFolder(), "home");
  cpSync(home, copy, { recursive: true, preserveTimestamps: true });
  return copy;
}

/** What verify finds, as `severity path:line CODE`, and what it says; of the index too where that is asked for. */
export async function verified(
  home: string,
  driver: "sqljs" | "memory" = "memory",
): Promise<{ lines: string[]; says: string }> {
  const { findings } = await verifyHome({ home, driver });
  return {
    lines: findings.map((one) => `${one.severity} ${relative(home, one.file)}:${one.line} ${one.code}`),
    says: findings.map((one) => `${one.message} → ${one.next}`).join("\n"),
  };
}

/** The whole tree: names, bytes and times, to see that nothing was touched. */
export function treeOf(home: string): string[] {
  return readdirSync(home, { recursive: true, withFileTypes: true })
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const { mtimeMs, mode } = statSync(path);
      const bytes = entry.isFile() ? sha256(readFileSync(path)) : "";
      return `${relative(home, path)} ${mtimeMs} ${mode} ${bytes}`;
    })
    .sort();
}

/** Makes a file look as old as an hour. */
export function age(path: string): void {
  const then = Date.now() / 1_000 - 3_600;
  utimesSync(path, then, then);
}

/** Damages a copy of the whole home, and compares all that is found with what is expected, to the line. */
export async function finds(
  whole: string,
  damage: (home: string) => void,
  lines: readonly string[],
  says: RegExp,
  driver?: "sqljs",
): Promise<void> {
  const home = copyOf(whole);
  damage(home);
  const found = await verified(home, driver);
  assert.deepEqual(found.lines, lines, says.source);
  assert.match(found.says, says);
}

export const edit = (path: string, change: (text: string) => string) => (home: string) =>
  writeTree(home, { [path]: change(readFileSync(join(home, path), "utf8")) });
export const write = (path: string, text: string) => (home: string) => writeTree(home, { [path]: text });
