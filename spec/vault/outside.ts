import { createHash } from "node:crypto";
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

/** Stands in every file outside; nothing that is handed out may hold it. */
export const CANARY = "canary-7f3a-must-not-be-seen";

export interface Outside {
  /** Holds the home, a mounted folder, and what is outside of both. */
  readonly root: string;
  readonly home: string;
  readonly skills: string;
  readonly outside: string;
}

function skillText(name: string, body: string): string {
  return `---\nname: ${name}\ndescription: "What ${name} is for"\nversion: 1\ntriggers: ["a", "b", "c"]\n---\n\n# ${name}\n\n${body}\n`;
}

function write(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

/** A home with one canon skill, a folder to mount with another, and canaries wherever somebody might climb to. */
export function layOut(root: string): Outside {
  const inside = skillText("inner", "Inside.");
  const canary = skillText("inner", CANARY);
  write(root, {
    "home/universal/canon/inner.md": inside,
    "home/universal/canon/inner/references/a.md": "inside\n",
    "skills/inner-two/SKILL.md": skillText("inner-two", "Inside."),
    "skills/inner-two/references/a.md": "inside\n",
    "canary.md": canary,
    canary: canary,
    "outside/inner.md": canary,
    "outside/inner/references/a.md": CANARY,
    "outside/canary.md": canary,
    "outside/a.md": CANARY,
    "outside/SKILL.md": canary,
    "outside/SKILL": canary,
    "outside/references/a.md": CANARY,
    "outside/etc/passwd": CANARY,
  });
  for (const link of ["skills/inner-two/references/out.md", "home/universal/canon/out.md"])
    symlinkSync(join(root, "outside/canary.md"), join(root, link));
  return { root, home: join(root, "home"), skills: join(root, "skills"), outside: join(root, "outside") };
}

/** A hash of every name, kind, mode and byte below `root`, the folders named `skip` left out. */
export function treeHash(root: string, skip: readonly string[] = []): string {
  const hash = createHash("sha256");
  const walk = (folder: string): void => {
    for (const name of readdirSync(folder).sort()) {
      const path = join(folder, name);
      if (skip.includes(path)) continue;
      const stats = lstatSync(path);
      hash.update(`${path} ${stats.mode} `);
      if (stats.isDirectory()) walk(path);
      else if (stats.isFile()) hash.update(readFileSync(path));
      else if (stats.isSymbolicLink()) hash.update(readlinkSync(path));
    }
  };
  walk(root);
  return hash.digest("hex");
}
