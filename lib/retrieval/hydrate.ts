import { join } from "node:path";
import { CanonryError } from "../core/errors.ts";
import { LIMITS } from "../core/limits.ts";
import { isDisplayName } from "../core/names.ts";
import { nearest } from "../core/nearest.ts";
import { throwIfAborted } from "../core/pacer.ts";
import { byteLength, quoted } from "../core/text.ts";
import type { NewEvent } from "../schema/ledger-event.ts";
import type { IndexedRow } from "../schema/row.ts";
import type { SkillRecord } from "../schema/skill.ts";
import { filesBeside, folderBeside, rootBeside } from "../vault/beside.ts";
import { assertRelativePath } from "../vault/path-rules.ts";
import { readInside } from "../vault/paths.ts";
import type { Place } from "../vault/place.ts";
import { readSkillFile } from "../vault/skill-file.ts";
import { type Reader, type SlotVerdict, takeSlot } from "../vault/slots.ts";
import { type Resolved, resolve } from "./resolve.ts";
import type { View } from "./view.ts";

export interface ReadOptions {
  /** A file beside the skill (L2), by its path inside the skill's folder; none for the body (L1). */
  readonly file?: string | undefined;
  /** False leaves no trace: no event, no slot. */
  readonly record?: boolean | undefined;
  readonly runId?: string | undefined;
  readonly wave?: number | undefined;
  readonly agent?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface SkillText {
  readonly name: string;
  readonly place: string;
  readonly version: number;
  readonly digest: string;
  readonly origin: string;
  /** Markdown after the frontmatter, or the text of the file asked for. */
  readonly body: string;
  /** Paths of the files beside it: each can be asked for as `file`. */
  readonly files: readonly string[];
  /** Absolute folder of those files (B65). */
  readonly folder: string;
  /** What the reader should know: another name was used, an older defect of the file. */
  readonly notices: readonly string[];
}

/**
 * Loads a skill's body or one of its files from disk (S2.22) and counts it: one `hydrated` event, a slot of the wave
 * where run, wave and agent are known (S1.26, S1.29, C46, C55). Throws `CANONRY_SKILL_NOT_FOUND` after recording a
 * `read_miss` (S2.23), `CANONRY_HYDRATION_CAP` on the sixth skill, and what `resolve` throws.
 */
export async function readSkill(view: View, asked: string, options: ReadOptions = {}): Promise<SkillText> {
  throwIfAborted(options.signal);
  await view.catalog.fresh({ signal: options.signal });
  const { found, record } = await current(view, asked, options);
  const { row, place } = found;
  const files = filesBeside(place, row.path).map((file) => file.path);
  const body = options.file === undefined ? record.body : readBeside(place, row, options.file, files);
  const verdict = claimSlot(view, row, options);
  if (options.record !== false && counts(verdict, options)) recordEvent(view, "hydrated", row, options);
  return {
    name: row.name,
    place: row.place,
    version: row.version,
    digest: row.digest,
    origin: row.origin,
    body,
    files,
    folder: folderBeside(place, row.path),
    notices: noticesOf(found, body),
  };
}

/** The row and its file as it is now: where they disagree the index catches up and the name is resolved again (B21). */
async function current(
  view: View,
  asked: string,
  options: ReadOptions,
): Promise<{ found: Resolved; record: SkillRecord }> {
  for (let attempt = 0; ; attempt++) {
    const found = await orMiss(view, asked, options);
    const path = join(found.place.dir, found.row.path);
    const file = readSkillFile(path, path, found.place.kind === "mount" ? kindOf(found.row) : "canon");
    if (file.record !== undefined && (file.bytesHash === found.row.bytesHash || attempt > 2))
      return { found, record: file.record };
    if (attempt > 2) {
      const why = file.diagnostics[0]?.message ?? "It changes while it is read.";
      throw new CanonryError("CANONRY_SKILL_HIDDEN", `The skill ${found.row.name} cannot be read: ${why}`, {
        data: { path },
      });
    }
    await view.catalog.fresh({ force: true, signal: options.signal });
  }
}

function kindOf(row: IndexedRow): "skill" | "flat" {
  return row.path.includes("/") || /^skill\.md$/i.test(row.path) ? "skill" : "flat";
}

async function orMiss(view: View, asked: string, options: ReadOptions): Promise<Resolved> {
  try {
    return await resolve(view, asked);
  } catch (error) {
    if (!(error instanceof CanonryError) || error.code !== "CANONRY_SKILL_NOT_FOUND") throw error;
    if (view.catalog.relied) {
      await view.catalog.fresh({ force: true, signal: options.signal });
      return orMiss(view, asked, options);
    }
    if (options.record !== false) recordEvent(view, "read_miss", undefined, options, asked);
    throw error;
  }
}

function claimSlot(view: View, row: IndexedRow, options: ReadOptions): SlotVerdict | undefined {
  const { runId, wave, agent } = options;
  if (options.record === false || runId === undefined || wave === undefined || agent === undefined)
    return undefined;
  if (!view.vault.writable) return undefined;
  const reader: Reader = { runId, wave, agent };
  const verdict = slotOrNone(view, reader, `${row.fingerprint} ${row.name}`);
  if (verdict === "full") {
    view.context.log.warn(
      `hydration cap: agent ${agent} has read ${LIMITS.hydrationsPerWave} skills in wave ${wave}; ${row.name} was not loaded`,
    );
    throw new CanonryError("CANONRY_HYDRATION_CAP", "hydration cap reached; use skill_search to refine", {
      data: { cap: LIMITS.hydrationsPerWave, runId, wave, agent },
    });
  }
  return verdict;
}

/** Slots that cannot be kept are no reason not to answer: the read then counts without one (S1.30). */
function slotOrNone(view: View, reader: Reader, skill: string): SlotVerdict | undefined {
  try {
    return takeSlot(view.vault.layout.slots, reader, skill);
  } catch (error) {
    view.context.log.warn(
      `hydration cap: the slots in ${view.vault.layout.slots} cannot be kept: ${error instanceof Error ? error.message : String(error)}`,
    );
    return undefined;
  }
}

/** A first read counts; a repeated one does not; a file beside counts only as the first read of a known reader (C46). */
function counts(verdict: SlotVerdict | undefined, options: ReadOptions): boolean {
  return verdict === undefined ? options.file === undefined : verdict === "taken";
}

/** A miss keeps the asked name only where it is one: free text of an agent does not reach the ledger (P6). */
function recordEvent(
  view: View,
  event: "hydrated" | "read_miss",
  row: IndexedRow | undefined,
  options: ReadOptions,
  asked = "",
): void {
  const line: NewEvent = {
    event,
    run_id: options.runId ?? "",
    wave: options.wave ?? 0,
    agent: options.agent ?? "",
    fingerprint: row?.fingerprint ?? view.fingerprint,
    skill: row?.name ?? (isDisplayName(asked) && /^[\p{L}\p{N}-]+$/u.test(asked) ? asked : ""),
    version: row?.version ?? null,
  };
  view.vault.append(line);
}

/** A file beside the skill, as text (L2): checked path, regular file, size cap, no binary (C59). */
function readBeside(place: Place, row: IndexedRow, file: string, files: readonly string[]): string {
  const root = folderBeside(place, row.path);
  assertRelativePath(file);
  if (!files.includes(file)) {
    const near = nearest(file, files);
    const has =
      files.length === 0
        ? "It has none."
        : `It has: ${(near.length > 0 ? near : files.slice(0, 8)).join(", ")}.`;
    throw new CanonryError(
      "CANONRY_FILE_NOT_FOUND",
      `There is no file ${quoted(file, 120)} beside ${row.name} in ${root}. ${has}`,
      {
        data: { file, folder: root, files: files.slice(0, 50) },
      },
    );
  }
  const reference = place.kind === "space" && file.startsWith("references/");
  const maxBytes = reference ? LIMITS.referenceFileBytes : LIMITS.attachedFileBytes;
  const { root: from, prefix } = rootBeside(place, row.path);
  const bytes = readInside(from, prefix + file, { maxBytes, links: "refuse" });
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    if (!text.includes("\0")) return text;
  } catch {
    // not UTF-8: the same answer as for a NUL
  }
  throw new CanonryError("CANONRY_FILE_BINARY", `${file} of ${row.name} is not text; it stands in ${root}.`, {
    data: { file, folder: root },
  });
}

function noticesOf(found: Resolved, body: string): string[] {
  const notices = found.notice === undefined ? [] : [found.notice];
  const bytes = byteLength(body);
  if (bytes > LIMITS.canonFileBytes)
    notices.push(`The text has ${bytes} bytes, more than the ${LIMITS.canonFileBytes} of a canon skill.`);
  return notices;
}
