import * as v from "valibot";

const whole = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** What the first entry of a backup says of all the others. */
export const BackupManifestSchema = v.strictObject({
  format: v.literal("canonry-backup"),
  /** Of this record and of how the entries are laid out; a reader refuses a number it does not know. */
  version: v.literal(1),
  /** Id of the vault it was made from. */
  vault: v.string(),
  /** When it was begun, ISO 8601 UTC. */
  at: v.string(),
  count: whole,
  /** The bytes of all files together. */
  bytes: whole,
  files: v.array(
    v.strictObject({
      /** Below the home, forward slashes. */
      path: v.string(),
      bytes: whole,
      sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, "is no SHA-256 in hex")),
      executable: v.boolean(),
    }),
  ),
});

export type BackupManifest = v.InferOutput<typeof BackupManifestSchema>;
export type BackupFile = BackupManifest["files"][number];
