import { createContext } from "../../../lib/core/context.ts";
import { openVault } from "../../../lib/vault/vault.ts";

/** Opens a home an hour later, when all that was left behind is old enough to go; what the open warned about. */
export function reopenLater(home: string): string[] {
  const warnings: string[] = [];
  const clock = () => Date.now() + 3_600_000;
  const log = { warn: (line: string) => void warnings.push(`the next open warns: ${line}`), note() {} };
  openVault({ home, context: createContext({ clock, log }) }).close();
  return warnings;
}
