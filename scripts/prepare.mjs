// Builds dist/ when it is out of date. npm runs this as `prepare` (after `npm ci` in a checkout) and `prepack`.
// Without the development dependencies (`--omit=dev`) or without sources (a published package) it says so and leaves things as they are.
// `--force` builds in any case.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/** Every file below `folder`, relative to it, sorted. */
export function filesBelow(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath ?? entry.path, entry.name)))
    .sort();
}

/** SHA-256 over everything that decides what dist/ holds. */
export function sourceHash(root) {
  const sources = ["lib", "spec"].flatMap((folder) =>
    filesBelow(join(root, folder)).map((file) => join(folder, file)),
  );
  const hash = createHash("sha256");
  for (const file of ["tsconfig.json", "package-lock.json", ...sources]) {
    if (!existsSync(join(root, file))) continue;
    const bytes = readFileSync(join(root, file));
    hash.update(`${file}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest("hex");
}

/**
 * Development dependencies that are not there. TypeScript alone proves nothing: as an optional peer of a runtime
 * dependency it may be left by `npm ci --omit=dev`, without the types that the build needs.
 */
function missingTools(root) {
  const { devDependencies = {} } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  return ["typescript", ...Object.keys(devDependencies)].filter(
    (name) => !existsSync(join(root, "node_modules", name)),
  );
}

/** Compiled files whose source is gone would still be found and run. */
function removeOrphans(root) {
  for (const folder of ["lib", "spec"]) {
    for (const file of filesBelow(join(root, "dist", folder))) {
      const source = file.replace(/(?:\.d\.ts|\.js)(?:\.map)?$/, ".ts");
      if (!existsSync(join(root, folder, source))) rmSync(join(root, "dist", folder, file));
    }
  }
}

/** Brings dist/ up to date; `done` is "built", "fresh", "skipped" or "failed". */
export function prepare({ root = ROOT, force = false } = {}) {
  if (!existsSync(join(root, "tsconfig.json")))
    return { done: "skipped", says: "this is a built package, nothing to compile" };
  const mark = join(root, "dist", ".hash");
  const hash = sourceHash(root);
  const built = existsSync(join(root, "dist", "lib"));
  if (!force && built && existsSync(mark) && readFileSync(mark, "utf8") === hash)
    return { done: "fresh", says: "dist is up to date" };
  const missing = missingTools(root);
  if (missing.length > 0) {
    const left = built
      ? "dist is left as it is"
      : "there is no dist; run `npm ci` without --omit=dev, then `npm run build`";
    return { done: "skipped", says: `nothing is built (not installed: ${missing[0]}), ${left}` };
  }
  rmSync(mark, { force: true });
  // tsc keeps what it has written before in its build file; where the output is gone or not to be trusted, that file lies
  if (force || !built) rmSync(join(root, "dist", ".tsbuildinfo"), { force: true });
  const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
  const { status } = spawnSync(process.execPath, [compiler, "-p", root], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  if (status !== 0)
    return { done: "failed", says: "the build failed; the messages of the compiler stand above" };
  removeOrphans(root);
  mkdirSync(dirname(mark), { recursive: true });
  writeFileSync(mark, hash);
  return { done: "built", says: "dist is built" };
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const { done, says } = prepare({ force: process.argv.includes("--force") });
  if (done !== "fresh") console.error(`canonry: ${says}`);
  if (done === "failed") process.exitCode = 1;
}
