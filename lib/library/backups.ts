import type { View } from "../retrieval/view.ts";
import { check } from "../schema/check.ts";
import { BackupOptionsSchema, RestoreOptionsSchema, TextSchema } from "../schema/options.ts";
import { type BackupOptions, type BackupReport, backupHome, type Source } from "../vault/backup/backup.ts";
import { type RestoreOptions, type RestoreReport, restoreBackup } from "../vault/backup/restore.ts";

/** See `Library.backup`. Loaded when it is asked for: the archive's library is of no use to a search. */
export async function backupLibrary(view: View, file: string, options: BackupOptions): Promise<BackupReport> {
  return backupHome(
    sourceOf(view),
    check(TextSchema, file, "CANONRY_USAGE", "the file to back up to"),
    check(BackupOptionsSchema, options, "CANONRY_USAGE", "the options of backup"),
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
    check(TextSchema, file, "CANONRY_USAGE", "the backup to restore"),
    check(RestoreOptionsSchema, options, "CANONRY_USAGE", "the options of restoreBackup"),
  );
  view.catalog.stale();
  return report;
}

function sourceOf({ vault, context }: View): Source {
  const { layout, machine, vaultId, writable } = vault;
  return { room: { layout, machine, context }, vaultId, writable };
}
