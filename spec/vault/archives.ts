import { readFileSync, writeFileSync } from "node:fs";
import { gunzipSync, gzipSync } from "node:zlib";
import { packTar, type TarHeader, unpackTar } from "modern-tar";
import { createContext } from "../../lib/core/context.ts";
import { sha256 } from "../../lib/core/hash.ts";
import type { Source } from "../../lib/vault/backup/backup.ts";
import type { Vault } from "../../lib/vault/vault.ts";

/** What an archive holds, as the specs make and read it: with no code of Canonry's. */
export interface Entry {
  readonly name: string;
  readonly body?: string | Uint8Array;
  readonly header?: Partial<TarHeader>;
}

export function sourceOf(vault: Vault, warnings: string[] = []): Source {
  const { layout, machine, vaultId, writable } = vault;
  const context = createContext({ log: { warn: (line) => void warnings.push(line), note() {} } });
  return { room: { layout, machine, context }, vaultId, writable };
}

/** The files of an archive by path below its folder, and its manifest. */
export async function readEntries(
  file: string,
): Promise<{ manifest: { files: { path: string }[] }; files: Map<string, Buffer> }> {
  const entries = await unpackTar(gunzipSync(readFileSync(file)), { strict: true });
  const [first, ...rest] = entries;
  const manifest = JSON.parse(Buffer.from(first?.data ?? []).toString("utf8"));
  const files = rest.map(({ header, data }): [string, Buffer] => [
    header.name.replace(/^canonry-backup\//, ""),
    Buffer.from(data ?? []),
  ]);
  return { manifest, files: new Map(files) };
}

export async function writeArchive(file: string, entries: readonly Entry[]): Promise<string> {
  const packed = await packTar(
    entries.map(({ name, body = "", header }) => ({
      header: { name, size: Buffer.byteLength(body), type: "file", mtime: new Date(0), ...header },
      body: Buffer.from(body),
    })),
  );
  writeFileSync(file, gzipSync(packed));
  return file;
}

/** A manifest that lists these files truly, with what a spec wants to be wrong. */
export function manifestEntry(files: Readonly<Record<string, string>>, changes: object = {}): Entry {
  const listed = Object.entries(files).map(([path, text]) => ({
    path,
    bytes: Buffer.byteLength(text),
    sha256: sha256(text),
    executable: false,
  }));
  const manifest = {
    format: "canonry-backup",
    version: 1,
    vault: "01a00000-0000-7000-8000-000000000000",
    at: "2026-01-02T03:04:05.000Z",
    count: listed.length,
    bytes: listed.reduce((sum, one) => sum + one.bytes, 0),
    files: listed,
    ...changes,
  };
  return { name: "canonry-backup.json", body: JSON.stringify(manifest) };
}

/** A sound archive of these files. */
export function archiveOf(file: string, files: Readonly<Record<string, string>>): Promise<string> {
  const entries = Object.entries(files).map(([path, body]) => ({ name: `canonry-backup/${path}`, body }));
  return writeArchive(file, [manifestEntry(files), ...entries]);
}
