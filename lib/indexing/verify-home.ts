import { type Clock, createContext, type Progress } from "../core/context.ts";
import { isCanonryError } from "../core/errors.ts";
import type { OpenDriver } from "../drivers/driver.ts";
import { type Checked, compareFindings, type Finding } from "../schema/finding.ts";
import type { Vault } from "../vault/vault.ts";
import { verifyVault } from "../vault/verify.ts";
import { viewVault } from "../vault/view-vault.ts";
import { chooseIndex, type IndexChoice } from "./chosen-index.ts";
import { verifyIndex } from "./verify-index.ts";

export interface VerifyParts {
  readonly home: string;
  readonly clock: Clock | undefined;
  readonly choice: IndexChoice;
  readonly defaultDriver: string;
  readonly loadDriver: (name: string) => Promise<OpenDriver>;
  readonly signal?: AbortSignal | undefined;
  readonly progress?: Progress | undefined;
}

/** Everything that was found, sorted by file and line, and how much was looked at. */
export interface Verification {
  readonly findings: readonly Finding[];
  readonly checked: Checked;
}

/** Verifies a home from its first file to its last row, without opening it: nothing is changed (P5, P9). */
export async function verifyHome(parts: VerifyParts): Promise<Verification> {
  const { signal, progress, clock = Date.now } = parts;
  const context = createContext({ clock });
  const vault = viewVault(parts.home, context);
  const { driver, dsn, engine, isDriverGiven } = chooseIndex(parts.choice, vault, parts.defaultDriver);
  const kept = dsn === ":memory:" ? undefined : dsn;
  const steps = verifyVault(vault.layout, { clock, dsn: kept, signal, progress });
  const findings: Finding[] = [];
  let step = await steps.next();
  for (; step.done !== true; step = await steps.next()) findings.push(step.value);
  const checked = step.value;
  if (kept !== undefined && !findings.some((one) => one.file === kept)) {
    const openDriver = await parts
      .loadDriver(driver)
      .catch((error: unknown) => refusedDriver(error, vault, !isDriverGiven));
    if ("code" in openDriver) findings.push(openDriver);
    else
      for await (const one of verifyIndex({ vault, context, openDriver, dsn: kept, engine, signal }))
        findings.push(one);
  }
  return { findings: findings.sort(compareFindings), checked };
}

/** A wrong driver in the settings is a fault of that file; one from the command line is the caller's. */
function refusedDriver(error: unknown, vault: Vault, fromSettings: boolean): Finding {
  if (!fromSettings || !isCanonryError(error, "CANONRY_UNKNOWN_DRIVER")) throw error;
  return {
    severity: "problem",
    file: vault.layout.settings,
    line: 1,
    code: "SETTINGS_REFUSED",
    message: error.message,
    next: "mend the file, or move it away to use the defaults",
  };
}
