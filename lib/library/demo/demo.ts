import { existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { isAbsolute, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { Progress } from "../../core/context.ts";
import { CanonryError } from "../../core/errors.ts";
import { sha256 } from "../../core/hash.ts";
import { realPathOf } from "../../core/look.ts";
import { findHostFolders, type HostFolder } from "../../hosts/find.ts";
import { lintFolder } from "../../hosts/lint.ts";
import type { LintedSkill } from "../../hosts/lint-skill.ts";
import { openLibrary } from "../../library.ts";
import { findAlike } from "./alike.ts";
import { DEMO_QUERIES, queriesFrom } from "./queries.ts";
import { readersOf } from "./readers.ts";
import type { DemoFolder, DemoReport, DemoSearch } from "./report.ts";

export interface DemoOptions {
  /** The folder whose repository's folders count. */
  readonly repo: string;
  /** Whose folders count; default the user's own. */
  readonly userHome?: string | undefined;
  readonly driver?: string | undefined;
  readonly engine?: string | undefined;
  readonly progress?: Progress | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A skill file with its real path: links of several folders may lead to it. */
export interface ShelvedSkill extends LintedSkill {
  readonly real: string;
}

export interface Shelf {
  readonly folder: HostFolder;
  readonly shown: string;
  readonly skills: readonly ShelvedSkill[];
}

/** Two texts are shown as nearly the same from here on. */
const ALIKE = 0.6;

/**
 * Looks at the skill folders of hosts, read-only, else at the skills that come with Canonry: who would refuse which,
 * what a host lists, what is there twice, and three searches over an index in a temporary folder that is gone at the
 * end. Throws `CANONRY_ENGINE`, `CANONRY_UNKNOWN_DRIVER`, `CANONRY_ABORTED`.
 */
export async function runDemo(options: DemoOptions): Promise<DemoReport> {
  const started = performance.now();
  const userHome = options.userHome ?? homedir();
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), "canonry-demo-")));
  try {
    const own = await shelve(findHostFolders(userHome, options.repo), scratch, options, userHome);
    const source = own.some((shelf) => shelf.skills.some((one) => one.skill !== undefined)) ? "own" : "demo";
    const shelves = source === "own" ? own : await shelve([demoFolder()], scratch, options, userHome);
    const { searches, indexMs } = await search(shelves, source, scratch, options);
    const texts = textsOf(shelves);
    return {
      source,
      skills: texts.size,
      copies: countOf(shelves) - texts.size,
      folders: shelves.map(folderOf),
      readers: readersOf(shelves, source),
      alike: findAlike([...texts.values()], ALIKE),
      searches,
      next: nextOf(shelves, source),
      indexMs,
      ms: Math.round(performance.now() - started),
    };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function shelve(
  folders: readonly HostFolder[],
  home: string,
  { repo, progress, signal }: DemoOptions,
  userHome: string,
): Promise<Shelf[]> {
  const shelves: Shelf[] = [];
  for (const folder of folders) {
    const { skills } = await lintFolder(folder.dir, { home, progress, signal });
    const shelved = skills.map((one) => ({ ...one, real: realPathOf(one.file) ?? one.file }));
    shelves.push({ folder, shown: shownOf(folder, userHome, repo), skills: shelved });
  }
  return shelves;
}

/** The skills that come with Canonry, beside `lib` or beside `dist`; as if they stood in a folder that all read. */
function demoFolder(): HostFolder {
  for (const up of ["../../../fixtures/demo", "../../../../fixtures/demo"]) {
    const dir = fileURLToPath(new URL(up, import.meta.url));
    if (existsSync(join(dir, "README.md")))
      return { dir, real: dir, scope: "user", readers: ["claude-code", "codex", "hermes"], owners: [] };
  }
  throw new CanonryError("CANONRY_INTERNAL", "The demo skills (fixtures/demo) are not in this package.");
}

/** As a person would type it: from the user's home, or from where they are. */
function shownOf({ dir, scope }: HostFolder, userHome: string, repo: string): string {
  const path = relative(scope === "user" ? userHome : repo, dir).replaceAll("\\", "/");
  if (path === "" || path.startsWith("../") || isAbsolute(path)) return dir;
  return scope === "user" ? `~/${path}` : path;
}

async function search(
  shelves: readonly Shelf[],
  source: DemoReport["source"],
  scratch: string,
  { driver, engine, progress, signal }: DemoOptions,
): Promise<{ searches: DemoSearch[]; indexMs: number }> {
  const from = performance.now();
  const library = await openLibrary({
    home: join(scratch, "home"),
    fingerprint: "*",
    dsn: ":memory:",
    ...(driver === undefined ? {} : { driver }),
    ...(engine === undefined ? {} : { engine }),
  });
  try {
    await library.mount(shelves.map((shelf) => shelf.folder.dir));
    await library.reindex({ ...(progress && { progress }), ...(signal && { signal }) });
    await library.search("skill");
    const indexMs = Math.round(performance.now() - from);
    const skills = shelves.flatMap((shelf) => shelf.skills.flatMap(({ skill }) => skill ?? []));
    const searches: DemoSearch[] = [];
    for (const query of source === "demo" ? DEMO_QUERIES : queriesFrom(skills)) {
      const asked = performance.now();
      const { hits } = await library.search(query, { limit: 3, ...(signal && { signal }) });
      const ms = Math.round((performance.now() - asked) * 10) / 10;
      searches.push({ query, ms, hits: hits.map(({ name, description }) => ({ name, description })) });
    }
    return { searches, indexMs };
  } finally {
    await library.close();
  }
}

/** Each text once under its name: copies in several folders are one. */
function textsOf(shelves: readonly Shelf[]): Map<string, { name: string; text: string }> {
  const texts = new Map<string, { name: string; text: string }>();
  for (const { skill } of shelves.flatMap(({ skills }) => skills))
    if (skill !== undefined)
      texts.set(`${skill.name}\n${sha256(skill.body)}`, { name: skill.name, text: skill.body });
  return texts;
}

/** Files that give a skill, each real one once. */
function countOf(shelves: readonly Shelf[]): number {
  const files = shelves.flatMap(({ skills }) => skills.filter((one) => one.skill !== undefined));
  return new Set(files.map((one) => one.real)).size;
}

function folderOf({ folder, shown, skills }: Shelf): DemoFolder {
  const read = skills.filter((one) => one.skill !== undefined).length;
  return { dir: folder.dir, shown, skills: read, unreadable: skills.length - read, hosts: folder.readers };
}

/** As many as a line has room for. */
const SHOWN_FOLDERS = 2;

function keepThem(folders: number): string {
  return folders > SHOWN_FOLDERS
    ? `index these; above are ${folders - SHOWN_FOLDERS} more`
    : "keep an index of them";
}

function nextOf(shelves: readonly Shelf[], source: DemoReport["source"]): DemoReport["next"] {
  const full = shelves
    .filter((shelf) => shelf.skills.length > 0)
    .map(({ shown, folder }) => typed(shown, folder.dir));
  const [first = "DIR"] = source === "own" ? full : [];
  return [
    {
      command: `canonry-reindex ${source === "own" ? full.slice(0, SHOWN_FOLDERS).join(" ") : first}`,
      says: source === "own" ? keepThem(full.length) : "index a folder of your own skills",
    },
    { command: "canonry search WORDS", says: "then ask, in any language" },
    { command: `canonry lint ${first}`, says: "all findings, by line" },
  ];
}

function typed(shown: string, dir: string): string {
  if (/^[\w~./-]+$/.test(shown)) return shown;
  return `'${dir.replaceAll("'", "'\\''")}'`;
}
