import { cpSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createContext } from "../../../lib/core/context.ts";
import openMemory from "../../../lib/drivers/memory.ts";
import type { Engine } from "../../../lib/drivers/sqljs/engine.ts";
import { engines } from "../../../lib/drivers/sqljs/engines.ts";
import { readSeedIndex } from "../../../lib/drivers/sqljs/seed.ts";
import { withEngine } from "../../../lib/drivers/sqljs.ts";
import { openCatalog } from "../../../lib/indexing/catalog.ts";
import { readSkill } from "../../../lib/retrieval/hydrate.ts";
import { listSkills } from "../../../lib/retrieval/list.ts";
import { createRowReader } from "../../../lib/retrieval/row-words.ts";
import { searchSkills } from "../../../lib/retrieval/search.ts";
import { buildStub } from "../../../lib/retrieval/stub.ts";
import type { View } from "../../../lib/retrieval/view.ts";
import { openVault } from "../../../lib/vault/vault.ts";
import { writeTree } from "../../support/home.ts";
import { canonFile, REPO, skill } from "../../support/library.ts";

const SKILLS = 60;
const WORDS = [
  "copper",
  "kettle",
  "walrus",
  "zebra",
  "lantern",
  "harbour",
  "flaky",
  "retry",
  "docker",
  "検索",
];
const QUERIES = [...WORDS, "copper kettle", "skill-07", "hidden-skill", "nothing-of-that-kind"];

/** One home with an index of three generations, and what stood there of each. */
export interface DamageStage {
  readonly home: string;
  readonly dsn: string;
  /** `<home>/local/index`. */
  readonly claims: string;
  readonly engine: Engine;
  /** The newest image; an older one of the same home; one of another home with the same skills. */
  readonly image: Buffer;
  readonly older: Buffer;
  readonly foreign: Buffer;
  /** A folder outside the home, for links to lead to. */
  readonly outside: string;
  /** Puts the index back as it was. */
  restore(): void;
  open(): Promise<Opened>;
}

export interface Opened {
  readonly warnings: readonly string[];
  answers(): Promise<string>;
  /** Writes the index if there is something to write. */
  keep(): Promise<void>;
  close(): Promise<void>;
}

function textOf(at: number): string {
  const words = [at, at * 3 + 1, at * 7 + 2].map((n) => WORDS[n % WORDS.length]);
  const name = `skill-${String(at).padStart(2, "0")}`;
  return canonFile(
    name,
    { description: `"About ${words.join(" and ")}, number ${at}"` },
    words.join(" ").repeat(9),
  );
}

function fill(home: string): void {
  const names = Array.from({ length: SKILLS }, (_, at) => at);
  writeTree(
    home,
    Object.fromEntries(
      names.map((at) => [`${REPO}/canon/skill-${String(at).padStart(2, "0")}.md`, textOf(at)]),
    ),
  );
  writeTree(home, { [`${REPO}/quarantine/hidden-skill.md`]: canonFile("hidden-skill") });
  writeTree(home, { "universal/canon/broken.md": "---\nname: [\n---\n" });
}

export async function makeStage(folder: string): Promise<DamageStage> {
  const [home, other, outside] = [join(folder, "home"), join(folder, "other"), join(folder, "outside")];
  for (const one of [home, other, outside]) mkdirSync(one);
  const engine = await engines.get("sqlite-wasm")();
  const pack = join(folder, "pack");
  writeTree(pack, { "mounted/SKILL.md": skill("mounted", "A copper skill of a pack") });
  const dsn = join(home, "index.sqlite");
  const build = async (at: string, act: (view: View) => Promise<void>) => {
    const { view, close } = await openView(at, engine, []);
    await act(view);
    await view.catalog.reindex({});
    await close();
    return readFileSync(join(at, "index.sqlite"));
  };
  fill(home);
  const older = await build(home, async ({ vault }) => void vault.mount([pack], "*"));
  writeTree(home, { [`${REPO}/canon/skill-03.md`]: canonFile("skill-03", {}, "A later text of copper.") });
  await build(home, async (view) => {
    for (const name of ["skill-01", "skill-02", "skill-01"])
      await readSkill(view, name, { runId: "r", wave: 1 });
  });
  rmSync(join(home, REPO, "canon", "skill-59.md"));
  writeTree(home, { [`${REPO}/canon/added.md`]: canonFile("added", {}, "walrus walrus") });
  await pastYouth();
  const image = await build(home, async () => {});
  cpSync(home, other, {
    recursive: true,
    filter: (path) => !/index\.sqlite|\/local/.test(path.slice(home.length)),
  });
  const foreign = await build(other, async () => {});
  const claims = join(home, "local", "index");
  const kept = new Map(
    readdirSync(claims).map((name) => [join(claims, name), readFileSync(join(claims, name))]),
  );
  const inHome = new Set(readdirSync(home));
  const restore = () => {
    for (const name of readdirSync(home))
      if (!inHome.has(name) || name.startsWith("index"))
        rmSync(join(home, name), { recursive: true, force: true });
    rmSync(claims, { recursive: true, force: true });
    mkdirSync(claims);
    for (const [path, bytes] of kept) writeFileSync(path, bytes);
    writeFileSync(dsn, image);
  };
  return {
    home,
    dsn,
    claims,
    engine,
    image,
    older,
    foreign,
    outside,
    restore,
    open: () => openStaged(home, engine),
  };
}

/** A file is read again for two seconds after its change; the index of a stage should not change by itself. */
function pastYouth(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 2_100));
}

async function openView(
  home: string,
  engine: Engine,
  warnings: string[],
): Promise<{ view: View; close: () => Promise<void> }> {
  const context = createContext({ log: { warn: (line) => void warnings.push(line), note() {} } });
  const vault = openVault({ home, create: true, context });
  const catalog = await openCatalog({
    vault,
    context,
    openDriver: withEngine(async () => engine),
    openMemory,
    dsn: vault.layout.index("sqljs"),
    engine: undefined,
    readSeed: readSeedIndex,
  });
  const view = { vault, catalog, context, fingerprint: REPO, reader: createRowReader(context.translate) };
  return { view, close: () => catalog.close().then(() => vault.close()) };
}

async function openStaged(home: string, engine: Engine): Promise<Opened> {
  const warnings: string[] = [];
  const { view, close } = await openView(home, engine, warnings);
  return {
    warnings,
    close,
    answers: async () => {
      const found: unknown[] = [];
      for (const query of QUERIES) found.push(await searchSkills(view, query, { limit: 10 }));
      return JSON.stringify([found, await listSkills(view, { all: true }), await buildStub(view)], null, 1);
    },
    keep: async () => void (await view.catalog.reindex({})),
  };
}

/** Whether a regular file of exactly these bytes is among those whose name begins like the index's. */
export function isKept({ home, dsn }: DamageStage, bytes: Buffer): boolean {
  return readdirSync(home)
    .map((name) => join(home, name))
    .filter((path) => path.startsWith(dsn) && lstatSync(path).isFile())
    .some((path) => readFileSync(path).equals(bytes));
}
