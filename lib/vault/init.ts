import { readFileSync } from "node:fs";
import { createExclusive, replaceFile } from "../core/atomic.ts";
import type { Context } from "../core/context.ts";
import { diskError } from "../core/errors.ts";
import { lookAt } from "../core/look.ts";
import { resolveHome } from "./home.ts";
import { createLayout } from "./layout.ts";

const HEADING = "# Canonry";
const ROOT_IGNORES = ["local/", "index*", "gate/", "labels/", "reports/"];
const SPACE_IGNORES = ["candidates/", "processed/", "dropped/", "proposals/"];

/** Anchored, each of them: a pattern without its slash would hide a skill's own `local/` or `reports/` (C65). */
export const IGNORE_LINES: readonly string[] = Object.freeze([
  ...["/", "/tenants/*/"].flatMap((root) => [
    ...ROOT_IGNORES.map((name) => `${root}${name}`),
    ...SPACE_IGNORES.map((name) => `${root}*/${name}`),
  ]),
  "/**/.*.tmp-[0-9]*-[0-9a-f]*",
]);

export const ATTRIBUTE_LINES: readonly string[] = Object.freeze([
  "*.ndjson merge=union",
  "LIBRARIAN.md merge=union",
  "/versions/objects/** -text",
]);

/**
 * Makes a home with its ignore and merge patterns (C65); again, it adds only what is missing. A person's lines stay
 * as they are. Returns the home's real path. Throws what `resolveHome` throws, and `CANONRY_READ_ONLY`.
 */
export function initHome(home: string, context: Context): { home: string } {
  const real = resolveHome(home, true);
  const layout = createLayout(real);
  addLines(layout.attributes, ATTRIBUTE_LINES, "append-only files merge by union", context);
  // last: whoever opens the home next takes the ignore file for a sign that both are there
  addLines(layout.ignore, IGNORE_LINES, "what belongs to this machine or derives from transcripts", context);
  return { home: real };
}

function addLines(path: string, lines: readonly string[], why: string, context: Context): void {
  const stats = lookAt(path);
  if (stats === undefined && createExclusive(path, Buffer.from(`${HEADING}: ${why}\n${lines.join("\n")}\n`)))
    return;
  if (stats !== undefined && !stats.isFile()) {
    context.log.warn(
      `${path} is not a file of its own and was left alone. It should hold: ${lines.join(" ")}`,
    );
    return;
  }
  const text = readText(path);
  const present = new Set(text.split(/\r?\n/).map((line) => line.trim()));
  const missing = lines.filter((line) => !present.has(line));
  if (missing.length === 0) return;
  const gap = text === "" || text.endsWith("\n") ? "" : "\n";
  replaceFile(path, Buffer.from(`${text}${gap}\n${HEADING}: ${why}\n${missing.join("\n")}\n`), {
    mode: stats?.mode,
  });
}

function readText(path: string): string {
  try {
    return readFileSync(path).toString("utf8");
  } catch (error) {
    throw diskError("read", path, error);
  }
}
