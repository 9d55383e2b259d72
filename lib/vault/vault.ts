import { exists } from "../core/atomic.ts";
import { type Context, createContext } from "../core/context.ts";
import { isCanonryError } from "../core/errors.ts";
import { makeFolder } from "../core/make-folder.ts";
import type { LedgerEvent, NewEvent } from "../schema/ledger-event.ts";
import type { MountEntry, Settings } from "../schema/settings.ts";
import type { ArrivedCounters } from "./baseline.ts";
import type { Change, CommitResult } from "./change.ts";
import { resolveHome } from "./home.ts";
import { openIdentity } from "./identity.ts";
import { initHome } from "./init.ts";
import { createLayout, type Layout } from "./layout.ts";
import type { LedgerOffsets, LedgerRead } from "./ledger.ts";
import { OpenVault } from "./open-vault.ts";
import type { Place } from "./place.ts";
import type { Room } from "./room.ts";
import { readSettings } from "./settings.ts";
import type { Finished } from "./steps.ts";
import { sweepVault } from "./sweep.ts";
import type { MakeChange, Target } from "./update.ts";

export interface VaultOptions {
  /** A folder; the caller has resolved flag, environment and default. */
  readonly home: string;
  /** Makes the home, with its ignore patterns, where there is none. */
  readonly create?: boolean;
  readonly context?: Context;
  /** In place of those of `settings.json`, which is not read then. */
  readonly settings?: Settings;
}

/** The tree of truth of one home. After `close` every method throws `CANONRY_CLOSED`; `close` may be called again. */
export interface Vault {
  /** Real path. */
  readonly home: string;
  readonly layout: Layout;
  readonly vaultId: string;
  readonly machine: string;
  /** False in a home that can only be read: everything that reads works, appends are dropped, changes are refused. */
  readonly writable: boolean;
  readonly settings: Settings;
  /** Every place: all spaces on disk (universal first, then fingerprints sorted), then mounts in order. */
  places(): Place[];
  /** The project's space, `universal/`, mounts of the project, mounts of the user. Places need not exist on disk. */
  readingPath(fingerprint: string): Place[];
  mounts(): MountEntry[];
  /** `scope` is a fingerprint, or "*" for the user. Throws `CANONRY_USAGE`, `CANONRY_READ_ONLY`; all or none. */
  mount(dirs: readonly string[], scope: string): MountEntry[];
  unmount(dirs: readonly string[]): { removed: MountEntry[]; unknown: string[] };
  /** Undefined where the event could not be written: it is dropped, and the log says so once. */
  append(event: NewEvent): LedgerEvent | undefined;
  /** Writes the counters of a home that arrives without a ledger (C60); how many. Throws where it cannot write them. */
  appendBaselines(records: Iterable<ArrivedCounters>): number;
  /** Writes events that another program recorded, as `pastEvents` makes them; a second time they count once (C60). */
  appendPast(events: readonly LedgerEvent[]): void;
  /** Whether any event was ever recorded here or came along. */
  hasLedger(): boolean;
  readLedger(from: LedgerOffsets): LedgerRead;
  /** See `commitChange`. */
  commit(change: Change): CommitResult;
  /** See `updateTarget`. */
  update(target: Target, make: MakeChange): CommitResult;
  /** Files below the home that git tracks although they derive from transcripts or belong to this machine (C65). */
  trackedPrivateFiles(): string[];
  /** Finishes what other processes have won and not brought to an end (design 5, step 4). */
  finishClaims(): Finished[];
  close(): void;
}

/**
 * Opens a home. Throws `CANONRY_HOME_UNREADABLE`, `CANONRY_NOT_A_HOME`, `CANONRY_SETTINGS`; with `create` also
 * `CANONRY_READ_ONLY` and `CANONRY_DISK`. Claims of processes that were killed are finished first.
 */
export function openVault(options: VaultOptions): Vault {
  const context = options.context ?? createContext();
  const home = options.create === true ? createHome(options.home, context) : resolveHome(options.home, false);
  const layout = createLayout(home);
  const settings = options.settings ?? readSettings(layout);
  const identity = openIdentity(layout, context);
  const vault = new OpenVault(
    { layout, machine: identity.machine, context },
    identity.vaultId,
    identity.writable,
    settings,
  );
  if (identity.writable) tidy(vault, { layout, machine: identity.machine, context });
  return vault;
}

/** A home that is there already is opened as it is: perhaps it can only be read, or its owner wants other patterns. */
function createHome(path: string, context: Context): string {
  const home = resolveHome(path, true);
  const { ignore, local } = createLayout(home);
  try {
    if (!exists(local) || !exists(ignore)) initHome(home, context);
  } catch (error) {
    if (!isCanonryError(error, "CANONRY_READ_ONLY")) throw error;
  }
  return home;
}

/** Finishing and sweeping help later readers; a disk that refuses them is no reason not to open. */
function tidy(vault: Vault, room: Room): void {
  try {
    makeFolder(room.layout.temps);
    vault.finishClaims();
    sweepVault(room);
  } catch (error) {
    if (!isCanonryError(error)) throw error;
    room.context.log.warn(`Work that another process left behind could not be finished: ${error.message}`);
  }
}
