import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Context, createContext } from "../core/context.ts";
import { CanonryError, isCanonryError } from "../core/errors.ts";
import { lookAt } from "../core/look.ts";
import { counted } from "../core/text.ts";
import type { View } from "../retrieval/view.ts";
import { check } from "../schema/check.ts";
import {
  BackupOptionsSchema,
  type LibraryOptions,
  LibraryOptionsSchema,
  RestoreOptionsSchema,
  TextSchema,
} from "../schema/options.ts";
import { type BackupOptions, type BackupReport, backupHome, type Source } from "../vault/backup/backup.ts";
import { makeHome } from "../vault/backup/new-home.ts";
import { type RestoreOptions, type RestoreReport, restoreBackup } from "../vault/backup/restore.ts";
import { assertArchive } from "../vault/backup/stage.ts";
import { readSettings } from "../vault/settings.ts";
import { defaultHome } from "../vault/sources.ts";
import { openVault } from "../vault/vault.ts";

/** What of a library has to do with backups: no index, and no setting. */
type Opened = Pick<View, "vault" | "context">;
export type HomeOptions = Pick<LibraryOptions, "home" | "fingerprint" | "clock" | "log">;

/** See `Library.backup`. Loaded when it is asked for: the archive's library is of no use to a search. */
export async function backupLibrary(
  opened: Opened,
  file: string,
  options: BackupOptions,
): Promise<BackupReport> {
  const report = await backupHome(
    sourceOf(opened),
    named(file, "the file to back up to"),
    check(BackupOptionsSchema, options, "CANONRY_USAGE", "the options of backup"),
  );
  warnOfMounts(opened);
  return report;
}

/**
 * As `Library.backup`, of a home that no library opens: settings that are refused, and an engine that is missing, keep
 * nobody from a backup. Throws what `backupHome` and `openVault` throw, but for `CANONRY_SETTINGS`.
 */
export async function backupAlone(
  options: HomeOptions,
  file: string,
  work: BackupOptions,
): Promise<BackupReport> {
  const { home, context } = given(options);
  return withVault(home, context, false, (opened) => backupLibrary(opened, file, work));
}

/** Mounted folders are somebody else's, and their list is of one machine: who restores would miss their skills. */
function warnOfMounts({ vault, context }: Opened): void {
  let mounts: number;
  try {
    mounts = vault.mounts().length;
  } catch (error) {
    // the backup is made; a list that cannot be read takes nothing from it
    if (!isCanonryError(error)) throw error;
    context.log.warn(
      `Mounted folders are not in the backup, and which there are is not known: ${error.message}`,
    );
    return;
  }
  if (mounts > 0)
    context.log.warn(
      `${counted(mounts, "mounted folder")} ${mounts === 1 ? "is" : "are"} not in the backup.`,
    );
}

/** See `Library.restoreBackup`. */
export async function restoreLibrary(
  view: Opened & Pick<View, "catalog">,
  file: string,
  options: RestoreOptions,
): Promise<RestoreReport> {
  const report = await restoreInto(view, file, options);
  view.catalog.stale();
  return report;
}

/**
 * As `Library.restoreBackup`, into a home that no library opens. Where there is none it appears as a whole, or not at
 * all. A dry run makes none: it compares with an empty one.
 */
export async function restoreAlone(
  options: HomeOptions,
  file: string,
  work: RestoreOptions,
): Promise<RestoreReport> {
  const { home, context } = given(options);
  const fill = (folder: string) =>
    withVault(folder, context, true, (opened) => restoreInto(opened, file, work));
  if (lookAt(home) !== undefined) return fill(home);
  assertArchive(resolve(named(file, "the backup to restore")));
  if (work.dryRun !== true) return (await makeHome(home, context.clock(), fill))?.made ?? fill(home);
  const scratch = mkdtempSync(join(tmpdir(), "canonry-restore-"));
  try {
    return await fill(join(scratch, "home"));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function restoreInto(opened: Opened, file: string, options: RestoreOptions): Promise<RestoreReport> {
  return restoreBackup(
    sourceOf(opened),
    named(file, "the backup to restore"),
    check(RestoreOptionsSchema, options, "CANONRY_USAGE", "the options of restoreBackup"),
  );
}

function given(options: HomeOptions): { home: string; context: Context } {
  const { home, clock, log } = check(LibraryOptionsSchema, options, "CANONRY_USAGE", "the options");
  const context = createContext({
    ...(clock === undefined ? {} : { clock }),
    ...(log === undefined ? {} : { log }),
  });
  return { home: resolve(home ?? defaultHome()), context };
}

async function withVault<T>(
  home: string,
  context: Context,
  create: boolean,
  work: (opened: Opened) => Promise<T>,
): Promise<T> {
  const vault = openVault({ home, create, context, settings: {} });
  try {
    warnOfSettings({ vault, context });
    return await work({ vault, context });
  } finally {
    vault.close();
  }
}

function warnOfSettings({ vault, context }: Opened): void {
  try {
    readSettings(vault.layout);
  } catch (error) {
    if (!isCanonryError(error, "CANONRY_SETTINGS")) throw error;
    context.log.warn(
      `${error.message} This command goes on with the defaults: no setting changes what it does.`,
    );
  }
}

/** An empty text would be the folder one stands in. */
function named(file: string, what: string): string {
  if (check(TextSchema, file, "CANONRY_USAGE", what) !== "") return file;
  throw new CanonryError("CANONRY_USAGE", `${what} is named by a path; received an empty text.`, {
    data: { received: file },
  });
}

function sourceOf({ vault, context }: Opened): Source {
  const { layout, machine, vaultId, writable } = vault;
  return { room: { layout, machine, context }, vaultId, writable };
}
