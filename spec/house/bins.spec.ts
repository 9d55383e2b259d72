import assert from "node:assert/strict";
import { type SpawnSyncReturns, spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder, writeTree } from "../support/home.ts";
import { ROOT } from "../support/root.ts";

/** The shims in a folder of their own, with these files beside them. */
function checkout(files: Readonly<Record<string, string>>): string {
  const root = temporaryFolder();
  cpSync(join(ROOT, "bin"), join(root, "bin"), { recursive: true });
  writeTree(root, { "package.json": `{"type":"module"}`, ...files });
  return root;
}

function run(
  root: string,
  bin: string,
  args: readonly string[] = [],
  flags: readonly string[] = [],
): SpawnSyncReturns<string> {
  return spawnSync(process.execPath, [...flags, join(root, "bin", bin), ...args], { encoding: "utf8" });
}

test("design 3: the shims hand the arguments on and leave with the answer", () => {
  const root = checkout({
    "dist/lib/cli/main.js":
      "export async function main(argv) { console.log(JSON.stringify(argv)); return 3; }",
    "dist/lib/cli/reindex-main.js":
      "export async function reindexMain(argv) { console.log(JSON.stringify(argv)); return 5; }",
  });
  const search = run(root, "canonry.mjs", ["search", "a b", "--json"]);
  assert.deepEqual([search.status, search.stdout, search.stderr], [3, `["search","a b","--json"]\n`, ""]);
  const reindex = run(root, "reindex.mjs", ["dir"]);
  assert.deepEqual([reindex.status, reindex.stdout, reindex.stderr], [5, `["dir"]\n`, ""]);
});

test("design 3: a checkout that is not built says what to do and leaves with 2", () => {
  for (const bin of ["canonry.mjs", "reindex.mjs"]) {
    const { status, stdout, stderr } = run(checkout({}), bin);
    assert.equal(status, 2);
    assert.equal(stdout, "");
    assert.match(stderr, /^canonry: not built yet\. Run `npm run build`/);
  }
});

test("design 3: without dist, a Node that reads TypeScript runs the sources, an older one asks for the build", () => {
  const root = checkout({
    "lib/cli/main.ts":
      "export async function main(argv: string[]): Promise<number> { console.log(argv.length); return 0; }",
  });
  const { status, stdout, stderr } = run(root, "canonry.mjs", ["a", "b"]);
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > 22 || (major === 22 && minor >= 18)) assert.deepEqual([status, stdout], [0, "2\n"]);
  else {
    assert.equal(status, 2);
    assert.match(stderr, /npm run build/);
  }
});

test("design 3: a Node older than 20.19 is named before anything is imported", () => {
  const root = checkout({ "dist/lib/cli/main.js": "syntax error of a newer language" });
  const flags = [
    "--import",
    `data:text/javascript,Object.defineProperty(process,"versions",{value:{node:"20.18.3"}})`,
  ];
  const { status, stderr } = run(root, "canonry.mjs", [], flags);
  assert.equal(status, 2);
  assert.equal(stderr, "canonry: Node 20.18.3 is too old; 20.19 or later is needed.\n");
});

test("design 3: a missing dependency is named, with what to do", () => {
  const root = checkout({
    "dist/lib/cli/main.js": `import "a-package-that-is-not-there"; export async function main() { return 0; }`,
  });
  const { status, stderr } = run(root, "canonry.mjs");
  assert.equal(status, 2);
  assert.match(
    stderr,
    /^canonry: a module is missing \(Cannot find package 'a-package-that-is-not-there'.*npm ci/,
  );
});

test("cli.md manners: a reader that leaves early is no error and no noise", async () => {
  const long =
    "export async function main() { for (let i = 0; i < 20000; i++) process.stdout.write('line ' + i + ' of a long answer\\n'); return 0; }";
  const root = checkout({ "dist/lib/cli/main.js": long });
  const child = spawn(process.execPath, [join(root, "bin", "canonry.mjs")], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stderr = "";
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  child.stdout.once("data", () => child.stdout.destroy());
  const code = await new Promise((resolve) => child.on("close", resolve));
  assert.deepEqual([code, stderr], [0, ""]);
});

test("cli.md manners: a long answer into a pipe arrives whole", () => {
  const long = "export async function main() { process.stdout.write('x'.repeat(3000000)); return 1; }";
  const { status, stdout } = spawnSync(
    process.execPath,
    [join(checkout({ "dist/lib/cli/main.js": long }), "bin", "canonry.mjs")],
    {
      encoding: "utf8",
      maxBuffer: 10_000_000,
    },
  );
  assert.deepEqual([status, stdout.length], [1, 3_000_000]);
});

test("cli.md manners: an answer that cannot be written is one line on stderr and exit code 1", {
  skip: !existsSync("/dev/full") && "there is no /dev/full here",
}, () => {
  const main =
    "export async function main() { for (let i = 0; i < 3; i++) process.stdout.write('x\\n'); return 0; }";
  const root = checkout({ "dist/lib/cli/main.js": main });
  const { status, stderr } = spawnSync(
    "sh",
    ["-c", '"$0" "$1" help > /dev/full', process.execPath, join(root, "bin", "canonry.mjs")],
    { encoding: "utf8" },
  );
  assert.deepEqual(
    [status, stderr],
    [1, "canonry: the answer could not be written whole (ENOSPC). Check where stdout leads.\n"],
  );
});
