import { accessSync, constants } from "node:fs";
import { basename, dirname } from "node:path";
import { createExclusive } from "../core/atomic.ts";
import type { Context } from "../core/context.ts";
import { isCanonryError } from "../core/errors.ts";
import { sha256 } from "../core/hash.ts";
import { keepAside } from "../core/keep-aside.ts";
import { makeFolder } from "../core/make-folder.ts";
import { check } from "../schema/check.ts";
import { IdentitySchema } from "../schema/settings.ts";
import type { Layout } from "./layout.ts";
import { problemOfFolders } from "./own-folders.ts";
import { readInside } from "./paths.ts";

export interface Identity {
  readonly vaultId: string;
  readonly machine: string;
  readonly writable: boolean;
}

/**
 * The ids of vault and machine, made exclusively on first use so that processes that start together agree. In a home
 * that cannot be written both follow from its path, and nothing is written; so it is where a folder that Canonry writes
 * to is a symbolic link, which a cloned home can bring along (P9), or another file system, where no move is one step.
 */
export function openIdentity(layout: Layout, context: Context): Identity {
  const problem = problemOfFolders(layout);
  if (problem !== undefined) {
    context.log.warn(problem);
    return viewIdentity(layout);
  }
  try {
    makeFolder(layout.local);
    accessSync(layout.local, constants.W_OK);
    accessSync(layout.home, constants.W_OK);
    const vaultId = readOrMake(layout.vaultFile, () => context.newId(), context);
    const machine = readOrMake(
      layout.machineFile,
      () => `m-${context.newId().replaceAll("-", "").slice(-12)}`,
      context,
    );
    return { vaultId, machine, writable: true };
  } catch {
    return viewIdentity(layout);
  }
}

/** The ids as they stand, or such as follow from the home's path: nothing is made, and nothing may be written. */
export function viewIdentity(layout: Layout): Identity {
  const derived = `ro-${sha256(layout.home).slice(0, 12)}`;
  return {
    vaultId: readIfPossible(layout.vaultFile) ?? derived,
    machine: readIfPossible(layout.machineFile) ?? derived,
    writable: false,
  };
}

function readOrMake(path: string, make: () => string, context: Context): string {
  for (let attempt = 0; ; attempt++) {
    const id = read(path);
    if (id !== undefined) return id;
    if (createExclusive(path, Buffer.from(`${JSON.stringify({ id: make() })}\n`))) continue;
    const again = read(path);
    if (again !== undefined) return again;
    const kept = keepAside(path);
    if (kept !== undefined) context.log.warn(`${path} was damaged; it is kept as ${kept} and made anew.`);
    if (attempt > 8) throw new Error(`${path} cannot be made`);
  }
}

/** The id, or undefined where the file is missing or damaged; throws where it cannot be read. */
function read(path: string): string | undefined {
  try {
    const bytes = readInside(dirname(path), basename(path), { maxBytes: 4_096, links: "refuse" });
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return check(IdentitySchema, JSON.parse(text), "CANONRY_DISK", path).id;
  } catch (error) {
    if (isCanonryError(error, "CANONRY_DISK") && error.data["errno"] !== undefined) throw error;
    return undefined;
  }
}

function readIfPossible(path: string): string | undefined {
  try {
    return read(path);
  } catch {
    return undefined;
  }
}
