// Specs may not touch what a person has (S4.33): a fingerprint of the real home folders, taken before and after.
import { existsSync, lstatSync, readdirSync, readlinkSync, realpathSync } from "node:fs";
import { join } from "node:path";

/** Folders below the home that Canonry may read or write, now or in a later version. */
export const WATCHED = [
  ".canonry",
  ".claude",
  ".claude-overnight",
  ".agents",
  ".codex",
  ".hermes",
  ".cursor",
  ".gemini",
  ".config/opencode",
];

/**
 * What a host that happens to run beside the specs writes by itself: transcripts, logs, caches. Growth here is
 * named but fails nothing; whatever vanishes fails, as anywhere.
 */
const RUNNING_HOST = [
  /^\.claude\/(?:projects|todos|tasks|plans|sessions|statsig|shell-snapshots|session-env|file-history|debug|cache|ide|logs|telemetry|paste-cache|backups|usage-data)\//,
  /^\.claude\/(?:history\.jsonl|stats-cache\.json|\.last[^/]*|[^/]*\.lock)$/,
  /^\.codex\/(?:sessions|log|tmp)\//,
  /^\.codex\/(?:history\.jsonl|models_cache\.json|[^/]*\.sqlite[^/]*)$/,
  /^\.cursor\/(?:projects|chats|extensions|logs)\//,
  /^\.gemini\/(?:tmp|history)\//,
  /^\.hermes\/(?:sessions|logs|cache)\//,
];

/** Path (relative to `home`) → kind, size and time of change. A folder that is absent is an entry too. */
export function fingerprintHome(home, folders = WATCHED) {
  const found = new Map();
  for (const folder of folders) {
    const top = join(home, folder);
    if (!existsSync(top)) found.set(folder, "absent");
    else {
      found.set(folder, "present");
      walk(realpathSync(top), folder, found);
    }
  }
  return found;
}

function walk(dir, path, found) {
  let names;
  try {
    names = readdirSync(dir);
  } catch (error) {
    found.set(path, `unlisted ${error.code}`);
    return;
  }
  for (const name of names) {
    const file = join(dir, name);
    const stat = lstatSync(file, { bigint: true, throwIfNoEntry: false });
    if (stat === undefined) continue;
    const at = `${path}/${name}`;
    if (stat.isDirectory()) {
      found.set(at, "folder");
      walk(file, at, found);
    } else if (stat.isSymbolicLink()) found.set(at, `link ${readlinkSync(file)}`);
    else found.set(at, `file ${stat.size} ${stat.mtimeNs} ${stat.mode}`);
  }
}

/** What differs between two fingerprints, one line each: `touched` must be empty, `running` is a host's own work. */
export function compareHomes(before, after) {
  const touched = [];
  const running = [];
  for (const path of [...new Set([...before.keys(), ...after.keys()])].sort()) {
    const [was, is] = [before.get(path), after.get(path)];
    if (was === is) continue;
    const verb =
      was === undefined || was === "absent"
        ? "appeared"
        : is === undefined || is === "absent"
          ? "vanished"
          : "changed";
    const hosts =
      verb !== "vanished" &&
      RUNNING_HOST.some((pattern) => pattern.test(is === "folder" ? `${path}/` : path));
    (hosts ? running : touched).push(`~/${path} ${verb}`);
  }
  return { touched, running };
}
