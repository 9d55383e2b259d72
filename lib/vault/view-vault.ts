import type { Context } from "../core/context.ts";
import { isCanonryError } from "../core/errors.ts";
import type { Settings } from "../schema/settings.ts";
import { resolveHome } from "./home.ts";
import { viewIdentity } from "./identity.ts";
import { createLayout, type Layout } from "./layout.ts";
import { OpenVault } from "./open-vault.ts";
import { readSettings } from "./settings.ts";
import type { Vault } from "./vault.ts";

/**
 * The vault of a home as it stands, for reading alone whoever may write it: nothing is made, finished, swept or set
 * aside, and settings that are refused count as none. Throws `CANONRY_HOME_UNREADABLE`, `CANONRY_NOT_A_HOME`.
 */
export function viewVault(home: string, context: Context): Vault {
  const layout = createLayout(resolveHome(home, false));
  const { vaultId, machine } = viewIdentity(layout);
  return new OpenVault({ layout, machine, context }, vaultId, false, settingsOf(layout));
}

function settingsOf(layout: Layout): Settings {
  try {
    return readSettings(layout);
  } catch (error) {
    if (!isCanonryError(error, "CANONRY_SETTINGS")) throw error;
    return {};
  }
}
