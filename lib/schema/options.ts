import * as v from "valibot";
import type { Clock, LibraryEvent, Log, Progress } from "../core/context.ts";
import { isFingerprint, UNIVERSAL } from "../core/fingerprint.ts";

const path = v.pipe(v.string(), v.minLength(1, "is empty"));

/** What `openLibrary` takes; unknown keys are refused. */
export const LibraryOptionsSchema = v.strictObject({
  /** The home; default `CANONRY_HOME`, else `~/.canonry`. */
  home: v.optional(path),
  /** The repository whose skills count; default the working directory. It gives the fingerprint (S1.28). */
  repo: v.optional(path),
  /** Twelve hex digits or "*", instead of `repo`. */
  fingerprint: v.optional(
    v.pipe(
      v.string(),
      v.check((value) => value === UNIVERSAL || isFingerprint(value), "is neither 12 hex digits nor *"),
    ),
  ),
  /** A registered index driver; default from the settings, else `sqljs`. */
  driver: v.optional(v.string()),
  /** Where the driver keeps its index; default `<home>/index.sqlite`. `:memory:` keeps nothing. */
  dsn: v.optional(path),
  /** A registered engine of the driver. */
  engine: v.optional(v.string()),
  /** Makes the home where there is none; default true. */
  create: v.optional(v.boolean()),
  /** Milliseconds since the epoch; for reproducible runs. */
  clock: v.optional(v.custom<Clock>((value) => typeof value === "function", "is not a function")),
  log: v.optional(
    v.custom<Log>(
      (value) => typeof value === "object" && value !== null,
      "is not an object with warn and note",
    ),
  ),
  /** Called with each event, such as `skill.search_executed` (S3.18). */
  onEvent: v.optional(
    v.custom<(event: LibraryEvent) => void>((value) => typeof value === "function", "is not a function"),
  ),
  /** Called while an answer waits for files that have to be read first. */
  progress: v.optional(v.custom<Progress>((value) => typeof value === "function", "is not a function")),
});

export type LibraryOptions = v.InferInput<typeof LibraryOptionsSchema>;

const signal = v.optional(v.instance(AbortSignal, "is not an AbortSignal"));
const progress = v.optional(v.custom<Progress>((value) => typeof value === "function", "is not a function"));
const whole = (least: number) => v.pipe(v.number(), v.integer(), v.minValue(least));
const words = v.array(v.string());

/** What the methods of a library take; unknown keys are refused, ranges are checked where they are used. */
export const SearchOptionsSchema = v.strictObject({
  limit: v.optional(v.number()),
  regex: v.optional(v.boolean()),
  signal,
});
export const ListOptionsSchema = v.strictObject({
  all: v.optional(v.boolean()),
  origin: v.optional(v.string()),
  signal,
});
export const STUB_RANKS = ["seed", "evidence"] as const;
export type StubRank = (typeof STUB_RANKS)[number];
export const StubOptionsSchema = v.strictObject({
  role: v.optional(v.string()),
  tools: v.optional(words),
  task: v.optional(v.string()),
  rank: v.optional(v.picklist(STUB_RANKS)),
  languages: v.optional(words),
  toolsets: v.optional(words),
  budget: v.optional(v.number()),
  explain: v.optional(v.boolean()),
  signal,
});
export const ReadOptionsSchema = v.strictObject({
  file: v.optional(v.string()),
  record: v.optional(v.boolean()),
  runId: v.optional(v.string()),
  wave: v.optional(whole(0)),
  agent: v.optional(v.string()),
  signal,
});
export const ReindexOptionsSchema = v.strictObject({
  full: v.optional(v.boolean()),
  progress,
  signal,
});
export const BackupOptionsSchema = v.strictObject({ force: v.optional(v.boolean()), progress, signal });
export const RestoreOptionsSchema = v.strictObject({ dryRun: v.optional(v.boolean()), progress, signal });
export const MountScopeSchema = v.optional(v.picklist(["project", "user"]));
export const TextSchema = v.string();
export const FoldersSchema = v.pipe(words, v.minLength(1, "names no folder"));
