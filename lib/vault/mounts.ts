import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { CanonryError, errnoOf, isCanonryError } from "../core/errors.ts";
import { UNIVERSAL } from "../core/fingerprint.ts";
import { sha256 } from "../core/hash.ts";
import { keepAside } from "../core/keep-aside.ts";
import { lookAt, realPathOf } from "../core/look.ts";
import { slugOf } from "../core/names.ts";
import { check } from "../schema/check.ts";
import { type KeptMount, type MountEntry, MountsSchema } from "../schema/settings.ts";
import { bid } from "./bid.ts";
import { LOCAL_SPACE } from "./layout.ts";
import { isBelow, readInside } from "./paths.ts";
import type { Place } from "./place.ts";
import type { Room } from "./room.ts";

const MOUNTS_BYTES = 4_194_304;
const TRIES = 100;

/** The mounted folders. A damaged `mounts.json` is kept aside and warned about, never overwritten (B53). */
export function readMounts(room: Room, writable: boolean): KeptMount[] {
  const { empty, mounts } = loadMounts(room);
  if (mounts !== undefined) return mounts;
  const kept = writable ? keepAside(room.layout.mounts) : undefined;
  const where =
    kept === undefined ? "it cannot be set aside in a home that is not writable" : `it is kept as ${kept}`;
  room.context.log.warn(
    `${room.layout.mounts} ${empty ? "is empty" : "is damaged"}; ${where}. Mounted folders must be mounted again: \`canonry mount DIR\`.`,
  );
  return [];
}

interface Loaded {
  /** bytesHash of the file; null where there is none, or nothing that is a file. */
  readonly base: string | null;
  readonly empty: boolean;
  /** Undefined where what stands there makes no sense. */
  readonly mounts: KeptMount[] | undefined;
}

/** What the file holds. Throws where it cannot be read (B110): then nobody knows whether it is damaged. */
function loadMounts(room: Room): Loaded {
  const broken = { base: null, empty: false, mounts: undefined };
  let bytes: Buffer;
  try {
    bytes = readInside(room.layout.home, "local/mounts.json", { maxBytes: MOUNTS_BYTES, links: "refuse" });
  } catch (error) {
    if (isCanonryError(error, "CANONRY_FILE_NOT_FOUND")) return { base: null, empty: false, mounts: [] };
    if (isCanonryError(error, "CANONRY_FILE_TOO_LARGE")) return broken;
    if (isCanonryError(error, "CANONRY_INVALID_PATH") && lookAt(room.layout.mounts)?.isFile() === false)
      return broken;
    throw error;
  }
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    const { mounts } = check(MountsSchema, value, "CANONRY_SETTINGS", room.layout.mounts);
    return { base: sha256(bytes), empty: false, mounts };
  } catch {
    return { ...broken, empty: bytes.length === 0 };
  }
}

/**
 * Adds folders for a project or the user; those that are there already stay as they are. All or none: throws
 * `CANONRY_USAGE` for what is no folder or overlaps the home. The entries of these folders.
 */
export function addMounts(room: Room, dirs: readonly string[], scope: string): MountEntry[] {
  const wanted = dirs.map((dir): KeptMount => ({ ...checkFolder(room, dir), for: scope }));
  changeMounts(room, (mounts) => {
    const isNew = (one: KeptMount) => !mounts.some((other) => other.dir === one.dir && other.for === one.for);
    return [
      ...mounts,
      ...wanted.filter((one, i) => isNew(one) && wanted.findIndex((other) => other.dir === one.dir) === i),
    ];
  });
  return wanted.map(({ dir, for: whom }) => ({ dir, for: whom }));
}

/** Takes folders out, for whomever they were mounted; `unknown` were not mounted. Nothing in them is touched. */
export function removeMounts(
  room: Room,
  dirs: readonly string[],
): { removed: MountEntry[]; unknown: string[] } {
  const asked = dirs.map((dir) => ({ dir, path: resolve(dir), real: realPathOf(resolve(dir)) }));
  const matches = (mount: KeptMount, one: { path: string; real: string | undefined }) =>
    mount.dir === one.path || (one.real !== undefined && (realPathOf(mount.dir) ?? mount.real) === one.real);
  let removed: KeptMount[] = [];
  changeMounts(room, (mounts) => {
    removed = mounts.filter((mount) => asked.some((one) => matches(mount, one)));
    return mounts.filter((mount) => !removed.includes(mount));
  });
  return {
    removed: removed.map(({ dir, for: whom }) => ({ dir, for: whom })),
    unknown: asked.filter((one) => !removed.some((mount) => matches(mount, one))).map((one) => one.dir),
  };
}

