import { CanonryError, isCanonryError } from "../../core/errors.ts";
import type { DriverOptions } from "../driver.ts";
import type { Database, Engine } from "./engine.ts";
import { readHeader } from "./header.ts";
import { type Checksum, type ImageFile, openImage } from "./image.ts";
import { damaged } from "./regular-file.ts";
import {
  APPLICATION_ID,
  applyPragmas,
  createTables,
  hasFullText,
  readMeta,
  SCHEMA_VERSION,
  versionOf,
  writeMeta,
} from "./schema.ts";
import { looksLikeSeed, readSeedImage } from "./seed.ts";

/** An index in an engine's memory, ready for use. */
export interface OpenIndex {
  readonly db: Database;
  readonly fullText: boolean;
  readonly version: string;
  /** Where it came from and goes to; undefined where nothing is kept. */
  readonly file: ImageFile | undefined;
}

/** Throws `CANONRY_INDEX_DAMAGED` and `CANONRY_INDEX_FOREIGN`, and leaves the file as it is (C57). */
export function openIndex(options: DriverOptions, engine: Engine): OpenIndex {
  const path =
    options.dsn === undefined || options.dsn === "" || options.dsn === ":memory:" ? undefined : options.dsn;
  const file = path === undefined ? undefined : openImage(path, options.localDir, options.context.clock);
  const image = file?.load();
  if (path !== undefined && image !== undefined) {
    refuseForeignHeader(path, image.bytes, engine);
    refuseUnknown(path, image.checksum);
  }
  const db = openDatabase(engine, path, image?.bytes);
  try {
    const fullText = hasFullText(db);
    if (path !== undefined && image !== undefined) {
      if (image.checksum === "unasked") trusting(path, () => refuseBroken(path, db));
      const meta = trusting(path, () => readMeta(db));
      if (meta?.vaultId !== options.vaultId) throw foreign(path, "it is of another home");
      if (meta.fullText !== fullText)
        throw foreign(path, `it was written ${meta.fullText ? "with" : "without"} full text`);
    }
    trusting(path, () => prepare(db, options.vaultId, fullText, image === undefined));
    return { db, fullText, version: versionOf(db), file };
  } catch (error) {
    db.close();
    throw error;
  }
}

function prepare(db: Database, vaultId: string, fullText: boolean, fresh: boolean): void {
  applyPragmas(db);
  createTables(db, fullText);
  if (fresh) writeMeta(db, { vaultId, generation: 0, fullText });
}

/** By the header alone, so that nothing of another program is opened for longer than it takes to know it (C60). */
function refuseForeignHeader(path: string, bytes: Uint8Array, engine: Engine): void {
  const { applicationId, userVersion } = readHeader(bytes);
  if (applicationId !== APPLICATION_ID) {
    const seed = looksLikeSeed(() => new engine.Database(readSeedImage(path)));
    throw foreign(path, seed ? "the seed's program wrote it" : "another program wrote it", { seed });
  }
  if (userVersion !== SCHEMA_VERSION) {
    throw foreign(path, `its version is ${userVersion}, this Canonry reads ${SCHEMA_VERSION}`, {
      version: userVersion,
    });
  }
}

/** Before an engine looks at bytes that anybody may have made. */
function refuseUnknown(path: string, checksum: Checksum): void {
  if (checksum === "unknown") throw damaged(path, "its bytes are not what was written");
  if (checksum === "none") throw foreign(path, "it was not written on this machine");
}

/** Without checksums the engine's own check has to do: it finds what is broken, not what is merely different. */
function refuseBroken(path: string, db: Database): void {
  const found = db.exec("PRAGMA integrity_check(1)")[0]?.values[0]?.[0];
  if (found !== "ok") throw damaged(path, String(found));
}

function openDatabase(engine: Engine, path: string | undefined, image: Uint8Array | undefined): Database {
  return trusting(path, () => (image === undefined ? new engine.Database() : new engine.Database(image)));
}

/** What the engine finds wrong with an image is the image's fault, not the caller's. */
function trusting<T>(path: string | undefined, step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (path === undefined || isCanonryError(error)) throw error;
    throw damaged(path, error instanceof Error ? error.message : "the engine refuses it", error);
  }
}

function foreign(path: string, why: string, more: Record<string, unknown> = {}): CanonryError {
  return new CanonryError(
    "CANONRY_INDEX_FOREIGN",
    `The index ${path} is not used: ${why}. It is set aside and a new one is built from the files.`,
    { data: { path, why, ...more } },
  );
}
