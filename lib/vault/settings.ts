import { readFileSync, statSync } from "node:fs";
import { CanonryError } from "../core/errors.ts";
import { lookAt } from "../core/look.ts";
import { didYouMean } from "../core/nearest.ts";
import { check } from "../schema/check.ts";
import { type Settings, SettingsSchema } from "../schema/settings.ts";
import type { Layout } from "./layout.ts";

const SETTINGS_BYTES = 1_048_576;

/**
 * `settings.json`, checked; no file is no settings. A broken file, an unknown key or a wrong value is
 * `CANONRY_SETTINGS`, naming file, key and what is allowed; the file is never touched (B53).
 */
export function readSettings(layout: Layout): Settings {
  const bytes = readBytes(layout);
  return bytes === undefined ? {} : parseSettings(bytes, layout.settings);
}

/** See `readSettings`; `path` names the file in what is thrown. */
export function parseSettings(bytes: Buffer, path: string): Settings {
  if (bytes.length > SETTINGS_BYTES) throw refused(path, "has more than 1 MiB", {});
  const value = parse(bytes.toString("utf8"), path);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw refused(path, "holds no object. Allowed: one object of keys and values", {});
  const allowed = Object.keys(SettingsSchema.entries);
  for (const key of Object.keys(value)) {
    if (allowed.includes(key)) continue;
    throw refused(
      path,
      `has the unknown key ${JSON.stringify(key)}.${didYouMean(key, allowed)} Allowed: ${allowed.join(", ")}`,
      { key, allowed },
    );
  }
  return check(SettingsSchema, value, "CANONRY_SETTINGS", path);
}

/** The settings are the person's own: a symbolic link, say into a folder of dotfiles, is followed. */
function readBytes(layout: Layout): Buffer | undefined {
  try {
    const stats = statSync(layout.settings, { throwIfNoEntry: false });
    if (stats === undefined && lookAt(layout.settings) === undefined) return undefined;
    if (stats?.isFile() !== true || stats.size > SETTINGS_BYTES)
      throw new Error("it is no file of at most 1 MiB");
    return readFileSync(layout.settings);
  } catch (error) {
    throw refused(
      layout.settings,
      `cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      {},
      error,
    );
  }
}

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    const why =
      text.trim() === ""
        ? "is empty"
        : `is not JSON: ${error instanceof Error ? error.message : String(error)}`;
    throw refused(path, why, {}, error);
  }
}

function refused(path: string, why: string, data: Record<string, unknown>, cause?: unknown): CanonryError {
  return new CanonryError(
    "CANONRY_SETTINGS",
    `${path} ${why}. Mend the file, or move it away to use the defaults.`,
    {
      cause,
      data: { path, ...data },
    },
  );
}
