import { sha256 } from "../../../lib/core/hash.ts";

/** What a text of the harness is made of; the token is of this text alone, so no two texts are the same. */
export interface TextParts {
  readonly name: string;
  readonly version: number;
  readonly token: string;
  /** How long the body is made, bytes; over 4,096 a torn text shows more often. */
  readonly bodyBytes: number;
}

const BODY = "\nbody: ";
const WHOLE = "\nwhole: ";

/** A canon file whose last two lines are checksums: of its body, and of everything above. */
export function makeText({ name, version, token, bodyBytes }: TextParts): string {
  const head = [
    "---",
    `name: ${name}`,
    `description: "How to get ${name} done"`,
    `version: ${version}`,
    `applies_to:\n  repo_fingerprint: "${SPACE}"\n  languages: ["*"]\n  toolsets: ["*"]`,
    "requires_tools: []",
    `triggers: ["${name}", "swarm", "harness"]`,
    "references: []",
    'created_at: "2026-04-19T23:04:12.000Z"',
    "last_used_at: null",
    "telemetry:\n  uses: 0\n  wins: 0\n  losses: 0\n  cost_saved_usd: 0\n  last_wave: null",
    'source:\n  candidate_ids: []\n  promoted_by: "librarian"\n  promoted_at: "2026-04-19T23:04:12.000Z"\n  patched_at: null',
    "quarantined: false",
    "---",
  ].join("\n");
  const filler = `Step of ${token}: look before the leap, then write down what was seen.\n`;
  const body = `# ${name}\n\ntoken: ${token}\n\n${filler.repeat(Math.ceil(bodyBytes / filler.length))}`;
  const signed = `${head}\n\n${body}${BODY}${sha256(body)}`;
  return `${signed}${WHOLE}${sha256(signed)}\n`;
}

/** The space that the harness works in. */
export const SPACE = "0123456789ab";

/** Why a file is not one that `makeText` made, whole; undefined if it is. */
export function problemOfText(text: string): string | undefined {
  const at = text.lastIndexOf(WHOLE);
  if (at === -1) return `no checksum at the end of ${text.length} characters`;
  const rest = text.slice(at + WHOLE.length);
  return rest === `${sha256(text.slice(0, at))}\n`
    ? undefined
    : `the checksum does not fit ${text.length} characters`;
}

/** The same for a body alone, as the library hands it out. */
export function problemOfBody(text: string): string | undefined {
  const from = text.indexOf("# ");
  const at = text.lastIndexOf(BODY);
  if (from === -1 || at === -1) return `no checksum in a body of ${text.length} characters`;
  const said = text.slice(at + BODY.length, at + BODY.length + 64);
  return said === sha256(text.slice(from, at))
    ? undefined
    : `the checksum does not fit a body of ${text.length} characters`;
}

/** The version that a text says it is; 0 where it says none. */
export function versionOf(text: string): number {
  return Number(/^version: (\d+)$/m.exec(text)?.[1] ?? 0);
}

export function tokenOf(text: string): string | undefined {
  return /^token: (\S+)$/m.exec(text)?.[1];
}
