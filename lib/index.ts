export { CanonryError, ERROR_CODES, type ErrorCode, isCanonryError } from "./core/errors.ts";
export { LIMITS } from "./core/limits.ts";
export { createRegistry, type Registry } from "./core/registry.ts";
export type {
  Batch,
  Digests,
  DriverOptions,
  DriverSupports,
  Fields,
  Filter,
  Frequencies,
  Hit,
  IndexDriver,
  OpenDriver,
  Order,
  Put,
  SearchTerms,
} from "./drivers/driver.ts";
export {
  type BackupOptions,
  type BackupReport,
  type Explained,
  type Health,
  type Library,
  type ListedSkill,
  type ListOptions,
  type MountReport,
  openLibrary,
  type ReadOptions,
  type ReindexOptions,
  type ReindexReport,
  type RestoreOptions,
  type RestoreReport,
  type SearchAnswer,
  type SearchOptions,
  type SkillText,
  type Stub,
  type StubOptions,
} from "./library.ts";
export type { Format, Heading, Outline, Parsed, ParseOptions } from "./markdown/format.ts";
export {
  DIAGNOSTIC_CODES,
  type Diagnostic,
  type DiagnosticCode,
  type Severity,
} from "./schema/diagnostic.ts";
export type { LibraryOptions } from "./schema/options.ts";
export type { Origin, SkillRecord, Telemetry } from "./schema/skill.ts";
