import { randomBytes } from "node:crypto";
import { createGlossary, type Translate } from "./glossary.ts";

/** Milliseconds since the epoch, UTC. */
export type Clock = () => number;

/** What a person should hear about: one line each, never content of a skill. */
export interface Log {
  warn(line: string): void;
  note(line: string): void;
}

/** Progress of long work, for stderr: `done` of `total` (0 when not known yet). */
export type Progress = (stage: string, done: number, total: number) => void;

/** What happened, for callers that listen (S3.18, S3.35): never free text of a caller. */
export interface LibraryEvent {
  readonly type: string;
  readonly [field: string]: string | number | boolean | null;
}

/** What every layer would otherwise take from its surroundings, and the glossary, whose tables are read once for all. */
export interface Context {
  readonly clock: Clock;
  /** A new UUIDv7; its time comes from `clock`. */
  readonly newId: () => string;
  readonly log: Log;
  readonly emit: (event: LibraryEvent) => void;
  readonly translate: Translate;
}

export const silentLog: Log = Object.freeze({ warn() {}, note() {} });

export function createContext(parts: Partial<Context> = {}): Context {
  const clock = parts.clock ?? Date.now;
  return Object.freeze({
    clock,
    newId: parts.newId ?? (() => uuidV7(clock())),
    log: parts.log ?? silentLog,
    emit: parts.emit ?? (() => {}),
    translate: parts.translate ?? createGlossary(),
  });
}

/** RFC 9562 UUID version 7: 48 bits of milliseconds, then random bits. */
export function uuidV7(nowMs: number): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(Math.max(0, Math.trunc(nowMs)), 0, 6);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** ISO 8601 UTC with milliseconds. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
