import { nameKey } from "../../core/names.ts";
import type { IndexedRow, Row } from "../../schema/row.ts";
import { foldedText } from "../ladder.ts";
import type { SqlValue } from "./engine.ts";

/** What a row writes, by column; the counters have columns too, but only the fold of the events writes those. */
const WRITTEN: Readonly<Record<string, (row: Row) => SqlValue>> = {
  name: (row) => row.name,
  repo_fingerprint: (row) => row.fingerprint,
  description: (row) => row.description,
  version: (row) => row.version,
  languages: (row) => JSON.stringify(row.languages),
  toolsets: (row) => JSON.stringify(row.toolsets),
  requires_tools: (row) => JSON.stringify(row.requiresTools),
  triggers: (row) => JSON.stringify(row.triggers),
  body_path: (row) => `${row.place}/${row.path}`,
  size_bytes: (row) => row.bytes,
  created_at: (row) => row.createdAt,
  quarantined: (row) => (row.state === "quarantined" ? 1 : 0),
  place: (row) => row.place,
  path: (row) => row.path,
  name_key: (row) => nameKey(row.name),
  keys: (row) => JSON.stringify(row.keys),
  title: (row) => row.title,
  summary: (row) => row.summary,
  origin: (row) => row.origin,
  state: (row) => row.state,
  tags: (row) => JSON.stringify(row.tags),
  tag_keys: (row) => JSON.stringify(row.tags.map(nameKey)),
  task_type: (row) => row.taskType,
  person_only: (row) => (row.personOnly ? 1 : 0),
  digest: (row) => row.digest,
  bytes_hash: (row) => row.bytesHash,
  stamp: (row) => row.stamp,
  updated_at: (row) => row.updatedAt,
  diagnostics: (row) => JSON.stringify(row.diagnostics),
  folded: (row) => (isPlain(row) ? null : foldedText(row)),
};

/** ASCII on one line each: SQLite can fold those itself, and their text need not be kept twice. */
function isPlain(row: Row): boolean {
  return [row.title, row.description, ...row.triggers, ...row.tags].every((text) =>
    /^[\x20-\x7e]*$/.test(text),
  );
}

/** `foldedText` of the table called `s`. */
export const FOLDED = `coalesce(s.folded, lower(char(10) || s.title || char(10)
  || coalesce((SELECT group_concat(value || char(10), '') FROM json_each(s.triggers)), '')
  || coalesce((SELECT group_concat(value || char(10), '') FROM json_each(s.tags)), '')
  || char(10) || s.description))`;

const NAMES = Object.keys(WRITTEN);
const VALUES = Object.values(WRITTEN);

/** Inserts a row or replaces what it writes; never OR REPLACE, which would give it a new id and lose its counters. */
export const UPSERT = `INSERT INTO skills(${NAMES.join(", ")}) VALUES (${NAMES.map((_, i) => `?${i + 1}`).join(", ")})
  ON CONFLICT (place, path) DO UPDATE SET ${NAMES.map((name) => `${name} = excluded.${name}`).join(", ")}
  RETURNING id`;

export function toColumns(row: Row): SqlValue[] {
  return VALUES.map((value) => value(row));
}

/** The columns that `fromColumns` reads, in its order, of the table called `s`. */
export const READ = `s.place, s.path, s.name, s.keys, s.title, s.description, s.summary, s.repo_fingerprint, s.origin, s.state,
  s.version, s.languages, s.toolsets, s.requires_tools, s.triggers, s.tags, s.task_type, s.person_only, s.size_bytes,
  s.digest, s.bytes_hash, s.stamp, s.created_at, s.updated_at, s.diagnostics, s.uses, s.wins, s.losses,
  s.cost_saved_usd, s.last_used_at, s.last_wave`;

/** The types are those that `WRITTEN` and the counters put in; a file from elsewhere never gets this far. */
export function fromColumns(values: readonly SqlValue[]): IndexedRow {
  const text = (at: number) => values[at] as string;
  const number = (at: number) => values[at] as number;
  const list = (at: number) => (values[at] === "[]" ? [] : (JSON.parse(text(at)) as string[]));
  return {
    place: text(0),
    path: text(1),
    name: text(2),
    keys: list(3),
    title: text(4),
    description: text(5),
    summary: text(6),
    fingerprint: text(7),
    origin: text(8) as IndexedRow["origin"],
    state: text(9) as IndexedRow["state"],
    version: number(10),
    languages: list(11),
    toolsets: list(12),
    requiresTools: list(13),
    triggers: list(14),
    tags: list(15),
    taskType: text(16),
    personOnly: number(17) === 1,
    bytes: number(18),
    digest: text(19),
    bytesHash: text(20),
    stamp: text(21),
    createdAt: text(22),
    updatedAt: text(23),
    diagnostics: JSON.parse(text(24)) as IndexedRow["diagnostics"],
    counters: {
      uses: number(25),
      wins: number(26),
      losses: number(27),
      costSavedUsd: number(28),
      lastUsedAt: values[29] as string | null,
      lastWave: values[30] as number | null,
    },
  };
}
