import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Vault } from "../vault/vault.ts";

/** What a caller has named of the index; an empty text names nothing. */
export interface IndexChoice {
  readonly driver: string | undefined;
  readonly dsn: string | undefined;
  readonly engine: string | undefined;
}

export interface ChosenIndex {
  readonly driver: string;
  /** An absolute path, or `:memory:`. */
  readonly dsn: string;
  readonly engine: string | undefined;
  /** Whether the caller has named the driver: else a wrong one is a fault of the settings. */
  readonly isDriverGiven: boolean;
}

/** Which index counts: what the caller has named, else what the settings name, else that of the default driver. */
export function chooseIndex(given: IndexChoice, vault: Vault, defaultDriver: string): ChosenIndex {
  const { settings, layout } = vault;
  const driver = given.driver || settings.driver || defaultDriver;
  return {
    driver,
    dsn: pathOf(given.dsn || settings.dsn || layout.index(driver)),
    engine: given.engine ?? settings.engine,
    isDriverGiven: Boolean(given.driver),
  };
}

/** A bare path, a `file:` URI or `:memory:` (S3.23). */
function pathOf(dsn: string): string {
  if (dsn === ":memory:") return dsn;
  return resolve(dsn.startsWith("file://") ? fileURLToPath(dsn) : dsn.replace(/^file:/, ""));
}
