import { lstatSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { exists } from "../../core/atomic.ts";
import { LIMITS } from "../../core/limits.ts";
import { isTempName } from "../../core/temp-names.ts";
import type { Finding } from "../../schema/finding.ts";
import { entriesOf, hashRegular, readRegular } from "./read.ts";
import { cannotRead, foreign, leftover, note, notOurs, problem, type Scene, type Steps } from "./scene.ts";

/** `<index file>.<generation>.json`; of an index that stands elsewhere, with the beginning of its folder's hash. */
const CLAIM_FILE = /^(.+?)(?:-[0-9a-f]{12})?\.(\d{1,15})\.json$/;

interface Flush {
  readonly path: string;
  readonly file: string;
  readonly generation: number;
  readonly sha256: string;
  readonly temp: string;
}

/** The claims of flushes, and whether the index file at `dsn` is an image that one of them wrote. */
export function* checkIndexFile(scene: Scene, dsn: string): Steps {
  const flushes = yield* readFlushes(scene);
  const ours = flushes.filter((flush) => flush.file === basename(dsn));
  const newest = ours.reduce<Flush | undefined>(
    (best, one) => (best !== undefined && best.generation > one.generation ? best : one),
    undefined,
  );
  const image = newest === undefined ? "" : join(dirname(dsn), newest.temp);
  if (newest !== undefined && newest.temp !== "" && exists(image)) {
    scene.claimed.add(scene.layout.relative(image));
    yield note(
      newest.path,
      "INDEX_FLUSH_OPEN",
      `The image ${newest.temp} is written and not in its place: its process is at work, or was killed.`,
      "nothing; the next command that opens the index finishes it",
    );
  }
  yield imageFinding(dsn, ours, () => readAgain(scene, basename(dsn)));
}

/** Undefined where it is what a flush on this machine has written, or where there is none. */
function imageFinding(
  dsn: string,
  flushes: readonly Flush[],
  again: () => readonly Flush[],
): Finding | undefined {
  try {
    const stats = lstatSync(dsn, { throwIfNoEntry: false });
    if (stats === undefined) return undefined;
    if (!stats.isFile()) return notOurs(dsn, stats, "file");
    let known = flushes;
    for (let look = 1; look <= 3; look++) {
      const hash = hashRegular(dsn);
      if (hash === undefined || known.some((flush) => flush.sha256 === hash)) return undefined;
      known = again();
    }
    return refused(dsn, known.length > 0);
  } catch (error) {
    return cannotRead(dsn, error);
  }
}

function refused(dsn: string, hasClaims: boolean): Finding {
  const next = "nothing is lost: the next command sets it aside and builds it anew from the files";
  return hasClaims
    ? problem(
        dsn,
        "INDEX_REFUSED",
        "Its bytes are not those that a flush wrote: it is damaged, or another's.",
        next,
      )
    : note(dsn, "INDEX_REFUSED", "It was not written on this machine, and is not used.", next);
}

function readAgain(scene: Scene, file: string): Flush[] {
  const steps = readFlushes({ ...scene, checked: { ...scene.checked } });
  for (let step = steps.next(); ; step = steps.next())
    if (step.done === true) return step.value.filter((flush) => flush.file === file);
}

function* readFlushes(scene: Scene): Steps<Flush[]> {
  const flushes: Flush[] = [];
  for (const { name, path, stats } of yield* entriesOf(join(scene.layout.local, "index"))) {
    const [, file, generation] = CLAIM_FILE.exec(name) ?? [];
    if (isTempName(name)) yield* leftover(scene, path, stats);
    else if (file === undefined) yield foreign(path);
    else if (!stats.isFile()) yield notOurs(path, stats, "file");
    else {
      scene.checked.claims++;
      const held = readFlush(path);
      if (held === undefined)
        yield note(
          path,
          "STATE_DAMAGED",
          "No claim of a flush: it is empty, cut or of another shape, and fits no image.",
          "nothing; where it is the newest, the index is set aside and built anew",
        );
      flushes.push({ path, file, generation: Number(generation), ...(held ?? { sha256: "", temp: "" }) });
      yield undefined;
    }
  }
  return flushes;
}

function readFlush(path: string): Pick<Flush, "sha256" | "temp"> | undefined {
  try {
    const value: unknown = JSON.parse(String(readRegular(path, LIMITS.indexClaimBytes)));
    if (typeof value !== "object" || value === null) return undefined;
    const { sha256, bytes, temp } = value as Readonly<Record<string, unknown>>;
    if (typeof sha256 !== "string" || !/^[0-9a-f]{64}$/.test(sha256) || typeof bytes !== "number")
      return undefined;
    return typeof temp === "string" && isTempName(temp) && basename(temp) === temp
      ? { sha256, temp }
      : undefined;
  } catch {
    return undefined;
  }
}
