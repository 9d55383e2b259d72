import { closeSync, mkdirSync, openSync, type Stats, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Progress } from "../../core/context.ts";
import { CanonryError, diskError, errnoOf, isCanonryError } from "../../core/errors.ts";
import { sha256 } from "../../core/hash.ts";
import { LIMITS } from "../../core/limits.ts";
import { throwIfAborted } from "../../core/pacer.ts";
import { type BackupFile, type BackupManifest, BackupManifestSchema } from "../../schema/backup.ts";
import { check } from "../../schema/check.ts";
import { type ArchiveEntry, ArchiveFault, type Budget, readArchive } from "./archive-reader.ts";
import { classify, ENTRY_FOLDER, MANIFEST_ENTRY, maxBytesOf, problemOfEntry } from "./kinds.ts";

export interface StagedFile extends BackupFile {
  /** Where its bytes stand, under a number: no name of the archive becomes a path. */
  readonly staged: string;
}

export interface Staged {
  readonly manifest: BackupManifest;
  readonly files: readonly StagedFile[];
}

export interface StageOptions {
  readonly progress?: Progress | undefined;
  readonly signal?: AbortSignal | undefined;
}

class LaterFault extends ArchiveFault {}

/** Headers, padding and long names of one entry. */
const ENTRY_BYTES = 4_096;

/**
 * Reads a whole archive into `folder`, which must not exist yet, and checks it: the manifest first, then exactly the
 * files it lists, each once, regular, with its length and hash, under a path that a home may hold. Throws
 * `CANONRY_BACKUP` on anything else, before the first byte is restored.
 */
export async function stageArchive(
  archive: string,
  folder: string,
  options: StageOptions = {},
): Promise<Staged> {
  const begun = { isBackup: false };
  try {
    assertArchive(archive);
    if (statSync(archive).size === 0) throw new ArchiveFault("it is empty, and so no backup of Canonry's");
    writing(folder, () => mkdirSync(folder, { recursive: true }));
    return await stage(archive, folder, options, begun);
  } catch (error) {
    throwIfAborted(options.signal);
    if (error instanceof ArchiveFault) throw refused(archive, error, begun.isBackup);
    if (isCanonryError(error)) throw error;
    const errno = errnoOf(error);
    if (errno !== undefined) throw unreadable(archive, errno, error);
    throw error;
  }
}

/** Throws `CANONRY_USAGE` where there is no such file, `CANONRY_DISK` where it cannot be opened. */
export function assertArchive(archive: string): void {
  try {
    const problem = problemOfKind(archive, statSync(archive, { throwIfNoEntry: false }));
    if (problem !== undefined) throw notOne(archive, problem);
    closeSync(openSync(archive, "r"));
  } catch (error) {
    const errno = errnoOf(error);
    if (isCanonryError(error) || errno === undefined) throw error;
    if (errno === "ENOTDIR") throw notOne(archive, noFile(archive));
    throw unreadable(archive, errno, error);
  }
}

function problemOfKind(archive: string, stats: Stats | undefined): string | undefined {
  if (stats?.isFile() === true) return undefined;
  if (stats === undefined) return noFile(archive);
  if (stats.isDirectory())
    return `${archive} is a folder; a backup is one file, such as canonry backup makes.`;
  return `${archive} is no regular file. Name a file that canonry backup has made, or pipe one in and write - for it.`;
}

function noFile(archive: string): string {
  return `There is no file ${archive} to restore from.`;
}

function notOne(archive: string, problem: string): CanonryError {
  return new CanonryError("CANONRY_USAGE", problem, { data: { received: archive } });
}

/** What fails here is the disk's fault where the archive is unpacked to, not the archive's. */
function writing(path: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    throw diskError("unpack the archive into", path, error);
  }
}

function unreadable(archive: string, errno: string, cause: unknown): CanonryError {
  return new CanonryError(
    "CANONRY_DISK",
    `The archive ${archive} cannot be read: ${errno}. Nothing was restored. Check its permissions and its disk.`,
    { cause, data: { path: archive, errno } },
  );
}

async function stage(
  archive: string,
  folder: string,
  options: StageOptions,
  begun: { isBackup: boolean },
): Promise<Staged> {
  const budget: Budget = { bytes: LIMITS.backupManifestBytes + ENTRY_BYTES };
  let manifest: BackupManifest | undefined;
  const missing = new Map<string, BackupFile>();
  const files: StagedFile[] = [];
  for await (const entry of readArchive(archive, budget, options.signal)) {
    if (manifest === undefined) {
      manifest = await readManifest(entry);
      begun.isBackup = true;
      budget.bytes += manifest.bytes + (manifest.count + 64) * ENTRY_BYTES;
      for (const file of manifest.files) addListed(missing, file);
      continue;
    }
    const listed = takeListed(missing, entry);
    if (listed === undefined) continue;
    const bytes = await entry.read();
    if (sha256(bytes) !== listed.sha256) throw new ArchiveFault(`${listed.path} is not what was backed up`);
    const staged = join(folder, String(files.length));
    writing(folder, () => writeFileSync(staged, bytes, { flag: "wx", mode: 0o644 }));
    files.push({ ...listed, staged });
    options.progress?.("check", files.length, manifest.count);
  }
  if (manifest === undefined) throw new ArchiveFault("it is empty, and so no backup of Canonry's");
  const [first] = missing.keys();
  if (first !== undefined) throw new ArchiveFault(`it lacks ${missing.size} of its files, such as ${first}`);
  return { manifest, files };
}

