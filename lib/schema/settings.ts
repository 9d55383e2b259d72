import * as v from "valibot";

/** `<home>/settings.json`: every key, checked; unknown keys are refused. */
export const SettingsSchema = v.strictObject({
  driver: v.optional(v.string()),
  dsn: v.optional(v.string()),
  engine: v.optional(v.string()),
  /** Names of skills that come first in every stub. */
  pins: v.optional(v.array(v.pipe(v.string(), v.trim(), v.minLength(1, "is empty")))),
});

export type Settings = v.InferOutput<typeof SettingsSchema>;

/** `<home>/local/mounts.json`. */
export const MountsSchema = v.strictObject({
  mounts: v.array(
    v.strictObject({
      /** Absolute path as the person gave it. */
      dir: v.string(),
      /** A fingerprint, or "*" for the user. */
      for: v.pipe(v.string(), v.regex(/^(?:\*|[0-9a-f]{12})$/, "is neither a fingerprint nor *")),
      /** Where it led when it was mounted: its place keeps its id while the folder is out of reach (B110). */
      real: v.optional(v.string()),
    }),
  ),
});

export type KeptMount = v.InferOutput<typeof MountsSchema>["mounts"][number];
/** A mounted folder: its absolute path as the person gave it, and whom it is for: a fingerprint, or "*" for the user. */
export type MountEntry = Pick<KeptMount, "dir" | "for">;

/** `<home>/local/vault.json` and `machine.json`: made once, by whoever comes first. */
export const IdentitySchema = v.strictObject({ id: v.pipe(v.string(), v.regex(/^[a-z0-9-]{8,64}$/)) });
