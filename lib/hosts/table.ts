import { LIMITS } from "../core/limits.ts";

/** An agent program: where it looks for skills, and how much of them it puts into a prompt (`ecosystem.md` 1.3). */
export interface Host {
  readonly id: string;
  readonly title: string;
  /** Folders below a repository, and below the user's home folder; the first is its own. */
  readonly project: readonly string[];
  readonly user: readonly string[];
  /** How many folders down a SKILL.md is found; absent where that is not known. */
  readonly depth?: number;
  /** The characters of names and descriptions that it lists, and how many of one description. */
  readonly listing?: { readonly chars: number; readonly descriptionChars?: number };
}

const AGENTS = ".agents/skills";
const CLAUDE = ".claude/skills";

/** A share of the window, in characters. */
function share(part: number): number {
  return Math.round(LIMITS.hostWindowTokens * 4 * part);
}

export const HOSTS: readonly Host[] = Object.freeze([
  {
    id: "claude-code",
    title: "Claude Code",
    project: [CLAUDE],
    user: [CLAUDE],
    listing: { chars: share(0.01), descriptionChars: 1_536 },
  },
  {
    id: "codex",
    title: "Codex",
    project: [AGENTS],
    user: [AGENTS, ".codex/skills"],
    depth: 6,
    listing: { chars: share(0.02) },
  },
  { id: "cursor", title: "Cursor", project: [".cursor/skills", AGENTS, CLAUDE], user: [".cursor/skills"] },
  {
    id: "copilot",
    title: "GitHub Copilot",
    project: [".github/skills", CLAUDE, AGENTS],
    user: [".copilot/skills", CLAUDE, AGENTS],
  },
  {
    id: "gemini-cli",
    title: "Gemini CLI",
    project: [".gemini/skills", AGENTS],
    user: [".gemini/skills"],
    depth: 1,
  },
  {
    id: "opencode",
    title: "OpenCode",
    project: [".opencode/skills", CLAUDE, AGENTS],
    user: [".config/opencode/skills", CLAUDE, AGENTS],
  },
  {
    id: "hermes",
    title: "Hermes",
    project: [".hermes/skills", AGENTS],
    user: [".hermes/skills"],
    listing: { chars: 12_000 },
  },
  { id: "openclaw", title: "OpenClaw", project: [], user: [".openclaw/skills"] },
  { id: "goose", title: "Goose", project: [".goose/skills"], user: [".config/goose/skills"] },
  { id: "windsurf", title: "Windsurf", project: [".windsurf/skills"], user: [".codeium/windsurf/skills"] },
  { id: "roo", title: "Roo Code", project: [".roo/skills"], user: [".roo/skills"] },
  { id: "kiro", title: "Kiro", project: [".kiro/skills"], user: [".kiro/skills"] },
  { id: "qwen", title: "Qwen Code", project: [".qwen/skills"], user: [".qwen/skills"] },
  { id: "junie", title: "Junie", project: [".junie/skills"], user: [".junie/skills"] },
  { id: "amp", title: "Amp", project: [AGENTS], user: [".config/agents/skills"] },
]);

/** Who else reads a SKILL.md and says no: validators, an upload, a protocol. */
export const VALIDATORS: readonly { readonly id: string; readonly title: string }[] = Object.freeze([
  { id: "skills-ref", title: "skills-ref validate" },
  { id: "claude.ai", title: "claude.ai upload" },
  { id: "mcp", title: "MCP skills extension" },
]);

/** What to call a host or validator to a person. */
export function titleOf(id: string): string {
  return [...HOSTS, ...VALIDATORS].find((one) => one.id === id)?.title ?? id;
}
