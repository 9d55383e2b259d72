import assert from "node:assert/strict";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { test } from "node:test";
import { writeTree } from "../support/home.ts";
import { makeLibrary, skill } from "../support/library.ts";

const { openSync, readdirSync } = fs;

/** No skill of a host can be opened until it is called. */
function failToOpen(): () => void {
  const replace = (open: typeof openSync) => {
    Object.assign(fs, { openSync: open });
    syncBuiltinESMExports();
  };
  replace((path, ...rest) => {
    if (!String(path).endsWith("SKILL.md")) return openSync(path, ...rest);
    throw Object.assign(new Error("EIO: i/o error, open"), { code: "EIO" });
  });
  return () => replace(openSync);
}

test("B110 a file that the disk failed to read once is read again, although nothing of it has changed", async () => {
  // old files: an equal stamp is believed
  const clock = () => Date.now() + 3_600_000;
  const { library } = await makeLibrary(
    { skills: { "a/SKILL.md": skill("aa", "firsttoken"), "b/SKILL.md": skill("bb", "otherword") } },
    { clock },
  );
  const mend = failToOpen();
  try {
    assert.equal((await library.reindex()).added, 0);
  } finally {
    mend();
  }
  assert.equal(await library.unreadable(), 2);
  const report = await library.reindex();
  assert.deepEqual([report.added, report.changed, report.removed], [0, 2, 0]);
  const { hits } = await library.search("firsttoken");
  assert.deepEqual(
    hits.map((hit) => hit.name),
    ["aa"],
  );
  assert.equal(await library.unreadable(), 0);
});

test("B110 a folder that the disk failed to list once is listed again, although nothing of it has changed", async () => {
  const clock = () => Date.now() + 3_600_000;
  const { library, folder } = await makeLibrary(
    { skills: { "a/SKILL.md": skill("aa", "firsttoken") } },
    { clock },
  );
  await library.reindex();
  writeTree(folder, { "b/SKILL.md": skill("bb", "otherword") });
  const failing = (path: string, ...rest: []) => {
    if (!path.startsWith(folder)) return readdirSync(path, ...rest);
    throw Object.assign(new Error("EIO: i/o error, scandir"), { code: "EIO" });
  };
  Object.assign(fs, { readdirSync: failing });
  syncBuiltinESMExports();
  try {
    assert.equal((await library.reindex()).added, 0);
  } finally {
    Object.assign(fs, { readdirSync });
    syncBuiltinESMExports();
  }
  const { hits } = await library.search("otherword");
  assert.deepEqual(
    hits.map((hit) => hit.name),
    ["bb"],
  );
});

test("B110 a folder that cannot be listed keeps what is known in it, look after look, although its parent is not listed again", async () => {
  const clock = () => Date.now() + 3_600_000;
  const skills = { "deep/a/SKILL.md": skill("aa", "firsttoken"), "b/SKILL.md": skill("bb", "otherword") };
  const { library, folder } = await makeLibrary({ skills }, { clock });
  await library.reindex();
  const failing = (path: string, ...rest: []) => {
    if (!path.startsWith(`${folder}/deep`)) return readdirSync(path, ...rest);
    throw Object.assign(new Error("EACCES: permission denied, scandir"), { code: "EACCES" });
  };
  const states = async () => (await library.list({ all: true })).map(({ name, state }) => [name, state]);
  writeTree(folder, { "deep/c.txt": "a change" });
  Object.assign(fs, { readdirSync: failing });
  syncBuiltinESMExports();
  try {
    for (let look = 0; look < 3; look++) {
      assert.equal((await library.reindex()).removed, 0);
      assert.deepEqual(
        (await states()).filter(([name]) => name !== "deep"),
        [
          ["aa", "unreadable"],
          ["bb", "active"],
        ],
      );
    }
  } finally {
    Object.assign(fs, { readdirSync });
    syncBuiltinESMExports();
  }
  assert.deepEqual(await states(), [
    ["aa", "active"],
    ["bb", "active"],
  ]);
});
