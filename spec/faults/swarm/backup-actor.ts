/** Backs a home up, or restores an archive into one, in a process that may be killed at any moment. */
import { createContext } from "../../../lib/core/context.ts";
import { backupHome } from "../../../lib/vault/backup/backup.ts";
import { restoreBackup } from "../../../lib/vault/backup/restore.ts";
import { openVault } from "../../../lib/vault/vault.ts";

const [what = "", home = "", archive = ""] = process.argv.slice(2);
const context = createContext();
const { layout, machine, vaultId, writable } = openVault({ home, create: true, context });
const source = { room: { layout, machine, context }, vaultId, writable };
process.stdout.write("begun\n");
if (what === "backup") await backupHome(source, archive, { force: true });
else await restoreBackup(source, archive);
