import { readFileSync } from "node:fs";

/** The version of the package that this file belongs to, compiled or not. */
export function version(): string {
  for (const up of ["../../package.json", "../../../package.json"]) {
    try {
      const manifest: unknown = JSON.parse(readFileSync(new URL(up, import.meta.url)).toString("utf8"));
      if (
        typeof manifest === "object" &&
        manifest !== null &&
        "name" in manifest &&
        manifest.name === "canonry" &&
        "version" in manifest
      )
        return String(manifest.version);
    } catch {
      // not this one
    }
  }
  return "unknown";
}
