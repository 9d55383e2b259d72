/** Hidden folders in which hosts keep skills (`ecosystem.md` 1.3). */
const HOST_FOLDERS: ReadonlySet<string> = new Set(
  `.agents .claude .codex .config .copilot .cursor .curated .experimental .gemini .github .goose .hermes .junie .kiro
  .openclaw .opencode .qwen .roo .system .windsurf`.split(/\s+/),
);
/** Hidden or bulky folders in which nobody keeps skills that are in use. */
const NOISE: ReadonlySet<string> = new Set(
  ".git .hg .svn .cache .venv .tox .idea .vscode .archive .trash .Trash .hub node_modules __pycache__".split(
    " ",
  ),
);

/** Whether a walk goes into a folder of that name: `open` yes, `noise` no, `hidden` no and it is noted (S4.6). */
export function folderSort(name: string): "open" | "noise" | "hidden" {
  if (NOISE.has(name)) return "noise";
  return !name.startsWith(".") || HOST_FOLDERS.has(name) ? "open" : "hidden";
}
