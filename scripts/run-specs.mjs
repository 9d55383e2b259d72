// `npm test [-- WORD…]`: builds what is out of date, then runs every compiled spec whose path holds one of the words.
// The fault harness (spec/faults/) takes longer than the rest together: it runs only where a word names it.
// The specs get a fresh, empty home; the real one is fingerprinted before and after, and a change fails the run (S4.33).
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { filesBelow, prepare } from "./prepare.mjs";
import { compareHomes, fingerprintHome } from "./real-home.mjs";
import { environmentIn } from "./spec-environment.mjs";

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const SPECS = join(ROOT, "dist", "spec");

function specFiles(words) {
  const parts = words.map((word) => word.replace(/^(?:dist\/)?spec\/|\.ts$/g, ""));
  const isAskedFor = (file) =>
    file.split(sep)[0] === "faults"
      ? parts.some((part) => part.includes("faults") && file.includes(part))
      : parts.length === 0 || parts.some((part) => file.includes(part));
  return filesBelow(SPECS)
    .filter((file) => file.endsWith(".spec.js") && isAskedFor(file))
    .map((file) => join(SPECS, file));
}

function runIn(home, files, flags) {
  mkdirSync(join(home, ".runtime"), { mode: 0o700 });
  const { status, signal } = spawnSync(
    process.execPath,
    ["--test", "--test-concurrency=2", ...flags, ...files],
    {
      cwd: ROOT,
      env: environmentIn(home),
      stdio: ["ignore", "inherit", "inherit"],
    },
  );
  return signal === null ? (status ?? 1) : 1;
}

function main(args) {
  const flags = args.filter((arg) => arg.startsWith("--"));
  const built = prepare({ root: ROOT });
  if (built.done !== "fresh") console.error(`canonry: ${built.says}`);
  if (built.done === "failed" || !existsSync(SPECS)) return 1;
  const files = specFiles(args.filter((arg) => !arg.startsWith("--")));
  if (files.length === 0) {
    console.error(
      `canonry: no spec matches ${JSON.stringify(args)}; the words are parts of file names below spec/`,
    );
    return 1;
  }
  console.error(`canonry: ${files.length} spec files on Node ${process.versions.node}`);
  const home = realpathSync(mkdtempSync(join(tmpdir(), "canonry-home-")));
  const before = fingerprintHome(homedir());
  try {
    const status = runIn(home, files, flags);
    const { touched, running } = compareHomes(before, fingerprintHome(homedir()));
    for (const line of running)
      console.error(`canonry: ${line} while the specs ran: an agent host at work, taken as its own`);
    for (const line of touched)
      console.error(`canonry: S4.33 broken: ${line} in the real home while the specs ran`);
    return touched.length > 0 ? 1 : status;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

process.exitCode = main(process.argv.slice(2));
