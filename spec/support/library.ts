import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { after } from "node:test";
import { type Library, openLibrary } from "../../lib/library.ts";
import type { LibraryOptions } from "../../lib/schema/options.ts";
import { temporaryFolder, writeTree } from "./home.ts";

/** The fingerprint that specs pretend their repository has. */
export const REPO = "0123456789ab";

/** Every warning and event that a library gave, in order. */
export interface Heard {
  readonly warnings: string[];
  readonly events: Record<string, unknown>[];
}

export interface Bench {
  readonly library: Library;
  readonly home: string;
  /** The mounted folder, where `skills` were given. */
  readonly folder: string;
  readonly heard: Heard;
}

/** A library over a fresh home: `skills` go into a folder mounted for the user, `home` into the home itself. */
export async function makeLibrary(
  files: {
    skills?: Readonly<Record<string, string | Uint8Array>>;
    home?: Readonly<Record<string, string | Uint8Array>>;
  },
  options: LibraryOptions = {},
): Promise<Bench> {
  const root = temporaryFolder();
  const home = join(root, "home");
  const folder = join(root, "skills");
  if (files.skills !== undefined) {
    mkdirSync(folder);
    writeTree(folder, files.skills);
  }
  if (files.home !== undefined) writeTree(home, files.home);
  const { library, heard } = await openHeard({ home, ...options });
  if (files.skills !== undefined) await library.mount([folder]);
  return { library, home, folder, heard };
}

/** Opens a library whose warnings and events are kept; closed when the spec file ends. */
export async function openHeard(options: LibraryOptions): Promise<{ library: Library; heard: Heard }> {
  const heard: Heard = { warnings: [], events: [] };
  const library = await openLibrary({
    fingerprint: REPO,
    log: { warn: (line) => void heard.warnings.push(line), note: () => {} },
    onEvent: (event) => void heard.events.push(event),
    ...options,
  });
  after(() => library.close());
  return { library, heard };
}

/** A SKILL.md with a name, a description and a body. */
export function skill(name: string, description: string, body = "Text.", more = ""): string {
  return `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n${more}---\n\n# ${name}\n\n${body}\n`;
}

/** A canon file as the seed has it, with what a spec wants to differ. */
export function canonFile(
  name: string,
  changes: Readonly<Record<string, string>> = {},
  body = "Text.",
): string {
  const fields: Record<string, string> = {
    name,
    description: `"What ${name} is for"`,
    version: "1",
    applies_to: `\n  repo_fingerprint: "${REPO}"\n  languages: ["*"]\n  toolsets: ["*"]`,
    requires_tools: "[]",
    triggers: '["one", "two", "three"]',
    references: "[]",
    created_at: '"2026-04-19T23:04:12.000Z"',
    last_used_at: "null",
    telemetry: "\n  uses: 0\n  wins: 0\n  losses: 0\n  cost_saved_usd: 0\n  last_wave: null",
    source:
      '\n  candidate_ids: []\n  promoted_by: "librarian"\n  promoted_at: "2026-04-19T23:04:12.000Z"\n  patched_at: null',
    quarantined: "false",
    ...changes,
  };
  const lines = Object.entries(fields).map(([key, value]) =>
    value.startsWith("\n") ? `${key}:${value}` : `${key}: ${value}`,
  );
  return `---\n${lines.join("\n")}\n---\n\n# ${name}\n\n${body}\n`;
}
