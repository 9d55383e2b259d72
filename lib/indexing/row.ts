import { basename } from "node:path";
import type { Translate } from "../core/glossary.ts";
import { LIMITS } from "../core/limits.ts";
import { nameKey, slugOf } from "../core/names.ts";
import { indexTerms } from "../core/terms.ts";
import { oneLine, summaryOf } from "../core/text.ts";
import type { Put } from "../drivers/driver.ts";
import type { Diagnostic } from "../schema/diagnostic.ts";
import { digestOf } from "../schema/digest.ts";
import type { FieldTerms, Row, RowState } from "../schema/row.ts";
import type { Origin, SkillRecord } from "../schema/skill.ts";
import type { Place } from "../vault/place.ts";
import type { FileKind, SkillFile } from "../vault/skill-file.ts";

const NO_TERMS: FieldTerms = Object.freeze({ name: "", description: "", triggers: "", body: "" });

/**
 * The row and terms of one file of a place; a file without a record gives an `unreadable` row (C63). The terms of a skill
 * that is described in Chinese, Japanese or Korean have English ones beside them.
 */
export function putOf(
  place: Place,
  path: string,
  kind: FileKind,
  file: SkillFile,
  translate: Translate,
): Put {
  const { record } = file;
  if (record === undefined)
    return { row: unreadableRow(place, path, file.diagnostics, file), terms: NO_TERMS };
  const folder = folderName(place, path, kind);
  const title = titleOf(record);
  const row: Row = {
    place: place.id,
    path,
    name: record.name,
    keys: keysOf(record, folder, path),
    title,
    description: record.description,
    summary: summaryOf(oneLine(record.summary ?? "") || record.description),
    fingerprint: place.fingerprint,
    origin: originOf(place, record),
    state: stateOf(kind, record),
    version: record.version,
    languages: record.appliesTo.languages,
    toolsets: record.appliesTo.toolsets,
    requiresTools: record.requiresTools,
    triggers: record.triggers,
    tags: record.tags ?? [],
    taskType: record.taskType ?? "",
    personOnly: record.disableModelInvocation === true,
    bytes: file.bytes,
    digest: digestOf(record),
    bytesHash: file.bytesHash,
    stamp: file.stamp,
    createdAt: record.createdAt ?? "",
    updatedAt:
      record.updatedAt ?? record.source.patchedAt ?? record.source.promotedAt ?? record.createdAt ?? "",
    diagnostics: file.diagnostics,
  };
  return { row, terms: termsOf(record, title, folder, translate) };
}

/** A row that stands for something that gave no skill: named after its file or folder, never shown to agents. */
export function unreadableRow(
  place: Place,
  path: string,
  diagnostics: readonly Diagnostic[],
  file?: Pick<SkillFile, "bytes" | "bytesHash" | "stamp">,
): Row {
  const name = oneLine(
    folderName(place, path, /\.md$/i.test(path) && !/(^|\/)skill\.md$/i.test(path) ? "flat" : "skill"),
  );
  return {
    place: place.id,
    path,
    name,
    keys: [nameKey(name)],
    title: name,
    description: "",
    summary: "",
    fingerprint: place.fingerprint,
    origin: place.kind === "mount" ? "pack" : "user",
    state: "unreadable",
    version: 1,
    languages: [],
    toolsets: [],
    requiresTools: [],
    triggers: [],
    tags: [],
    taskType: "",
    personOnly: false,
    bytes: file?.bytes ?? 0,
    digest: "",
    bytesHash: file?.bytesHash ?? "",
    stamp: file?.stamp ?? "",
    createdAt: "",
    updatedAt: "",
    diagnostics,
  };
}

/** The folder of a SKILL.md, or the stem of a lone file. */
function folderName(place: Place, path: string, kind: FileKind): string {
  if (kind !== "skill") return basename(path).replace(/\.md$/i, "");
  const parts = path.split("/");
  const own = /^skill\.md$/i.test(parts.at(-1) ?? "") ? parts.at(-2) : parts.at(-1);
  return own ?? basename(place.dir);
}

/** Every name that finds the skill: its own first (B05), then its folder's, slugs, declared aliases, and its path (C61). */
function keysOf(record: SkillRecord, folder: string, path: string): string[] {
  const at = path.replace(/\/?skill\.md$/i, "").replace(/\.md$/i, "");
  const names = [record.name, folder, slugOf(record.name), slugOf(folder), ...(record.aliases ?? []), at];
  return [
    ...new Set(names.filter((name) => name !== undefined && name !== "").map((name) => nameKey(name ?? ""))),
  ];
}

function titleOf(record: SkillRecord): string {
  const heading = /^#[ \t]+(.+?)[ \t#]*$/m.exec(record.body.slice(0, 2_000))?.[1];
  return oneLine(record.title ?? heading ?? record.name);
}

function originOf(place: Place, record: SkillRecord): Origin {
  if (place.kind === "mount") return "pack";
  return record.origin ?? (record.source.promotedBy === "librarian" ? "generated" : "user");
}

function stateOf(kind: FileKind, record: SkillRecord): RowState {
  if (kind === "archive") return "archived";
  return kind === "quarantine" || record.quarantined ? "quarantined" : "active";
}

function termsOf(record: SkillRecord, title: string, folder: string, translate: Translate): FieldTerms {
  const triggers = [...record.triggers, ...(record.tags ?? []), ...(record.aliases ?? [])].join(" ");
  const english = translate([record.name, title, record.description, triggers].join("\n")).join(" ");
  const name = folder === record.name ? record.name : `${record.name} ${folder}`;
  return {
    name: indexTerms(name),
    description: indexTerms(title === record.name ? record.description : `${title} ${record.description}`),
    triggers: [indexTerms(triggers), english].filter((terms) => terms !== "").join(" "),
    body: indexTerms(record.body.slice(0, LIMITS.indexedBodyChars)),
  };
}
