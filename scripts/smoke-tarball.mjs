// `node scripts/smoke-tarball.mjs [NODE_FOLDER…]`: what a stranger gets. Packs the project, installs the tarball into an
// empty folder without scripts and development dependencies, then runs the bins and imports the library, on this Node
// and on each whose folder is given. Also what the tarball holds, publint, and that its types can be used.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const NEVER =
  /(?:^|\/)(?:spec\/|fixtures\/(?!demo\/)|bench\/|node_modules\/|\.cache\/)|\.spec\.|\.tsbuildinfo$|^\.|\.tgz$/;
const SKILLS = {
  "retry-flaky-test": "Retry a flaky test before calling it broken",
  "pin-container-image": "Pin a container image by digest, never by a moving tag",
};

function run(command, args, { cwd, env = process.env, allow = [0] }) {
  const done = spawnSync(command, args, { cwd, env, encoding: "utf8", shell: process.platform === "win32" });
  if (!allow.includes(done.status)) {
    throw new Error(
      `${command} ${args.join(" ")} left with ${done.status ?? done.signal ?? done.error}\n${done.stdout}\n${done.stderr}`,
    );
  }
  return done.stdout;
}

function expect(truth, says) {
  if (!truth) throw new Error(says);
}

function pack(folder) {
  const [{ filename, files }] = [
    JSON.parse(
      run("npm", ["pack", "--json", "--silent", "--pack-destination", folder], { cwd: ROOT }).replace(
        /^[^[{]*/,
        "",
      ),
    ),
  ].flat();
  const stray = files.map((file) => file.path).filter((path) => NEVER.test(path));
  expect(stray.length === 0, `the tarball holds what no user needs: ${stray.slice(0, 5).join(", ")}`);
  console.log(`packed ${filename}: ${files.length} files`);
  return join(folder, filename);
}

function install(folder, tarball) {
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), `{ "name": "stranger", "private": true, "type": "module" }`);
  run("npm", ["install", "--ignore-scripts", "--omit=dev", "--loglevel=error", tarball], { cwd: folder });
}

function writeSkills(folder) {
  for (const [name, description] of Object.entries(SKILLS)) {
    mkdirSync(join(folder, name), { recursive: true });
    const text = `---\nname: ${name}\ndescription: ${description}.\n---\n\n# ${description}\n\n## Steps\n\n1. Do it.\n`;
    writeFileSync(join(folder, name, "SKILL.md"), text);
  }
}

const USE = `import { openLibrary } from "canonry";
const library = await openLibrary({ home: process.argv[2] });
await library.reindex();
const { hits, state } = await library.search("flaky test", { limit: 5 });
await library.close();
console.log(JSON.stringify({ state, names: hits.map((hit) => hit.name) }));
`;

/** The bins and the import, with whatever Node stands first on the PATH; a home of its own, gone afterwards. */
function useOn(nodeFolder, folder, skills) {
  const home = mkdtempSync(join(dirname(folder), "home-"));
  const env = {
    ...process.env,
    HOME: home,
    USERPROFILE: home,
    CANONRY_HOME: "",
    PATH: [nodeFolder, process.env.PATH].join(delimiter),
  };
  delete env.CANONRY_HOME;
  const options = { cwd: folder, env };
  const version = run("node", ["-p", "process.versions.node"], options).trim();
  const counts = JSON.parse(run("npx", ["--no-install", "canonry-reindex", skills, "--json"], options));
  expect(counts.skills === 2 && counts.added === 2, `canonry-reindex counted ${JSON.stringify(counts)}`);
  const found = JSON.parse(
    run("npx", ["--no-install", "canonry", "search", "moving tag", "--json"], options),
  );
  expect(found.hits[0]?.name === "pin-container-image", `canonry search answered ${JSON.stringify(found)}`);
  writeFileSync(join(folder, "use.mjs"), USE);
  const used = JSON.parse(run("node", ["use.mjs", join(home, ".canonry")], options));
  expect(
    used.state === "ok" && used.names[0] === "retry-flaky-test",
    `the library answered ${JSON.stringify(used)}`,
  );
  for (const path of Object.keys(
    JSON.parse(run("node", ["-p", `JSON.stringify(require("canonry/package.json").exports)`], options)),
  )) {
    const specifier = join("canonry", path).replaceAll("\\", "/");
    const how = path.endsWith(".json") ? `, { with: { type: "json" } }` : "";
    run("node", ["--input-type=module", "-e", `await import(${JSON.stringify(specifier)}${how})`], options);
  }
  console.log(`Node ${version}: canonry-reindex, canonry search, the import and every export`);
}

/** A stranger's TypeScript, strict, against the types in the tarball. */
function checkTypes(folder) {
  const source = `import { openLibrary } from "canonry";
export async function first(home: string): Promise<string | undefined> {
  const library = await openLibrary({ home });
  const { hits } = await library.search("flaky test", { limit: 5 });
  await library.close();
  return hits[0]?.name;
}
`;
  writeFileSync(join(folder, "stranger.ts"), source);
  const tsc = join(ROOT, "node_modules", "typescript", "bin", "tsc");
  const flags = [
    "--noEmit",
    "--strict",
    "--exactOptionalPropertyTypes",
    "--module",
    "nodenext",
    "--target",
    "es2023",
    "--ignoreConfig",
    "stranger.ts",
  ];
  run(process.execPath, [tsc, ...flags], { cwd: folder });
  console.log("types: a strict stranger compiles");
}

const work = realpathSync(mkdtempSync(join(tmpdir(), "canonry-tarball-")));
try {
  const tarball = pack(work);
  const [folder, skills] = [join(work, "stranger"), join(work, "skills")];
  install(folder, tarball);
  writeSkills(skills);
  for (const nodeFolder of [dirname(process.execPath), ...process.argv.slice(2)])
    useOn(nodeFolder, folder, skills);
  checkTypes(folder);
  run("npx", ["--no-install", "publint", "run", tarball, "--strict"], { cwd: ROOT });
  console.log("publint: nothing to say");
} finally {
  rmSync(work, { recursive: true, force: true });
}
