import * as v from "valibot";
import type { Clock, LibraryEvent, Log } from "../core/context.ts";
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
});

export type LibraryOptions = v.InferInput<typeof LibraryOptionsSchema>;
