import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { restoreBackup } from "../../lib/vault/backup/restore.ts";
import { temporaryFolder } from "../support/home.ts";
import { sourceOf } from "./archives.ts";
import { openStage } from "./stage.ts";

/** Everything below a folder, with what each is; links are not followed. */
function treeOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map(
      (one) =>
        `${join(one.parentPath, one.name)} ${one.isFile() ? "file" : one.isDirectory() ? "folder" : "other"}`,
    )
    .sort();
}

/** A restore that must be refused, and must have put nothing anywhere below the home or beside it. */
export async function refused(file: string, message: RegExp): Promise<void> {
  const stage = openStage();
  const root = join(stage.home, "..");
  const before = treeOf(root);
  await assert.rejects(restoreBackup(sourceOf(stage.vault), file), { code: "CANONRY_BACKUP", message });
  assert.deepEqual(treeOf(root), before, "something was written");
}

/** A path for an archive, in a folder of its own. */
export function archive(): string {
  return join(temporaryFolder(), "b.tar.gz");
}
