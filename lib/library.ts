import { resolve } from "node:path";
import { createContext, type Log, silentLog } from "./core/context.ts";
import { CanonryError, isCanonryError } from "./core/errors.ts";
import { computeFingerprint, UNIVERSAL } from "./core/fingerprint.ts";
import { DEFAULT_DRIVER, DEFAULT_ENGINE, loadDriver } from "./drivers/registry.ts";
import { openCatalog } from "./indexing/catalog.ts";
import { chooseIndex, type IndexChoice } from "./indexing/chosen-index.ts";
import { type Verification, verifyHome as verifyParts } from "./indexing/verify-home.ts";
import type { Library } from "./library/contract.ts";
import { type Health, health, warnings } from "./retrieval/health.ts";
import { type ReadOptions, readSkill, type SkillText } from "./retrieval/hydrate.ts";
import { type ListedSkill, type ListOptions, listSkills } from "./retrieval/list.ts";
import { type MountReport, mountReports } from "./retrieval/mounts.ts";
import { type ReindexOptions, type ReindexReport, reindexAll } from "./retrieval/reindex.ts";
import { createRowReader } from "./retrieval/row-words.ts";
import { type SearchAnswer, type SearchOptions, searchSkills } from "./retrieval/search.ts";
import { buildStub, type Stub, type StubOptions } from "./retrieval/stub.ts";
import type { Explained } from "./retrieval/stub-explained.ts";
import { placeIds, type View } from "./retrieval/view.ts";
import { check } from "./schema/check.ts";
import type { Diagnostic } from "./schema/diagnostic.ts";
import {
  FoldersSchema,
  type LibraryOptions,
  LibraryOptionsSchema,
  ListOptionsSchema,
  MountScopeSchema,
  ReadOptionsSchema,
  ReindexOptionsSchema,
  SearchOptionsSchema,
  StubOptionsSchema,
  TextSchema,
} from "./schema/options.ts";
import type { BackupOptions, BackupReport } from "./vault/backup/backup.ts";
import type { RestoreOptions, RestoreReport } from "./vault/backup/restore.ts";
import { initHome as initVault } from "./vault/init.ts";
import { defaultHome, type Environment, type Setting, settingSources } from "./vault/sources.ts";
import { openVault } from "./vault/vault.ts";

export { defaultHome, expandHome } from "./vault/sources.ts";
export type {
  BackupOptions,
  BackupReport,
  Environment,
  Explained,
  Health,
  Library,
  ListedSkill,
  ListOptions,
  MountReport,
  ReadOptions,
  ReindexOptions,
  ReindexReport,
  RestoreOptions,
  RestoreReport,
  SearchAnswer,
  SearchOptions,
  SkillText,
  Stub,
  StubOptions,
  Verification,
};

/**
 * Opens a library: the home is made unless `create` is false, the index is opened or rebuilt on first use.
 * Throws `CANONRY_USAGE` on a wrong or unknown option, `CANONRY_UNKNOWN_DRIVER`, `CANONRY_NOT_A_HOME`,
 * `CANONRY_HOME_UNREADABLE`, `CANONRY_SETTINGS`.
 */
export async function openLibrary(options: LibraryOptions = {}): Promise<Library> {
  const given = check(LibraryOptionsSchema, options, "CANONRY_USAGE", "the options of openLibrary");
  const context = createContext({
    ...(given.clock === undefined ? {} : { clock: given.clock }),
    ...(given.log === undefined ? {} : { log: given.log }),
    ...(given.onEvent === undefined ? {} : { emit: given.onEvent }),
  });
  const fingerprint = given.fingerprint ?? computeFingerprint(resolve(given.repo ?? process.cwd()));
  const home = resolve(given.home ?? defaultHome());
  const vault = openVault({ home, create: given.create ?? true, context });
  const { driver, dsn, engine, isDriverGiven } = chooseIndex(choiceOf(given), vault, DEFAULT_DRIVER);
  const openDriver = await loadDriver(driver).catch((error: unknown) => {
    if (isDriverGiven || !isCanonryError(error)) throw error;
    throw new CanonryError(error.code, `${error.message} It stands in ${vault.layout.settings}.`, {
      data: error.data,
    });
  });
  const catalog = await openCatalog({
    vault,
    context,
    openDriver,
    openMemory: async (driverOptions) => (await loadDriver("memory"))(driverOptions),
    dsn,
    engine,
    progress: given.progress,
    readSeed: async (path) => (await import("./drivers/sqljs/seed.ts")).readSeedIndex(path),
  });
  return new OpenLibrary({
    vault,
    catalog,
    context,
    fingerprint,
    reader: createRowReader(context.translate),
  });
}

/**
 * Looks at every file, hash, version chain, claim and ledger line of a home, and whether the index says what the files
 * say. The home is not opened and nothing is changed. Throws `CANONRY_HOME_UNREADABLE`, `CANONRY_NOT_A_HOME`,
 * `CANONRY_UNKNOWN_DRIVER`, `CANONRY_ENGINE`, `CANONRY_ABORTED`.
 */
