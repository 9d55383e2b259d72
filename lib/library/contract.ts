import type { Health } from "../retrieval/health.ts";
import type { ReadOptions, SkillText } from "../retrieval/hydrate.ts";
import type { ListedSkill, ListOptions } from "../retrieval/list.ts";
import type { MountReport } from "../retrieval/mounts.ts";
import type { ReindexOptions, ReindexReport } from "../retrieval/reindex.ts";
import type { SearchAnswer, SearchOptions } from "../retrieval/search.ts";
import type { Stub, StubOptions } from "../retrieval/stub.ts";
import type { Diagnostic } from "../schema/diagnostic.ts";
import type { BackupOptions, BackupReport } from "../vault/backup/backup.ts";
import type { RestoreOptions, RestoreReport } from "../vault/backup/restore.ts";

/** A library of skills, as agents and orchestrators use it (`cli.md`). Safe for concurrent use; close it at the end. */
export interface Library {
  /** Absolute path of the home, and the fingerprint of the repository whose skills count (S1.28: fixed for its life). */
  readonly home: string;
  readonly fingerprint: string;
  reindex(options?: ReindexOptions): Promise<ReindexReport>;
  search(query: string, options?: SearchOptions): Promise<SearchAnswer>;
  read(name: string, options?: ReadOptions): Promise<SkillText>;
  stub(options?: StubOptions): Promise<Stub>;
  list(options?: ListOptions): Promise<ListedSkill[]>;
  /** Indexes folders of skills where they stand, for this project or (default) for the user; never written to. */
  mount(dirs: readonly string[], scope?: "project" | "user"): Promise<void>;
  /** Throws `CANONRY_USAGE` naming folders that are not mounted; the others are unmounted all the same. */
  unmount(dirs: readonly string[]): Promise<void>;
  mounts(): Promise<MountReport[]>;
  /** How many files of the reading path cannot be read; `reindex` and `doctor` name them. */
  unreadable(): Promise<number>;
  doctor(): Promise<Health>;
  /**
   * Writes the whole home into one archive (a gzip'd tar) while others go on writing: whole or not at all, and over no
   * file that is there unless `force` says so. Throws `CANONRY_FILE_EXISTS`, `CANONRY_DISK`, `CANONRY_ABORTED`.
   */
  backup(file: string, options?: BackupOptions): Promise<BackupReport>;
  /**
   * Merges an archive into the home by union: what is there stays, a second time changes nothing. The archive is
   * checked as a whole before. Throws `CANONRY_BACKUP` on one that is cut, altered or unsafe.
   */
  restoreBackup(file: string, options?: RestoreOptions): Promise<RestoreReport>;
  /** What was assumed of files that can be read, and which limits they pass, by file and line. */
  warnings(): Promise<Diagnostic[]>;
  /** Keeps the index and lets go of it; may be called again. Later calls of other methods throw `CANONRY_CLOSED`. */
  close(): Promise<void>;
}
