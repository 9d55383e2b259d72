import { constants } from "node:os";

/**
 * Every code that a thrown `CanonryError` may carry, with the exit code the command line gives it
 * (`cli.md`, manners) and one sentence for `docs/errors.md`. Content faults are diagnostics, not errors.
 */
export const ERROR_CODES = Object.freeze({
  CANONRY_USAGE: { exit: 2, says: "An option, argument or setting is not one of the allowed ones." },
  CANONRY_INVALID_NAME: { exit: 2, says: "A skill name breaks the name rule." },
  CANONRY_INVALID_PATH: {
    exit: 2,
    says: "A path leaves its root, is absolute, or is not a plain relative path.",
  },
  CANONRY_INVALID_RECORD: {
    exit: 2,
    says: "A record cannot be written: a field is missing, too long or of the wrong type.",
  },
  CANONRY_SKILL_NOT_FOUND: { exit: 1, says: "No skill of that name is on the reading path." },
  CANONRY_SKILL_AMBIGUOUS: {
    exit: 1,
    says: "Two files of one place have that name; name one of them by its qualified name.",
  },
  CANONRY_SKILL_HIDDEN: { exit: 1, says: "The skill is quarantined, archived or unreadable." },
  CANONRY_FILE_NOT_FOUND: { exit: 1, says: "The skill has no such file beside it." },
  CANONRY_FILE_BINARY: { exit: 1, says: "The file is not text and is not handed out." },
  CANONRY_FILE_TOO_LARGE: { exit: 1, says: "The file is larger than the limit for its kind." },
  CANONRY_HYDRATION_CAP: { exit: 1, says: "The agent has read its five skills of this wave." },
  CANONRY_CONFLICT: {
    exit: 5,
    says: "Somebody else changed the file first; nothing was written, both texts are kept.",
  },
  CANONRY_NOT_A_HOME: { exit: 1, says: "The folder holds other things and is not a Canonry home." },
  CANONRY_HOME_UNREADABLE: { exit: 1, says: "The home cannot be read." },
  CANONRY_READ_ONLY: { exit: 1, says: "The home, or a folder in it, cannot be written." },
  CANONRY_DISK: {
    exit: 1,
    says: "The file system refused a read or a write (full disk, input/output error, too many open files).",
  },
  CANONRY_SETTINGS: {
    exit: 2,
    says: "settings.json cannot be read, or holds an unknown key or a wrong value.",
  },
  CANONRY_UNKNOWN_DRIVER: { exit: 2, says: "No index driver of that name is registered." },
  CANONRY_ENGINE: { exit: 4, says: "The engine of an index driver could not be loaded." },
  CANONRY_INDEX_DAMAGED: {
    exit: 1,
    says: "The index file is cut, altered or not an index; it is kept aside and rebuilt.",
  },
  CANONRY_INDEX_FOREIGN: {
    exit: 1,
    says: "The index file belongs to another home or another version of Canonry.",
  },
  CANONRY_INDEX_UNAVAILABLE: { exit: 1, says: "The index cannot be opened or built." },
  CANONRY_REGEX: { exit: 2, says: "The regular expression is not valid, or ran longer than its time limit." },
  CANONRY_FILE_EXISTS: { exit: 1, says: "A file of that name is there, and nobody said to replace it." },
  CANONRY_BACKUP: {
    exit: 1,
    says: "The backup is cut, altered, unsafe or none of Canonry's; nothing was restored from it.",
  },
  CANONRY_CLOSED: { exit: 1, says: "The library or driver was used after close." },
  CANONRY_ABORTED: { exit: 1, says: "The caller's signal ended the work." },
  CANONRY_INTERNAL: { exit: 1, says: "A fault in Canonry itself." },
} as const);

export type ErrorCode = keyof typeof ERROR_CODES;

/**
 * A caller fault or an environment fault. `message` says what was received, what is allowed and what to do;
 * `data` is the same as plain JSON values; `cause` is the error underneath, if there was one.
 */
export class CanonryError extends Error {
  readonly code: ErrorCode;
  readonly data: Readonly<Record<string, unknown>>;

  constructor(
    code: ErrorCode,
    message: string,
    options: { cause?: unknown; data?: Record<string, unknown> } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "CanonryError";
    this.code = code;
    this.data = Object.freeze({ ...options.data });
  }
}

export function isCanonryError(error: unknown, ...codes: ErrorCode[]): error is CanonryError {
  return error instanceof CanonryError && (codes.length === 0 || codes.includes(error.code));
}

/** The `code` of a Node system error (`ENOENT` …), or undefined. Some have none in Node 20: a quota that is used up. */
export function errnoOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  if (error.code === "UNKNOWN" && "errno" in error) {
    const named = Object.entries(constants.errno).find(([, errno]) => errno === -Number(error.errno));
    if (named !== undefined) return named[0];
  }
  return typeof error.code === "string" ? error.code : undefined;
}

/** Turns a system error of a read or write at `path` into the typed error that fits it. */
export function diskError(action: string, path: string, cause: unknown): CanonryError {
  const errno = errnoOf(cause) ?? "unknown";
  const readOnly = errno === "EACCES" || errno === "EPERM" || errno === "EROFS";
  const advice = readOnly
    ? "Check the permissions of the folder, or choose another home with --home."
    : "Free space or check the disk, then try again; what stood there before is unchanged.";
  return new CanonryError(
    readOnly ? "CANONRY_READ_ONLY" : "CANONRY_DISK",
    `Could not ${action} ${path}: ${errno}. ${advice}`,
    { cause, data: { path, errno } },
  );
}
