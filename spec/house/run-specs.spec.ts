import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder, writeTree } from "../support/home.ts";
import { ROOT } from "../support/root.ts";

const SCRIPTS = ["run-specs.mjs", "prepare.mjs", "real-home.mjs", "spec-environment.mjs"];

/** A project of its own with these compiled specs, and a person's home beside it. */
function project(specs: Readonly<Record<string, string>>): { root: string; home: string } {
  const folder = temporaryFolder();
  const [root, home] = [join(folder, "project"), join(folder, "home")];
  for (const script of SCRIPTS) cpSync(join(ROOT, "scripts", script), join(root, "scripts", script));
  writeTree(join(root, "dist", "spec"), specs);
  writeTree(root, { "package.json": `{"type":"module"}` });
  mkdirSync(join(home, ".claude", "skills"), { recursive: true });
  return { root, home };
}

function runSpecs(root: string, home: string, ...words: string[]): { status: number | null; all: string } {
  const env = {
    ...process.env,
    HOME: home,
    USERPROFILE: home,
    CANONRY_HOME: join(home, ".canonry"),
    GIT_DIR: "/nowhere",
  };
  const run = spawnSync(process.execPath, [join(root, "scripts", "run-specs.mjs"), ...words], {
    env,
    encoding: "utf8",
  });
  return { status: run.status, all: run.stdout + run.stderr };
}

const passing = (
  body = "",
): string => `import { test } from "node:test"; import { writeFileSync } from "node:fs"; import { homedir } from "node:os";
test("S1.1 passes", () => { ${body} });`;

test("S4.33 a spec that writes into the real home fails the run although it passes, and the file is named", () => {
  const { root, home } = project({});
  const target = join(home, ".claude", "skills", "left.md");
  writeTree(join(root, "dist", "spec"), {
    "core/bad.spec.js": passing(`writeFileSync(${JSON.stringify(target)}, "x");`),
  });
  const { status, all } = runSpecs(root, home);
  assert.ok(existsSync(target), "the made-up spec did not do what it is for");
  assert.equal(status, 1);
  assert.match(all, /S4\.33 broken: ~\/\.claude\/skills\/left\.md appeared/);
});

test("S4.33 specs find another home, empty, and nothing of the person's settings", () => {
  const { root, home } = project({});
  const seen = join(root, "seen.json");
  const keep = `writeFileSync(${JSON.stringify(seen)}, JSON.stringify({ ...process.env, homedir: homedir() }));`;
  writeTree(join(root, "dist", "spec"), { "a.spec.js": passing(keep) });
  assert.equal(runSpecs(root, home).status, 0);
  const env: Record<string, string> = JSON.parse(readFileSync(seen, "utf8"));
  const inside = [
    "HOME",
    "USERPROFILE",
    "homedir",
    "CANONRY_HOME",
    "XDG_CONFIG_HOME",
    "XDG_CACHE_HOME",
    "CLAUDE_CONFIG_DIR",
    "CODEX_HOME",
    "HERMES_HOME",
  ];
  for (const key of inside) {
    assert.ok(env[key]?.includes("canonry-home-"), `${key} is ${env[key]}`);
    assert.ok(!env[key]?.startsWith(home), `${key} is in the real home`);
  }
  assert.equal(env["GIT_DIR"], undefined);
  assert.ok(!existsSync(env["HOME"] ?? ""), "the temporary home is left behind");
});

test("design 9: the test command runs the specs whose path holds a word, and fails where none does", () => {
  const fails = `import { test } from "node:test"; test("S1.1 fails", () => { throw new Error("no"); });`;
  const { root, home } = project({
    "core/text.spec.js": passing(),
    "vault/claim.spec.js": fails,
    "support/home.js": fails,
  });
  assert.equal(runSpecs(root, home).status, 1);
  assert.equal(runSpecs(root, home, "text").status, 0);
  assert.equal(runSpecs(root, home, "spec/core/text.spec.ts").status, 0);
  assert.equal(runSpecs(root, home, "claim").status, 1);
  const none = runSpecs(root, home, "nothing-of-that-name");
  assert.equal(none.status, 1);
  assert.match(none.all, /no spec matches \["nothing-of-that-name"\]/);
});

test("design 9: the fault harness runs where a word names it, and not with all the others", () => {
  const fails = `import { test } from "node:test"; test("P2 fails", () => { throw new Error("no"); });`;
  const { root, home } = project({
    "core/text.spec.js": passing(),
    "faults/swarm.spec.js": fails,
    "faults/calm.spec.js": passing(),
  });
  assert.equal(runSpecs(root, home).status, 0);
  assert.match(runSpecs(root, home, "swarm").all, /no spec matches \["swarm"\]/);
  assert.equal(runSpecs(root, home, "text", "swarm").status, 0);
  assert.equal(runSpecs(root, home, "faults").status, 1);
  assert.equal(runSpecs(root, home, "spec/faults/swarm.spec.ts").status, 1);
  assert.equal(runSpecs(root, home, "faults/calm").status, 0);
});
