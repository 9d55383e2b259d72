// What a user installs holds nothing native, builds nothing and runs nothing at install (the owner's wish).
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const INSTALL_SCRIPTS = ["preinstall", "install", "postinstall"];
const LICENCES = new Set([
  "MIT",
  "ISC",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "Apache-2.0",
  "0BSD",
  "Unlicense",
  "BlueOak-1.0.0",
  "CC0-1.0",
  "PSF-2.0",
]);

function productionFolders() {
  const listed = spawnSync("npm", ["ls", "--omit=dev", "--all", "--parseable"], {
    cwd: ROOT,
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  const folders = listed.stdout.split("\n").filter((line) => line !== "" && line !== ROOT);
  if (listed.status !== 0 || folders.length === 0)
    throw new Error(`npm ls left with ${listed.status}: ${listed.stderr}`);
  return folders;
}

/** The problems of one package: its own files, not those of packages inside it. */
function problemsOf(folder) {
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const problems = INSTALL_SCRIPTS.filter((script) => manifest.scripts?.[script]).map(
    (script) => `runs ${script} at install`,
  );
  if (existsSync(join(folder, "binding.gyp"))) problems.push("has a binding.gyp");
  for (const file of readdirSync(folder, { recursive: true })) {
    if (/\.(?:node|so|dylib|dll|exe)$/.test(file) && !file.startsWith("node_modules"))
      problems.push(`holds the native file ${file}`);
  }
  const licence = manifest.license ?? manifest.licenses?.[0]?.type;
  if (!LICENCES.has(licence)) problems.push(`has the licence ${JSON.stringify(licence)}`);
  return problems.map((problem) => `${manifest.name}@${manifest.version} ${problem}`);
}

const folders = productionFolders();
const problems = folders.flatMap(problemsOf);
const own = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
problems.push(
  ...INSTALL_SCRIPTS.filter((script) => own.scripts[script]).map(
    (script) => `canonry itself runs ${script} at install`,
  ),
);
for (const problem of problems) console.error(problem);
console.log(
  `${folders.length} production packages: ${problems.length === 0 ? "no native file, no binding.gyp, no install script" : "see above"}`,
);
process.exitCode = problems.length === 0 ? 0 : 1;
