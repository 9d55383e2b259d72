import { restoreAlone } from "../../lib/library/backups.ts";
import { openVault } from "../../lib/vault/vault.ts";

/** Restores an archive as a process of its own, to be traced or killed: `restore-child HOME FILE new|"in place"`. */
const [, , home = "", file = "", mode = ""] = process.argv;
if (mode === "in place") openVault({ home, create: true }).close();
await restoreAlone({ home }, file, {});
