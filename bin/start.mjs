// What both bins share. Plain JavaScript without dependencies: it must say something useful on an old Node, in a
// checkout that is not built, and without node_modules.
import { existsSync } from "node:fs";
import module from "node:module";
import { fileURLToPath } from "node:url";

const NEEDS = [20, 19];
const RUNS_TYPESCRIPT = [22, 18];

function isAtLeast(version, [major, minor]) {
  const [a, b] = version.split(".").map(Number);
  return a > major || (a === major && b >= minor);
}

function say(line) {
  process.stderr.write(`canonry: ${line}\n`);
}

/** The module to run: the built one, else the source where Node reads TypeScript by itself, else nothing. */
function locate(name, version) {
  const built = new URL(`../dist/lib/${name}.js`, import.meta.url);
  if (existsSync(fileURLToPath(built))) return built;
  const source = new URL(`../lib/${name}.ts`, import.meta.url);
  return isAtLeast(version, RUNS_TYPESCRIPT) && existsSync(fileURLToPath(source)) ? source : undefined;
}

/** Cached bytecode makes a start faster; a cache that cannot be used is no reason to fail. */
function cacheBytecode() {
  try {
    module.enableCompileCache?.();
  } catch {
    // a faster start is all that is lost
  }
}

/** A reader that has gone (`canonry list | head -1`) is no error; an answer that cannot be written is one line and 1. */
function endQuietly(stream) {
  let failed = false;
  stream.on("error", (error) => {
    if (failed || error.code === "EPIPE" || error.code === "ERR_STREAM_DESTROYED") return;
    failed = true;
    // at the very end, so that no answer of the command is set over it
    process.once("exit", () => {
      process.exitCode = process.exitCode || 1;
    });
    if (stream === process.stdout)
      say(
        `the answer could not be written whole (${error.code ?? error.message}). Check where stdout leads.`,
      );
  });
}

async function load(url) {
  try {
    return await import(url);
  } catch (error) {
    if (error?.code !== "ERR_MODULE_NOT_FOUND") throw error;
    say(
      `a module is missing (${String(error.message).split("\n")[0]}). Run \`npm ci\` and \`npm run build\` in the folder of Canonry, or install the package anew.`,
    );
    return undefined;
  }
}

/** Imports `lib/<name>`, calls its export `run` with the arguments and leaves the exit code that it answers. */
export async function start(name, run) {
  const version = process.versions.node;
  if (!isAtLeast(version, NEEDS)) {
    say(`Node ${version} is too old; ${NEEDS.join(".")} or later is needed.`);
    process.exitCode = 2;
    return;
  }
  endQuietly(process.stdout);
  endQuietly(process.stderr);
  cacheBytecode();
  const url = locate(name, version);
  if (url === undefined) {
    say(
      "not built yet. Run `npm run build` (it needs the development dependencies: `npm ci`), or use Node 22.18 or later.",
    );
    process.exitCode = 2;
    return;
  }
  const loaded = await load(url.href);
  process.exitCode = loaded === undefined ? 2 : await loaded[run](process.argv.slice(2));
}