async function readManifest(entry: ArchiveEntry): Promise<BackupManifest> {
  if (entry.type !== "file" || entry.name !== MANIFEST_ENTRY)
    throw new ArchiveFault(`it does not begin with ${MANIFEST_ENTRY}: it is no backup of Canonry's`);
  if (entry.size > LIMITS.backupManifestBytes)
    throw new ArchiveFault(`its ${MANIFEST_ENTRY} has ${entry.size} bytes`);
  const manifest = parseManifest((await entry.read()).toString("utf8"));
  const total = manifest.files.reduce((sum, one) => sum + one.bytes, 0);
  if (manifest.count !== manifest.files.length || manifest.bytes !== total)
    throw new ArchiveFault(`its ${MANIFEST_ENTRY} contradicts itself`);
  if (manifest.count > LIMITS.backupFiles || total > LIMITS.backupBytes)
    throw new ArchiveFault(
      `it holds ${manifest.count} files of ${total} bytes; at most ${LIMITS.backupFiles} files and ${LIMITS.backupBytes} bytes are restored`,
    );
  return manifest;
}

function parseManifest(text: string): BackupManifest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new ArchiveFault(`its ${MANIFEST_ENTRY} is not JSON`, { cause: error });
  }
  const version = typeof value === "object" && value !== null && "version" in value ? value.version : 1;
  if (typeof version === "number" && version > 1)
    throw new LaterFault(`it is of format ${version}, made by a later Canonry; this one reads format 1`);
  try {
    return check(BackupManifestSchema, value, "CANONRY_BACKUP", MANIFEST_ENTRY);
  } catch (error) {
    const problem = error instanceof Error ? error.message.slice(0, 300) : String(error);
    throw new ArchiveFault(problem.replace(/\.$/, ""));
  }
}

function addListed(missing: Map<string, BackupFile>, file: BackupFile): void {
  const problem = problemOfEntry(file.path);
  if (problem !== undefined)
    throw new ArchiveFault(`the path ${JSON.stringify(file.path.slice(0, 200))} ${problem}`);
  if (missing.has(file.path)) throw new ArchiveFault(`${file.path} is listed twice`);
  const most = maxBytesOf(classify(file.path).kind);
  if (file.bytes > most)
    throw new ArchiveFault(`${file.path} has ${file.bytes} bytes; at most ${most} are restored`);
  missing.set(file.path, file);
}

/** The listed file that an entry brings; undefined for a folder, which some tar programs add. */
function takeListed(missing: Map<string, BackupFile>, entry: ArchiveEntry): BackupFile | undefined {
  const shown = JSON.stringify(entry.name.slice(0, 200));
  if (entry.type === "directory") {
    const inside = entry.name === ENTRY_FOLDER || `${entry.name}/` === ENTRY_FOLDER;
    const path = entry.name.replace(/\/$/, "").slice(ENTRY_FOLDER.length);
    if (inside || (entry.name.startsWith(ENTRY_FOLDER) && problemOfEntry(path) === undefined))
      return undefined;
    throw new ArchiveFault(`it holds the folder ${shown}, which is none of a home`);
  }
  if (entry.type !== "file")
    throw new ArchiveFault(`${shown} is a ${entry.type}, and only files are restored`);
  const path = entry.name.startsWith(ENTRY_FOLDER) ? entry.name.slice(ENTRY_FOLDER.length) : "";
  const listed = missing.get(path);
  if (listed === undefined) throw new ArchiveFault(`${shown} is not listed, or is there twice`);
  if (listed.bytes !== entry.size)
    throw new ArchiveFault(`${path} has ${entry.size} bytes, and ${listed.bytes} were backed up`);
  missing.delete(path);
  return listed;
}

function refused(archive: string, fault: ArchiveFault, isBackup: boolean): CanonryError {
  return new CanonryError(
    "CANONRY_BACKUP",
    `${archive} cannot be restored: ${problemOf(fault, isBackup)}. Nothing was restored. ${adviceFor(archive, fault, isBackup)}`,
    { cause: fault, data: { archive, problem: fault.message } },
  );
}

/** A file of any kind is "cut or damaged" to who takes it for a tar. */
function problemOf({ message }: ArchiveFault, isBackup: boolean): string {
  if (isBackup || message.includes(MANIFEST_ENTRY) || !message.startsWith("it is cut")) return message;
  return `it is no backup of Canonry's, or its beginning is gone: ${message}`;
}

function adviceFor(archive: string, fault: ArchiveFault, isBackup: boolean): string {
  if (fault instanceof LaterFault) return "Restore it with a later Canonry.";
  if (!isBackup) return "Name a file that canonry backup has made.";
  return `Use another backup, or take out by hand what can be read: tar -xzf ${archive}`;
}
