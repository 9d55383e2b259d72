import { CanonryError, isCanonryError } from "../core/errors.ts";
import { counted } from "../core/text.ts";
import type { View } from "../retrieval/view.ts";
import { check } from "../schema/check.ts";
import { BackupOptionsSchema, RestoreOptionsSchema, TextSchema } from "../schema/options.ts";
import { type BackupOptions, type BackupReport, backupHome, type Source } from "../vault/backup/backup.ts";
import { type RestoreOptions, type RestoreReport, restoreBackup } from "../vault/backup/restore.ts";

/** See `Library.backup`. Loaded when it is asked for: the archive's library is of no use to a search. */
export async function backupLibrary(view: View, file: string, options: BackupOptions): Promise<BackupReport> {
  const report = await backupHome(
    sourceOf(view),
    named(file, "the file to back up to"),
    check(BackupOptionsSchema, options, "CANONRY_USAGE", "the options of backup"),
  );
  warnOfMounts(view);
  return report;
}

/** Mounted folders are somebody else's, and their list is of one machine: who restores would miss their skills. */
function warnOfMounts({ vault, context }: View): void {
  let mounts: number;
  try {
    mounts = vault.mounts().length;
  } catch (error) {
    // the backup is made; a list that cannot be read takes nothing from it
    if (isCanonryError(error)) return;
    throw error;
  }
  if (mounts > 0)
    context.log.warn(
      `${counted(mounts, "mounted folder")} ${mounts === 1 ? "is" : "are"} not in the backup.`,
    );
}

/** See `Library.restoreBackup`. */
export async function restoreLibrary(
  view: View,
  file: string,
  options: RestoreOptions,
): Promise<RestoreReport> {
  const report = await restoreBackup(
    sourceOf(view),
    named(file, "the backup to restore"),
    check(RestoreOptionsSchema, options, "CANONRY_USAGE", "the options of restoreBackup"),
  );
  view.catalog.stale();
  return report;
}

/** An empty text would be the folder one stands in. */
function named(file: string, what: string): string {
  if (check(TextSchema, file, "CANONRY_USAGE", what) !== "") return file;
  throw new CanonryError("CANONRY_USAGE", `${what} is named by a path; received an empty text.`, {
    data: { received: file },
  });
}

function sourceOf({ vault, context }: View): Source {
  const { layout, machine, vaultId, writable } = vault;
  return { room: { layout, machine, context }, vaultId, writable };
}
