import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { quietly } from "../../core/atomic.ts";
import type { Progress } from "../../core/context.ts";
import { CanonryError } from "../../core/errors.ts";
import { throwIfAborted } from "../../core/pacer.ts";
import { tempName } from "../../core/temp-names.ts";
import type { Room } from "../room.ts";
import type { Source } from "./backup.ts";
import { isFreshSpace, putSpace } from "./fresh-space.ts";
import type { KeptHere } from "./kept-here.ts";
import type { Kind } from "./kinds.ts";
import { mergeJournal, mergeLedger, mergeRecords } from "./merge-lines.ts";
import { mergeCandidates, mergeSettings } from "./merge-loose.ts";
import { mergeSkill, type SkillParts } from "./merge-skills.ts";
import { mergeObject, mergeVersion } from "./merge-versions.ts";
import { attempt, type Merging, mergeWhole, type Part, partOf, type Tally } from "./merging.ts";
import { type Staged, stageArchive } from "./stage.ts";
import { createWalk, type Walk } from "./walk.ts";

export interface RestoreOptions {
  /** Say what would be done, and write nothing into the home; default false. */
  readonly dryRun?: boolean | undefined;
  readonly progress?: Progress | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface RestoreReport {
  /** Where the backup was made, and when: a vault's id and an ISO time. */
  readonly vault: string;
  readonly at: string;
  readonly dryRun: boolean;
  /** Files put in place, and their bytes. */
  readonly files: number;
  readonly bytes: number;
  /** Files that the home had already: the same, or moved on. */
  readonly present: number;
  /** Ledger events, and lines of the journal and of other records, that the home had not. */
  readonly events: number;
  readonly lines: number;
  /** Paths put in place, without those below `versions/`. */
  readonly restored: readonly string[];
  readonly kept: readonly KeptHere[];
  /** What this version would not read back, and what the home's disk did not take or let read, by path. */
  readonly refused: readonly { readonly path: string; readonly message: string }[];
}

/**
 * Merges a backup into a home by union, while others may be writing: the archive is read and checked as a whole first.
 * What the home has stays; a second time changes nothing, and after a kill in between it is simply done again. Texts
 * before what names them, the ledger before the skills (a home with skills and no ledger would count their telemetry).
 * Throws `CANONRY_USAGE`, `CANONRY_BACKUP`, `CANONRY_READ_ONLY`, `CANONRY_DISK`, `CANONRY_ABORTED`.
 */
export async function restoreBackup(
  { room, writable }: Source,
  archive: string,
  options: RestoreOptions = {},
): Promise<RestoreReport> {
  const dry = options.dryRun === true;
  if (!dry && !writable) throw readOnly(room);
  const folder = dry
    ? mkdtempSync(join(tmpdir(), "canonry-restore-"))
    : join(room.layout.local, tempName("restore"));
  try {
    const staged = await stageArchive(resolve(archive), folder, options);
    const batch = { synced: new Set<string>(), unsynced: new Set<string>() };
    const merging: Merging = { room, dry, tally: emptyTally(), batch };
    await merge(merging, staged, folder, options);
    const { vault, at } = staged.manifest;
    return { vault, at, dryRun: dry, ...merging.tally };
  } finally {
    quietly(() => rmSync(folder, { recursive: true, force: true }));
  }
}

function readOnly(room: Room): CanonryError {
  const { home } = room.layout;
  return new CanonryError(
    "CANONRY_READ_ONLY",
    `The home ${home} cannot be written. Check its permissions, or restore into another with --home.`,
    { data: { path: home } },
  );
}

function emptyTally(): Tally {
  return { files: 0, bytes: 0, present: 0, events: 0, lines: 0, restored: [], kept: [], refused: [] };
}

async function merge(
  merging: Merging,
  staged: Staged,
  folder: string,
  options: RestoreOptions,
): Promise<void> {
  const parts = staged.files.map((file) => partOf(merging.room, file));
  const walk = createWalk(merging, parts.length, options);
  const of = (...kinds: Kind[]) => parts.filter((part) => kinds.includes(part.kind));
  await walk.each(of("object"), (part) => mergeObject(merging, part));
  await walk.each(of("version"), (part) => mergeVersion(merging, part));
  await walk.groups(groupsBy(of("ledger"), rootOf).values(), (some) => mergeLedger(merging, some));
  await walk.each(of("lines"), (part) => mergeRecords(merging, part));
  await walk.each(of("journal"), (part) => mergeJournal(merging, part));
  const loose = of("candidate", "other", "skill", "beside");
  const left = await putFreshSpaces(merging, walk, loose, folder);
  await mergeSpaces(merging, walk, left, groupsBy(of("version"), versionedName));
  await walk.each(of("settings"), (part) => mergeSettings(merging, part));
  throwIfAborted(options.signal);
}

/** Spaces that the home has not come as a whole; the parts of all others. */
async function putFreshSpaces(
  merging: Merging,
  walk: Walk,
  parts: readonly Part[],
  folder: string,
): Promise<Part[]> {
  const inSpaces = parts.filter((part) => part.fingerprint !== undefined);
  const fresh = [...groupsBy(inSpaces, spaceOf).values()].filter((some) => isFreshSpace(merging, some));
  const done = new Set<Part>();
  let at = 0;
  await walk.groups(fresh, (some) => {
    if (putSpace(merging, some, join(folder, `space-${at++}`))) for (const part of some) done.add(part);
  });
  return parts.filter((part) => !done.has(part));
}

async function mergeSpaces(
  merging: Merging,
  walk: Walk,
  parts: readonly Part[],
  versions: ReadonlyMap<string, Part[]>,
): Promise<void> {
  const of = (...kinds: Kind[]) => parts.filter((part) => kinds.includes(part.kind));
  await walk.groups(groupsBy(of("candidate"), spaceOf).values(), (some) => mergeCandidates(merging, some));
  await walk.each(of("other"), (part) => attempt(merging, part, () => mergeWhole(merging, part)));
  const skills = groupsBy(of("skill", "beside"), skillName);
  await walk.groups(skills.values(), (some) => {
    const [first] = some;
    if (first !== undefined) mergeSkill(merging, partsOf(some, versions.get(skillName(first))));
  });
}

function partsOf(some: readonly Part[], versions: readonly Part[] = []): SkillParts {
  const [mains, beside] = ["skill", "beside"].map((kind) => some.filter((part) => part.kind === kind));
  return { mains: mains ?? [], beside: beside ?? [], versions };
}

function rootOf(part: Part): string {
  return part.root;
}

function spaceOf(part: Part): string {
  return `${part.root}${part.path.split("/")[0]}`;
}

/** Root, space and name: of a skill or a file beside it, and of the record of a version. */
function skillName(part: Part): string {
  return `${spaceOf(part)}/${part.name}`;
}

function versionedName(part: Part): string {
  return `${part.root}${part.path.split("/").slice(1, 3).join("/")}`;
}

function groupsBy(parts: readonly Part[], key: (part: Part) => string): Map<string, Part[]> {
  const groups = new Map<string, Part[]>();
  for (const part of parts) {
    const group = groups.get(key(part)) ?? [];
    groups.set(key(part), group);
    group.push(part);
  }
  return groups;
}