/** Reads, changes and claims the file; who lost to another process begins anew, so that no mount of either is lost. */
function changeMounts(room: Room, change: (mounts: KeptMount[]) => KeptMount[]): void {
  for (let attempt = 1; ; attempt++) {
    const { base, mounts } = loadMounts(room);
    if (mounts === undefined && attempt < TRIES) {
      readMounts(room, true);
      continue;
    }
    if (mounts === undefined) throw damaged(room);
    const next = change(mounts);
    if (next.length === mounts.length) return;
    const bytes = Buffer.from(`${JSON.stringify({ mounts: next }, undefined, 2)}\n`);
    try {
      bid(room, {
        fingerprint: LOCAL_SPACE,
        name: "mounts",
        target: "local/mounts.json",
        base,
        bytes,
        keep: false,
        steps: () => [],
      });
      return;
    } catch (error) {
      if (!isCanonryError(error, "CANONRY_CONFLICT") || attempt >= TRIES) throw error;
    }
  }
}

function damaged(room: Room): CanonryError {
  return new CanonryError(
    "CANONRY_SETTINGS",
    `${room.layout.mounts} is damaged and cannot be set aside. Move it away by hand.`,
    {
      data: { path: room.layout.mounts },
    },
  );
}

function checkFolder(room: Room, asked: string): { dir: string; real: string } {
  const dir = resolve(asked);
  const refuse = (why: string, cause?: unknown) =>
    new CanonryError("CANONRY_USAGE", `${dir} cannot be mounted: ${why}.`, { cause, data: { dir } });
  let real: string;
  try {
    real = realpathSync(dir);
    if (!statSync(real).isDirectory())
      throw refuse("it is not a folder. Name the folder that holds the skills");
    accessSync(real, constants.R_OK | constants.X_OK);
  } catch (error) {
    if (error instanceof CanonryError) throw error;
    const errno = errnoOf(error);
    throw refuse(errno === "ENOENT" ? "there is no such folder" : `it cannot be read (${errno})`, error);
  }
  const { home } = room.layout;
  if (real === home || isBelow(home, real) || isBelow(real, home))
    throw refuse(`it overlaps the home ${home}, whose skills are indexed as they are`);
  return { dir, real };
}

/** One place a real folder, in the order of the mounts, with the entries that lead to it. */
export function mountPlaces(mounts: readonly KeptMount[]): { place: Place; entries: MountEntry[] }[] {
  const found = new Map<string, { place: Place; entries: MountEntry[] }>();
  for (const mount of mounts) {
    const real = realPathOf(mount.dir) ?? mount.real ?? mount.dir;
    const known = found.get(real);
    const entries = [...(known?.entries ?? []), mount];
    const dir = known?.place.dir ?? mount.dir;
    found.set(real, {
      place: { id: mountId(real), kind: "mount", fingerprint: holderOf(entries), dir },
      entries,
    });
  }
  return [...found.values()];
}

/** A folder that several projects, or a project and the user, have mounted belongs to all. */
function holderOf(entries: readonly MountEntry[]): string {
  const [first] = entries;
  return first !== undefined && entries.every((one) => one.for === first.for) ? first.for : UNIVERSAL;
}

/** The place id of a mounted folder, by its path. */
export function mountPlaceId(dir: string): string {
  return mountId(realPathOf(dir) ?? dir);
}

/** From the real path alone, so that it is the same for every process: `claude-skills-1a2b3c`. */
function mountId(real: string): string {
  const slug = slugOf(`${basename(dirname(real))} ${basename(real)}`) ?? "mount";
  return `${slug.slice(0, 48).replace(/-+$/, "")}-${sha256(real).slice(0, 6)}`;
}
