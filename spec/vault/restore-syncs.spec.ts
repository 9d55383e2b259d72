import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { createContext } from "../../lib/core/context.ts";
import { sha256 } from "../../lib/core/hash.ts";
import { makeHome } from "../../lib/vault/backup/new-home.ts";
import { openVault } from "../../lib/vault/vault.ts";
import { temporaryFolder, writeTree } from "../support/home.ts";
import { archiveOf } from "./archives.ts";
import { difference, restore } from "./backup-stage.ts";
import { namesIn, openStage, textOf } from "./stage.ts";

const CHILD = fileURLToPath(new URL("./restore-child.js", import.meta.url));

/** An archive of so many skills, each with one version. */
async function archiveOfSkills(count: number): Promise<{ file: string; files: Record<string, string> }> {
  const files: Record<string, string> = { "ledger/m-2026-01.ndjson": "\n", "gate/m.ndjson": `{"id":"g"}\n` };
  for (let at = 0; at < count; at++) {
    const text = `# skill ${at}\n`;
    const hash = sha256(text);
    files[`universal/canon/s${at}.md`] = text;
    files[`versions/objects/${hash.slice(0, 2)}/${hash}`] = text;
    files[`versions/universal/s${at}/1-${hash.slice(0, 8)}.json`] = JSON.stringify({
      version: 1,
      bytesHash: hash,
      parent: null,
      at: "2026-01-02T03:04:05.000Z",
      by: "librarian",
      runId: "",
      verdict: null,
      files: [],
    });
  }
  return { file: await archiveOf(join(temporaryFolder(), "b.tar.gz"), files), files };
}

function noStrace(): string | false {
  const ran = spawnSync("strace", ["-o", "/dev/null", "true"]);
  return ran.status === 0 ? false : "strace does not run here";
}

test("P2 a restore brings every file to the disk before it has its name, every folder after, and each once", {
  skip: noStrace(),
}, async () => {
  const { file, files } = await archiveOfSkills(40);
  const home = join(temporaryFolder(), "home");
  const trace = join(temporaryFolder(), "trace");
  const calls = "trace=fsync,link,linkat,rename,renameat,renameat2";
  const args = [
    "-f",
    "-y",
    "-s",
    "400",
    "-o",
    trace,
    "-e",
    calls,
    process.execPath,
    CHILD,
    home,
    file,
    "in place",
  ];
  assert.equal(spawnSync("strace", args, { encoding: "utf8" }).status, 0);
  const synced: string[] = [];
  const placed: { target: string; at: number }[] = [];
  for (const line of readFileSync(trace, "utf8").split("\n")) {
    const [, fsync] = /fsync\(\d+<([^>]+)>/.exec(line) ?? [];
    if (fsync !== undefined) synced.push(fsync);
    const [, from = "", to = ""] = /(?:link|rename)\w*\([^"]*"([^"]+)"[^"]*"([^"]+)".* = 0$/.exec(line) ?? [];
    if (!from.includes("/.restore.tmp-")) continue;
    if (/\/\d+$/.test(from))
      assert.ok(synced.includes(from), `${to} was linked before its bytes were synced`);
    placed.push({ target: to, at: synced.length });
  }
  assert.ok(placed.length >= Object.keys(files).length, `${placed.length} names`);
  for (const { target, at } of placed) {
    const folder = target.slice(0, target.lastIndexOf("/"));
    if (!folder.startsWith("/proc")) assert.ok(synced.slice(at).includes(folder), `${folder} was not synced`);
  }
  // three files a skill, and the folder of its version; all else does not grow with their number
  assert.ok(synced.length < 40 * 4 + 120, `${synced.length} syncs`);
  for (const [path, text] of Object.entries(files)) assert.equal(textOf(home, path), text, path);
});

test("P2 a space that somebody begins while a restore fills it is merged, and nobody's file is replaced", async () => {
  const { file } = await archiveOfSkills(3);
  const { home, vault } = openStage();
  // the last moment before the rename
  const progress = (stage: string, done: number, total: number) => {
    if (
      stage === "sync" &&
      done === total &&
      !existsSync(join(home, "universal")) &&
      existsSync(join(home, "gate"))
    )
      writeTree(home, { "universal/canon/s1.md": "# theirs\n" });
  };
  const report = await restore(vault, file, { progress });
  assert.equal(textOf(home, "universal/canon/s1.md"), "# theirs\n");
  assert.equal(textOf(home, "universal/canon/s2.md"), "# skill 2\n");
  assert.deepEqual(
    report.kept.map((one) => one.path),
    ["universal/canon/s1.md"],
  );
});

test("P2 a restore that is killed leaves no home or the whole one, and a space that was not there none or all of it", async () => {
  const { file } = await archiveOfSkills(30);
  const root = temporaryFolder();
  const whole = join(root, "whole");
  const began = performance.now();
  assert.equal(spawnSync(process.execPath, [CHILD, whole, file, "new"]).status, 0);
  const took = performance.now() - began;
  for (const [at, mode] of ["new", "new", "new", "in place", "in place"].entries()) {
    const home = join(root, `home-${at}`);
    if (mode === "in place") openVault({ home, create: true }).close();
    const child = spawn(process.execPath, [CHILD, home, file, mode], { stdio: "ignore" });
    const closed = once(child, "close");
    await new Promise((resolve) => setTimeout(resolve, took * (0.5 + (at % 3) * 0.15)));
    child.kill("SIGKILL");
    await closed;
    const skills = existsSync(join(home, "universal")) ? namesIn(home, "universal", "canon").length : 0;
    assert.ok(skills === 0 || skills === 30, `${skills} of 30 skills, ${mode}`);
    if (mode === "new" && existsSync(home)) assert.deepEqual(difference(whole, home), []);
    assert.equal(spawnSync(process.execPath, [CHILD, home, file, mode]).status, 0);
    assert.deepEqual(difference(whole, home), []);
  }
});

test("P2 a new home is given up where somebody has made it meanwhile, and what a killed restore left goes when it is old", async () => {
  const root = temporaryFolder();
  const home = join(root, "home");
  const left = (name: string, minutes: number) => {
    mkdirSync(join(root, name));
    const then = Date.now() / 1_000 - minutes * 60;
    utimesSync(join(root, name), then, then);
  };
  left(".home.tmp-1-0123456789ab", 61);
  left(".home.tmp-2-0123456789ab", 59);
  left(".home2.tmp-1-0123456789ab", 61);
  const { clock } = createContext();
  const lost = await makeHome(home, clock(), async (folder) => {
    writeTree(folder, { "a.md": "ours" });
    writeTree(home, { "a.md": "theirs" });
  });
  assert.equal(lost, undefined);
  assert.equal(textOf(home, "a.md"), "theirs");
  assert.deepEqual(readdirSync(root).sort(), [
    ".home.tmp-2-0123456789ab",
    ".home2.tmp-1-0123456789ab",
    "home",
  ]);
  renameSync(home, join(root, "away"));
  rmSync(join(root, "away"), { recursive: true });
  await assert.rejects(
    makeHome(home, clock(), () => Promise.reject(new Error("no"))),
    /no/,
  );
  assert.deepEqual(await makeHome(home, clock(), async () => 7), { made: 7 });
  assert.deepEqual(readdirSync(root).length, 3);
});
