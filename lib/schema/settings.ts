import * as v from "valibot";

/** `<home>/settings.json`: every key, checked; unknown keys are refused. */
export const SettingsSchema = v.strictObject({
  driver: v.optional(v.string()),
  dsn: v.optional(v.string()),
  engine: v.optional(v.string()),
});

export type Settings = v.InferOutput<typeof SettingsSchema>;

/** `<home>/local/mounts.json`. */
export const MountsSchema = v.strictObject({
  mounts: v.array(
    v.strictObject({
      /** Absolute path as the person gave it. */
      dir: v.string(),
      /** A fingerprint, or "*" for the user. */
      for: v.string(),
    }),
  ),
});

export type MountEntry = v.InferOutput<typeof MountsSchema>["mounts"][number];
