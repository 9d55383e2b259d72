import { statSync } from "node:fs";
import { listNames } from "../core/atomic.ts";
import { CanonryError, isCanonryError } from "../core/errors.ts";
import { isFingerprint, UNIVERSAL } from "../core/fingerprint.ts";
import type { LedgerEvent, NewEvent } from "../schema/ledger-event.ts";
import type { KeptMount, MountEntry, Settings } from "../schema/settings.ts";
import { type ArrivedCounters, baselineEvents } from "./baseline.ts";
import type { Change, CommitResult } from "./change.ts";
import { claimedSpaces, readBooks } from "./claims.ts";
import { commitChange } from "./commit.ts";
import { fingerprintOf, type Layout } from "./layout.ts";
import {
  appendBaselines,
  appendEvent,
  completeEvent,
  type LedgerOffsets,
  type LedgerRead,
  readLedger,
} from "./ledger.ts";
import { addMounts, mountPlaces, removeMounts } from "./mounts.ts";
import type { Place } from "./place.ts";
import { trackedPrivateFiles } from "./private-files.ts";
import type { Room } from "./room.ts";
import { finishOpen } from "./settle.ts";
import { createMountsReader } from "./standing-mounts.ts";
import type { Finished } from "./steps.ts";
import { type MakeChange, type Target, updateTarget } from "./update.ts";
import type { Vault } from "./vault.ts";

/** The one `Vault`; `openVault` makes it. */
export class OpenVault implements Vault {
  readonly home: string;
  readonly layout: Layout;
  readonly vaultId: string;
  readonly machine: string;
  readonly writable: boolean;
  readonly settings: Settings;
  private readonly room: Room;
  private readonly readMounts: () => readonly KeptMount[];
  private dropped = 0;
  private closed = false;

  constructor(room: Room, vaultId: string, writable: boolean, settings: Settings) {
    this.room = room;
    this.home = room.layout.home;
    this.layout = room.layout;
    this.machine = room.machine;
    this.vaultId = vaultId;
    this.writable = writable;
    this.settings = Object.freeze(settings);
    this.readMounts = createMountsReader(room, writable);
  }

  places(): Place[] {
    this.assertOpen();
    const spaces = listNames(this.home).flatMap((name) => {
      const fingerprint = fingerprintOf(name);
      return fingerprint !== undefined && mayBeFolder(this.layout.space(fingerprint)) ? [fingerprint] : [];
    });
    spaces.sort((a, b) => Number(b === UNIVERSAL) - Number(a === UNIVERSAL) || (a < b ? -1 : 1));
    return [...spaces.map((one) => this.space(one)), ...this.mountPlaces().map((one) => one.place)];
  }

  readingPath(fingerprint: string): Place[] {
    this.assertOpen();
    assertScope(fingerprint);
    const spaces = [...new Set([fingerprint, UNIVERSAL])].map((one) => this.space(one));
    const mounted = this.mountPlaces();
    const of = (scope: string) =>
      mounted.filter((one) => one.entries.some((entry) => entry.for === scope)).map((one) => one.place);
    return [...new Set([...spaces, ...of(fingerprint), ...of(UNIVERSAL)])];
  }

  mounts(): MountEntry[] {
    this.assertOpen();
    return this.readMounts().map(({ dir, for: whom }) => ({ dir, for: whom }));
  }

  mount(dirs: readonly string[], scope: string): MountEntry[] {
    this.assertWritable();
    assertScope(scope);
    return addMounts(this.room, dirs, scope);
  }

  unmount(dirs: readonly string[]): { removed: MountEntry[]; unknown: string[] } {
    this.assertWritable();
    return removeMounts(this.room, dirs);
  }

  append(event: NewEvent): LedgerEvent | undefined {
    this.assertOpen();
    const complete = completeEvent(event, this.room);
    return this.write(complete) ? complete : undefined;
  }

  appendBaselines(records: Iterable<ArrivedCounters>): number {
    this.assertWritable();
    const events = baselineEvents(records);
    appendBaselines(this.room, events);
    return events.length;
  }

  appendPast(events: readonly LedgerEvent[]): void {
    this.assertWritable();
    for (const event of events) appendEvent(this.room, event);
  }

  hasLedger(): boolean {
    this.assertOpen();
    return listNames(this.layout.ledger).some((name) => name.endsWith(".ndjson"));
  }

  private write(event: LedgerEvent): boolean {
    try {
      if (this.writable) {
        appendEvent(this.room, event);
        return true;
      }
    } catch (error) {
      if (!isCanonryError(error, "CANONRY_READ_ONLY", "CANONRY_DISK")) throw error;
    }
    if (this.dropped++ === 0)
      this.room.context.log.warn(
        `The ledger in ${this.layout.ledger} cannot be written: what is read and done is not counted.`,
      );
    return false;
  }

  readLedger(from: LedgerOffsets): LedgerRead {
    this.assertOpen();
    return readLedger(this.room, from);
  }

  commit(change: Change): CommitResult {
    this.assertWritable();
    return commitChange(this.room, change);
  }

  update(target: Target, make: MakeChange): CommitResult {
    this.assertWritable();
    return updateTarget(this.room, target, make);
  }

  trackedPrivateFiles(): string[] {
    this.assertOpen();
    return trackedPrivateFiles(this.home);
  }

  finishClaims(): Finished[] {
    this.assertWritable();
    const finished: Finished[] = [];
    for (const fingerprint of claimedSpaces(this.layout))
      for (const [name, book] of readBooks(this.layout, fingerprint))
        for (const seq of book.open) {
          const one = this.finishOrWarn(fingerprint, name, seq);
          if (one !== undefined) finished.push(one);
        }
    return finished;
  }

  /** One claim that cannot be finished keeps nobody from the others. */
  private finishOrWarn(fingerprint: string, name: string, seq: number): Finished | undefined {
    try {
      return finishOpen(this.room, fingerprint, name, seq);
    } catch (error) {
      if (!isCanonryError(error)) throw error;
      this.room.context.log.warn(`The change of ${name} could not be finished: ${error.message}`);
      return undefined;
    }
  }

  close(): void {
    if (this.dropped > 1) this.room.context.log.note(`${this.dropped} ledger events were dropped.`);
    this.dropped = 0;
    this.closed = true;
  }

  private space(fingerprint: string): Place {
    const id = fingerprint === UNIVERSAL ? "universal" : fingerprint;
    return { id, kind: "space", fingerprint, dir: this.layout.space(fingerprint) };
  }

  private mountPlaces(): { place: Place; entries: MountEntry[] }[] {
    return mountPlaces(this.readMounts());
  }

  private assertOpen(): void {
    if (this.closed)
      throw new CanonryError("CANONRY_CLOSED", `The vault ${this.home} was closed; open it again.`);
  }

  private assertWritable(): void {
    this.assertOpen();
    if (this.writable) return;
    throw new CanonryError(
      "CANONRY_READ_ONLY",
      `The home ${this.home} cannot be written. Check its permissions, or choose another with --home.`,
      {
        data: { path: this.home },
      },
    );
  }
}

/** A space that cannot be looked at is still a place: only what is gone is gone (B110). */
function mayBeFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return true;
  }
}

function assertScope(fingerprint: string): void {
  if (fingerprint === UNIVERSAL || isFingerprint(fingerprint)) return;
  throw new CanonryError(
    "CANONRY_USAGE",
    `${JSON.stringify(fingerprint)} is not a fingerprint. Allowed: 12 hex digits, or "*" for the user.`,
    {
      data: { received: fingerprint },
    },
  );
}