export async function verifyHome(
  options: Pick<LibraryOptions, "home" | "driver" | "dsn" | "engine" | "clock">,
  work: Pick<ReindexOptions, "signal" | "progress"> = {},
): Promise<Verification> {
  const given = check(LibraryOptionsSchema, options, "CANONRY_USAGE", "the options of verifyHome");
  const home = resolve(given.home ?? defaultHome());
  const drivers = { defaultDriver: DEFAULT_DRIVER, loadDriver };
  return verifyParts({ home, clock: given.clock, choice: choiceOf(given), ...drivers, ...work });
}

function choiceOf({ driver, dsn, engine }: LibraryOptions): IndexChoice {
  return { driver, dsn, engine };
}

/** Makes a home with its ignore and merge patterns, or adds what is missing; its real path (C65). */
export function initHome(home: string, log: Log = silentLog): string {
  return initVault(resolve(home), createContext({ log })).home;
}

/** Each setting with its value and where it comes from; see `settingSources`. */
export function resolveSettings(
  home: string,
  flags: Readonly<Record<string, unknown>>,
  env: Environment,
): Setting[] {
  return settingSources(home, flags, env, { driver: DEFAULT_DRIVER, engine: DEFAULT_ENGINE });
}

class OpenLibrary implements Library {
  readonly home: string;
  readonly fingerprint: string;
  private readonly view: View;
  private closed = false;

  constructor(view: View) {
    this.view = view;
    this.home = view.vault.home;
    this.fingerprint = view.fingerprint;
  }

  async reindex(options: ReindexOptions = {}): Promise<ReindexReport> {
    return reindexAll(
      this.open(),
      check(ReindexOptionsSchema, options, "CANONRY_USAGE", "the options of reindex"),
    );
  }

  async search(query: string, options: SearchOptions = {}): Promise<SearchAnswer> {
    const text = check(TextSchema, query, "CANONRY_USAGE", "the query");
    return searchSkills(
      this.open(),
      text,
      check(SearchOptionsSchema, options, "CANONRY_USAGE", "the options of search"),
    );
  }

  async read(name: string, options: ReadOptions = {}): Promise<SkillText> {
    const asked = check(TextSchema, name, "CANONRY_USAGE", "the name of a skill");
    return readSkill(
      this.open(),
      asked,
      check(ReadOptionsSchema, options, "CANONRY_USAGE", "the options of read"),
    );
  }

  async stub(options: StubOptions = {}): Promise<Stub> {
    return buildStub(this.open(), check(StubOptionsSchema, options, "CANONRY_USAGE", "the options of stub"));
  }

  async list(options: ListOptions = {}): Promise<ListedSkill[]> {
    return listSkills(this.open(), check(ListOptionsSchema, options, "CANONRY_USAGE", "the options of list"));
  }

  async mount(dirs: readonly string[], scope: "project" | "user" = "user"): Promise<void> {
    const view = this.open();
    const folders = check(FoldersSchema, dirs, "CANONRY_USAGE", "the folders to mount");
    const whom = check(MountScopeSchema, scope, "CANONRY_USAGE", "whom to mount them for");
    view.vault.mount(folders, whom === "project" ? view.fingerprint : UNIVERSAL);
    view.catalog.stale();
  }

  async unmount(dirs: readonly string[]): Promise<void> {
    const { vault, catalog } = this.open();
    const { unknown } = vault.unmount(check(FoldersSchema, dirs, "CANONRY_USAGE", "the folders to unmount"));
    catalog.stale();
    if (unknown.length === 0) return;
    const mounted = vault.mounts().map((mount) => mount.dir);
    throw new CanonryError(
      "CANONRY_USAGE",
      `Not mounted: ${unknown.join(", ")}. Mounted: ${mounted.join(", ") || "nothing"}.`,
      {
        data: { unknown, mounted },
      },
    );
  }

  async mounts(): Promise<MountReport[]> {
    return mountReports(this.open());
  }

  async unreadable(): Promise<number> {
    const view = this.open();
    return view.catalog.driver.count({ path: placeIds(view), shadowed: true, states: ["unreadable"] });
  }

  async doctor(): Promise<Health> {
    return health(this.open());
  }

  async backup(file: string, options: BackupOptions = {}): Promise<BackupReport> {
    return (await import("./library/backups.ts")).backupLibrary(this.open(), file, options);
  }

  async restoreBackup(file: string, options: RestoreOptions = {}): Promise<RestoreReport> {
    return (await import("./library/backups.ts")).restoreLibrary(this.open(), file, options);
  }

  async warnings(): Promise<Diagnostic[]> {
    const view = this.open();
    await view.catalog.fresh({ force: true });
    return warnings(view);
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    await this.view.catalog.close();
    this.view.vault.close();
  }

  private open(): View {
    if (this.closed)
      throw new CanonryError("CANONRY_CLOSED", "The library is closed; open another one with openLibrary.");
    return this.view;
  }
}
