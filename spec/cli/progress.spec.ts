import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { runBin } from "../support/cli.ts";
import { temporaryFolder, writeTree } from "../support/home.ts";
import { canonFile } from "../support/library.ts";
import { ROOT } from "../support/root.ts";

/** util-linux's `script` runs a command on a terminal of its own. */
const skip =
  spawnSync("script", ["-qec", "true", "/dev/null"]).status !== 0 && "there is no script(1) of util-linux";
const CLEARED = "\r\u001b[K";

/** A home with enough skills to take longer than the time after which a line is shown. */
function manySkills(root: string): string {
  const home = join(root, "home");
  const text = "Words and more words of a body. ".repeat(60);
  const files = Array.from({ length: 900 }, (_, at) => [
    `universal/canon/s${at}.md`,
    canonFile(`s${at}`, { description: `"Does thing ${at}"` }, text),
  ]);
  writeTree(home, Object.fromEntries(files) as Record<string, string>);
  assert.equal(runBin("canonry", ["init"], { home }).code, 0);
  return home;
}

/** Runs a command line with stderr on a terminal and stdout in a file: what each got. */
function onTerminal(home: string, cwd: string, line: string): { out: string; err: string } {
  const file = join(cwd, "out.txt");
  const command = `${process.execPath} ${join(ROOT, "bin/canonry.mjs")} ${line} >${file}`;
  const env = { ...process.env, CANONRY_HOME: home, CI: "" };
  const { stdout } = spawnSync("script", ["-qec", command, "/dev/null"], { cwd, env, encoding: "utf8" });
  return { out: readFileSync(file, "utf8"), err: stdout };
}

test("I4 on a terminal whatever has to read many files first shows how far it is, on stderr, and clears it", {
  skip,
}, () => {
  const root = temporaryFolder();
  const home = manySkills(root);
  const lines = [
    ["search thing 7", /^s7 {2}Does thing 7\n/],
    ["list", /^s0 /],
    ["stub", /^## Skills available/],
    ["doctor", /^ok {6}home /],
    ["reindex --full", /^900 skills in /],
    ["lint home/universal/canon", /^$|^note/],
    ["doctor --verify", /^Checked /],
    ["backup backup.tar", /\n$/],
  ] as const;
  for (const [line, data] of lines) {
    rmSync(join(home, "index.sqlite"), { force: true });
    const { out, err } = onTerminal(home, root, line);
    assert.match(err, /\r\u001b\[K[^\r]*: \d+(?: of \d+ files)?\r/, line);
    assert.match(out, data, line);
    assert.ok(!out.includes("\u001b"), line);
    const after = err.slice(err.lastIndexOf(CLEARED) + CLEARED.length);
    assert.doesNotMatch(after, / of \d+ files|skills: \d/, `${line}: the line is cleared`);
  }
  rmSync(join(home, "index.sqlite"), { force: true });
  assert.ok(!onTerminal(home, root, "search thing --quiet").err.includes(CLEARED), "quiet");
  rmSync(join(home, "index.sqlite"), { force: true });
  const piped = runBin("canonry", ["search", "thing"], { home });
  assert.ok(!piped.err.includes("\r"), "no terminal, no progress");
});
