import { lstatSync, realpathSync, unlinkSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { linkExclusive, listNames, publish, quietly } from "../../core/atomic.ts";
import { isoTime, type Progress } from "../../core/context.ts";
import { CanonryError, diskError, errnoOf, isCanonryError } from "../../core/errors.ts";
import { sha256 } from "../../core/hash.ts";
import { LIMITS } from "../../core/limits.ts";
import { lookAt } from "../../core/look.ts";
import { createPacer, throwIfAborted } from "../../core/pacer.ts";
import { isTempOf, tempPath } from "../../core/temp-names.ts";
import type { BackupFile, BackupManifest } from "../../schema/backup.ts";
import { isBelow } from "../paths.ts";
import type { Room } from "../room.ts";
import { joinArchive, openArchiveWriter } from "./archive-writer.ts";
import { collectHome } from "./collect.ts";
import type { Reading } from "./reading.ts";

export interface BackupOptions {
  /** Replace a file that is there; default false. */
  readonly force?: boolean | undefined;
  readonly progress?: Progress | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface BackupReport {
  /** Absolute path of the archive. */
  readonly file: string;
  readonly files: number;
  /** Of the files together, and of the archive. */
  readonly bytes: number;
  readonly archiveBytes: number;
  /** What is of the home and could not go in, by path: links, what cannot be read, damaged objects. */
  readonly leftOut: readonly { readonly path: string; readonly message: string }[];
}

export interface Source {
  readonly room: Room;
  readonly vaultId: string;
  readonly writable: boolean;
}

/**
 * Writes a home into one archive while others go on writing (design 5): whole or not at all, and never over a file
 * that nobody said to replace. Claims are finished first. Throws `CANONRY_USAGE`, `CANONRY_FILE_EXISTS`,
 * `CANONRY_READ_ONLY`, `CANONRY_DISK`, `CANONRY_ABORTED`; then no file is left and one that was there is as it was.
 */
export async function backupHome(
  source: Source,
  file: string,
  options: BackupOptions = {},
): Promise<BackupReport> {
  const target = targetOf(source.room, file, options.force === true);
  sweepBeside(target, source.room.context.clock());
  const [body, whole] = [tempPath(`${target}.body`), tempPath(target)];
  const reading: Reading = { home: source.room.layout.home, leftOut: new Map(), now: Date.now };
  try {
    const at = source.room.context.clock();
    const files = await writeBody(source, body, reading, options);
    const manifest = manifestOf(source, at, files);
    const bytes = Buffer.from(manifestText(manifest));
    assertRestorable(manifest, bytes.length);
    await joinArchive(whole, { bytes, mtimeMs: at }, body, options.signal);
    const archiveBytes = lstatSync(whole).size;
    put(whole, target, options.force === true);
    const leftOut = Array.from(reading.leftOut, ([path, message]) => ({ path, message }));
    return { file: target, files: files.length, bytes: manifest.bytes, archiveBytes, leftOut };
  } catch (error) {
    throwIfAborted(options.signal);
    throw isCanonryError(error) ? error : diskError("write", target, error);
  } finally {
    for (const temp of [body, whole]) quietly(() => unlinkSync(temp));
  }
}

/** Where the archive goes, with links resolved; refuses what would be lost or lose something. */
function targetOf(room: Room, file: string, force: boolean): string {
  const folder = dirname(resolve(file));
  const real = realPath(folder);
  if (real === undefined)
    throw usage(`There is no folder ${folder}; make it first, or name a file elsewhere.`, file);
  const path = join(real, basename(resolve(file)));
  const stats = lookAt(path);
  if (stats?.isDirectory() === true)
    throw usage(`${path} is a folder. Name a file in it, or write - for a pipe.`, file);
  if (stats !== undefined && !force)
    throw new CanonryError(
      "CANONRY_FILE_EXISTS",
      `${path} is there already. Name another file, or replace it with --force.`,
      { data: { path } },
    );
  const target = stats?.isSymbolicLink() === true ? realPath(path) : path;
  if (target === undefined)
    throw usage(`${path} is a link that leads nowhere. Remove it, or name the file it should lead to.`, file);
  if (stats !== undefined && !lstatSync(target).isFile())
    throw usage(`${target} is no regular file. A backup is written to a file, or to a pipe with -.`, file);
  if (isBelow(room.layout.home, target))
    throw usage(
      `${target} is inside the home that it would back up, and would be lost with it. Name a file outside ${room.layout.home}.`,
      file,
    );
  return target;
}

/** Links resolved; undefined where that leads to nothing. */
function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "ELOOP"].includes(errnoOf(error) ?? "")) return undefined;
    throw diskError("look at", path, error);
  }
}

/** What a backup to the same file left there that was killed. */
function sweepBeside(target: string, now: number): void {
  const [file, body] = [basename(target), `${basename(target)}.body`];
  for (const name of listNames(dirname(target))) {
    if (!isTempOf(file, name) && !isTempOf(body, name)) continue;
    const temp = join(dirname(target), name);
    if (now - (lookAt(temp)?.mtimeMs ?? now) > LIMITS.leftoverMs) quietly(() => unlinkSync(temp));
  }
}

async function writeBody(
  source: Source,
  body: string,
  reading: Reading,
  options: BackupOptions,
): Promise<BackupFile[]> {
  const files: BackupFile[] = [];
  const writer = openArchiveWriter(body, options.signal);
  const pacer = createPacer(options.signal, 16);
  try {
    for (const found of collectHome(source.room, reading, source.writable)) {
      throwIfAborted(options.signal);
      await writer.add(found);
      const { path, bytes, executable } = found;
      files.push({ path, bytes: bytes.length, sha256: sha256(bytes), executable });
      options.progress?.("backup", files.length, 0);
      await pacer.step();
    }
    await writer.close();
    return files;
  } catch (error) {
    await writer.abandon(error);
    throw error;
  }
}

function manifestOf(source: Source, at: number, files: BackupFile[]): BackupManifest {
  return {
    format: "canonry-backup",
    version: 1,
    vault: source.vaultId,
    at: isoTime(at),
    count: files.length,
    bytes: files.reduce((sum, one) => sum + one.bytes, 0),
    files,
  };
}

/** One line a file, so that a person can search it. */
function manifestText({ files, ...head }: BackupManifest): string {
  const start = JSON.stringify(head, undefined, 1).replace(/\n}$/, "");
  return `${start},\n "files": [\n${files.map((one) => `  ${JSON.stringify(one)}`).join(",\n")}\n ]\n}\n`;
}

/** What could not be restored is no backup. */
function assertRestorable(manifest: BackupManifest, manifestBytes: number): void {
  const { backupFiles, backupBytes, backupManifestBytes } = LIMITS;
  if (manifest.count <= backupFiles && manifest.bytes <= backupBytes && manifestBytes <= backupManifestBytes)
    return;
  throw usage(
    `The home holds ${manifest.count} files of ${manifest.bytes} bytes; a backup takes at most ${backupFiles} files and ${backupBytes} bytes. Copy the folder with other means.`,
    "",
  );
}

function put(whole: string, target: string, force: boolean): void {
  if (force) publish(whole, target);
  else if (!linkExclusive(whole, target))
    throw new CanonryError(
      "CANONRY_FILE_EXISTS",
      `${target} was made by somebody else meanwhile; it is as it was.`,
      {
        data: { path: target },
      },
    );
}

function usage(message: string, received: string): CanonryError {
  return new CanonryError("CANONRY_USAGE", message, { data: { received } });
}
