import assert from "node:assert/strict";
import { chmodSync, mkdirSync, readdirSync, renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { checkedJson, runBin } from "../support/cli.ts";
import { temporaryFolder, writeTree } from "../support/home.ts";
import { skill } from "../support/library.ts";
import { giveAway, noPlainUser, plainUser } from "../support/nobody.ts";

const skip = noPlainUser();

/** A home and a mounted folder of two skills, owned by a user whom modes bind. */
function prepared(): {
  root: string;
  home: string;
  folder: string;
  run: (...args: string[]) => ReturnType<typeof runBin>;
} {
  const root = temporaryFolder();
  const home = join(root, "home");
  const folder = join(root, "skills");
  writeTree(folder, {
    "locked/a/SKILL.md": skill("aa", "copper kettle"),
    "b/SKILL.md": skill("bb", "copper lantern"),
  });
  giveAway(root);
  const run = (...args: string[]) => runBin("canonry", args, { home, cwd: root, ...plainUser });
  const made = runBin("reindex", [folder], { home, cwd: root, ...plainUser });
  assert.equal(made.code, 0, made.err);
  return { root, home, folder, run };
}

/** Runs `work` with a function that sets modes; afterwards everything may be entered and removed again. */
function withModes(work: (setMode: (path: string, mode: number) => void) => void): void {
  const changed: string[] = [];
  try {
    work((path, mode) => {
      chmodSync(path, mode);
      changed.unshift(path);
    });
  } finally {
    for (const path of changed) chmodSync(path, 0o755);
  }
}

test("B110 a locked folder costs nobody else, and what was known below it is kept and marked", { skip }, () =>
  withModes((setMode) => {
    const { folder, run } = prepared();
    setMode(join(folder, "locked"), 0o000);
    const report = checkedJson("reindex", run("reindex", "--json").out) as {
      removed: number;
      unreadable: { file: string; message: string }[];
    };
    assert.equal(report.removed, 0);
    assert.ok(
      report.unreadable.some((one) => one.file === join(folder, "locked") && one.message.includes("EACCES")),
    );
    const states = () =>
      (checkedJson("list", run("list", "--all", "--json").out) as { name: string; state: string }[]).map(
        (one) => [one.name, one.state],
      );
    assert.deepEqual(states(), [
      ["aa", "unreadable"],
      ["bb", "active"],
      ["locked", "unreadable"],
    ]);
    assert.deepEqual(
      states(),
      [
        ["aa", "unreadable"],
        ["bb", "active"],
        ["locked", "unreadable"],
      ],
      "and stays so",
    );
    chmodSync(join(folder, "locked"), 0o755);
    assert.deepEqual(states(), [
      ["aa", "active"],
      ["bb", "active"],
    ]);
  }),
);

test(
  "B110 a mounted folder that may not be entered is unreadable with its reason and not gone, and others are searched",
  { skip },
  () =>
    withModes((setMode) => {
      const { root, folder, run } = prepared();
      writeTree(join(root, "more"), { "c/SKILL.md": skill("cc", "copper gong") });
      giveAway(root);
      assert.equal(run("mount", join(root, "more")).code, 0);
      run("reindex");
      const check = (shut: string): void => {
        setMode(shut, 0o000);
        assert.match(run("reindex").err, /skills:1: FILE_UNREADABLE: .*EACCES/, shut);
        assert.equal(run("search", "copper").out, "cc  copper gong\n", shut);
        const listed = checkedJson("list", run("list", "--all", "--json").out) as {
          name: string;
          state: string;
        }[];
        const marked = listed.filter(({ state }) => state === "unreadable").map(({ name }) => name);
        assert.deepEqual([marked.includes("aa"), marked.includes("bb")], [true, true], shut);
        const { problems } = checkedJson("doctor", run("doctor", "--json").out) as { problems: unknown[] };
        assert.equal(problems.length, 1, "said once, not of each file that was known");
        assert.doesNotMatch(run("doctor").out, /is gone/, shut);
        chmodSync(shut, 0o755);
        assert.equal(run("search", "copper").out.trimEnd().split("\n").length, 3, shut);
      };
      check(folder);
      const shut = join(root, "shut");
      mkdirSync(shut);
      renameSync(folder, join(shut, "skills"));
      symlinkSync("shut/skills", folder);
      giveAway(root);
      check(shut);
    }),
);

test(
  "B110 a file that may not be read is named with its reason, and read again once it may be",
  { skip },
  () =>
    withModes((setMode) => {
      const { folder, run } = prepared();
      const file = join(folder, "b/SKILL.md");
      setMode(file, 0o000);
      assert.match(run("reindex").err, /b\/SKILL\.md:1: FILE_UNREADABLE: .*EACCES/);
      assert.equal(run("read", "bb").code, 1);
      chmodSync(file, 0o644);
      assert.equal(run("read", "bb").code, 0);
    }),
);

test(
  "design 5: a home that cannot be written answers, records nothing, and says so once; a change is refused",
  { skip },
  () =>
    withModes((setMode) => {
      const { root, home, run } = prepared();
      for (const path of readdirSync(home, { recursive: true, withFileTypes: true }).filter((one) =>
        one.isDirectory(),
      ))
        setMode(join(path.parentPath, path.name), 0o555);
      setMode(home, 0o555);
      const search = run("search", "lantern");
      assert.deepEqual([search.code, search.out], [0, "bb  copper lantern\n"]);
      const read = run("read", "bb");
      assert.equal(read.code, 0);
      assert.match(read.err, /cannot be written/);
      const mount = run("mount", join(root, "skills/b"), "--json");
      assert.equal(mount.code, 1);
      assert.equal(
        (checkedJson("error", mount.err) as { error: { code: string } }).error.code,
        "CANONRY_READ_ONLY",
      );
    }),
);
