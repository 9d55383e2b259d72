// `npm run faults [-- --form=short] [--section=NAME] [--help]`: builds what is out of date, then runs the fault harness.
// Its homes are temporary folders; the person's own is out of reach, as in `npm test`.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { prepare } from "./prepare.mjs";
import { environmentIn } from "./spec-environment.mjs";

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const MAIN = join(ROOT, "dist", "spec", "faults", "main.js");

function main(args) {
  const built = prepare({ root: ROOT });
  if (built.done !== "fresh") console.error(`canonry: ${built.says}`);
  if (built.done === "failed" || !existsSync(MAIN)) return 1;
  const home = realpathSync(mkdtempSync(join(tmpdir(), "canonry-home-")));
  try {
    const { status } = spawnSync(process.execPath, [MAIN, ...args], {
      cwd: ROOT,
      env: environmentIn(home),
      stdio: ["ignore", "inherit", "inherit"],
    });
    return status ?? 1;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

process.exitCode = main(process.argv.slice(2));
