import assert from "node:assert/strict";
import { linkSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder, writeTree } from "../support/home.ts";
import { canonFile, makeLibrary, openHeard, REPO, skill } from "../support/library.ts";

const names = (answer: { hits: readonly { name: string }[] }) => answer.hits.map((hit) => hit.name);

test("B19 a linked skill is found exactly once through any root, and a broken link is named", async () => {
  const root = temporaryFolder();
  writeTree(root, { "real/a/SKILL.md": skill("aa", "linktoken") });
  mkdirSync(join(root, "lib/b"), { recursive: true });
  symlinkSync("../real/a", join(root, "lib/a"));
  symlinkSync("lib", join(root, "lib2"));
  symlinkSync("nowhere", join(root, "lib/broken"));
  symlinkSync("../../real/a/SKILL.md", join(root, "lib/b/SKILL.md"));
  for (const mounted of ["lib", "lib2"]) {
    const { library } = await openHeard({ home: join(root, `home-${mounted}`) });
    await library.mount([join(root, mounted)]);
    const report = await library.reindex();
    assert.deepEqual(
      report.unreadable.map((one) => one.code),
      ["LINK_BROKEN"],
      mounted,
    );
    assert.deepEqual(
      (await library.list()).map((one) => one.name),
      ["aa"],
      mounted,
    );
    assert.deepEqual(names(await library.search("linktoken")), ["aa"], mounted);
    assert.equal((await library.read("aa")).name, "aa");
  }
});

test("B19 mounted under several of its roots at once, a linked skill is listed, found and read once", async () => {
  const root = temporaryFolder();
  writeTree(root, { "real/a/SKILL.md": skill("aa", "linktoken") });
  mkdirSync(join(root, "lib"));
  symlinkSync("../real/a", join(root, "lib/a"));
  symlinkSync("lib", join(root, "lib2"));
  const { library } = await openHeard({ home: join(root, "home") });
  await library.mount(["lib", "lib2", "real"].map((name) => join(root, name)));
  assert.deepEqual((await library.reindex()).unreadable, []);
  const listed = await library.list();
  assert.deepEqual(
    [listed.map((one) => one.name), names(await library.search("linktoken"))],
    [["aa"], ["aa"]],
  );
  assert.equal((await library.read("aa")).place, listed[0]?.place);
});

test("B41 a skill file in lower case is read with a warning, and SKILL.md wins over its twin", async () => {
  const { library, folder } = await makeLibrary({
    skills: {
      "x/skill.md": skill("xx", "one"),
      "y/Skill.md": skill("yy", "two"),
      "z/SKILL.md": skill("zz", "right"),
      "z/skill.md": skill("zz", "wrong"),
    },
  });
  assert.deepEqual(
    (await library.list()).map((one) => [one.name, one.description]),
    [
      ["xx", "one"],
      ["yy", "two"],
      ["zz", "right"],
    ],
  );
  const said = (await library.warnings()).map((one) => [one.file.slice(folder.length + 1), one.code]);
  assert.deepEqual(
    said.filter(([, code]) => code === "FILE_NAME_CASE"),
    [
      ["x/skill.md", "FILE_NAME_CASE"],
      ["y/Skill.md", "FILE_NAME_CASE"],
    ],
  );
  const { unreadable } = await library.reindex();
  assert.deepEqual(
    unreadable.map((one) => [one.file, one.code]),
    [[join(folder, "z/skill.md"), "FILE_SHADOWED_BY_CASE"]],
  );
});

test("B46 ignore files of git hide no skill", async () => {
  const { library } = await makeLibrary({
    skills: {
      "a/SKILL.md": skill("aa", "one"),
      "a/.gitignore": "*\n",
      ".gitignore": "/b\n",
      "b/SKILL.md": skill("bb", "two"),
    },
  });
  assert.deepEqual(
    (await library.list()).map((one) => one.name),
    ["aa", "bb"],
  );
});

test("B110 a mount that is a file, or is gone, is a problem and no empty library", async () => {
  const root = temporaryFolder();
  writeTree(root, { "lib/a/SKILL.md": skill("aa", "one"), "other/b/SKILL.md": skill("bb", "two") });
  const { library } = await openHeard({ home: join(root, "home") });
  await library.mount([join(root, "lib"), join(root, "other")]);
  await library.reindex();
  const { renameSync } = await import("node:fs");
  renameSync(join(root, "lib"), join(root, "moved"));
  writeFileSync(join(root, "lib"), "a file");
  const report = await library.reindex();
  assert.deepEqual(
    report.unreadable.map((one) => [one.file, one.code]),
    [[join(root, "lib"), "FILE_NOT_REGULAR"]],
  );
  assert.deepEqual(
    (await library.list()).map((one) => one.name),
    ["bb"],
  );
});

test("B05 list, search and read use one name, and the folder's name finds the skill too", async () => {
  const { library } = await makeLibrary({
    skills: { "quick-fix/SKILL.md": skill("fast-repair", "mends it") },
  });
  assert.deepEqual(
    (await library.list()).map((one) => one.name),
    ["fast-repair"],
  );
  assert.deepEqual(names(await library.search("mends")), ["fast-repair"]);
  assert.deepEqual((await library.read("fast-repair")).notices, []);
  const alias = await library.read("quick-fix");
  assert.equal(alias.name, "fast-repair");
  assert.match(alias.notices[0] ?? "", /quick-fix is another name of fast-repair/);
});

test("B05 a folder's name wins over another skill's own name, and the other can still be read", async () => {
  const { library } = await makeLibrary({
    skills: {
      "quick-fix/SKILL.md": skill("fast-repair", "by folder"),
      "other/SKILL.md": skill("quick-fix", "by name"),
    },
  });
  const found = await library.read("quick-fix");
  assert.equal(found.name, "fast-repair");
  assert.match(found.notices[0] ?? "", /read it as other@/);
  assert.match((await library.read("other")).body, /# quick-fix/);
});

test("C61 two files with one name in one place are both listed, and a plain read names both", async () => {
  const { library } = await makeLibrary({
    skills: {
      "web/lint/SKILL.md": skill("lint", "for the web"),
      "go/lint-go/SKILL.md": skill("lint", "for Go"),
    },
  });
  assert.deepEqual(
    (await library.list()).map((one) => [one.name, one.state]),
    [
      ["lint", "ambiguous"],
      ["lint", "ambiguous"],
    ],
  );
  await assert.rejects(library.read("lint"), {
    code: "CANONRY_SKILL_AMBIGUOUS",
    message: /go\/lint-go\/SKILL\.md.*web\/lint\/SKILL\.md/,
  });
  assert.match((await library.read("lint-go")).body, /# lint/);
});

test("B107 names that look alike find each other and their conflict shows", async () => {
  const { library } = await makeLibrary({
    skills: {
      "caf\u00e9-notes/SKILL.md": "---\ndescription: composed\n---\nB\n",
      "cafe\u0301-notes/SKILL.md": "---\ndescription: decomposed\n---\nB\n",
    },
  });
  assert.deepEqual(
    (await library.list()).map((one) => one.state),
    ["ambiguous", "ambiguous"],
  );
  for (const name of ["caf\u00e9-notes", "cafe\u0301-notes"])
    await assert.rejects(library.read(name), { code: "CANONRY_SKILL_AMBIGUOUS" });
});

test("B107 either form of an accented name, and any case of it, reads the skill", async () => {
  const { library } = await makeLibrary({
    skills: { "caf\u00e9-notes/SKILL.md": "---\ndescription: one\n---\nB\n" },
  });
  for (const name of ["caf\u00e9-notes", "cafe\u0301-notes", "CAF\u00c9-NOTES"])
    assert.match((await library.read(name)).body, /^B/);
});

test("B108 names that are keys of every object are names like others", async () => {
  const { library } = await makeLibrary({
    skills: {
      "__proto__/SKILL.md": "---\ndescription: one\n---\nB\n",
      "constructor/SKILL.md": skill("constructor", "two"),
      "x/SKILL.md": skill("Self Improving + Agent", "three"),
    },
  });
  assert.deepEqual(
    (await library.list()).map((one) => one.name),
    ["Self Improving + Agent", "__proto__", "constructor"],
  );
  assert.equal((await library.read("__proto__")).name, "__proto__");
  assert.equal((await library.read("self-improving-agent")).name, "Self Improving + Agent");
  assert.equal(({} as Record<string, unknown>)["description"], undefined);
});

test("C8 a project's skill wins over a universal one of the same name, which can be read by its place", async () => {
  const { library } = await makeLibrary({
    home: {
      [`${REPO}/canon/build.md`]: canonFile("build", {}, "Project."),
      "universal/canon/build.md": canonFile("build", {}, "Universal."),
    },
  });
  assert.match((await library.read("build")).body, /Project/);
  assert.match((await library.read("build@universal")).body, /Universal/);
  assert.match((await library.read(`build@${REPO}`)).body, /Project/);
  assert.deepEqual(
    (await library.list({ all: true })).map((one) => [one.place, one.state]),
    [
      [REPO, "active"],
      ["universal", "shadowed"],
    ],
  );
});

test("S1.13 quarantined skills are hidden from stub and search and kept for audit", async () => {
  const { library } = await makeLibrary({
    home: {
      [`${REPO}/quarantine/bad.md`]: canonFile("bad"),
      [`${REPO}/canon/flagged.md`]: canonFile("flagged", { quarantined: "true" }),
    },
  });
  assert.equal((await library.stub()).text, "");
  assert.equal((await library.search("bad flagged")).hits.length, 0);
  assert.deepEqual(
    (await library.list({ all: true })).map((one) => [one.name, one.state]),
    [
      ["bad", "quarantined"],
      ["flagged", "quarantined"],
    ],
  );
  await assert.rejects(library.read("bad"), { code: "CANONRY_SKILL_HIDDEN" });
});

test("S4.6 hidden folders are passed over and noted, except those in which hosts keep skills", async () => {
  const { library } = await makeLibrary({
    skills: {
      ".claude/skills/a/SKILL.md": skill("aa", "one"),
      ".secret/b/SKILL.md": skill("bb", "two"),
      "cat/c/SKILL.md": skill("cc", "three"),
      "node_modules/d/SKILL.md": skill("dd", "four"),
    },
  });
  assert.deepEqual(
    (await library.list()).map((one) => one.name),
    ["aa", "cc"],
  );
  assert.equal((await library.doctor()).lines.filter((line) => line.check === "walk").length, 1);
});

test("P9 a space of the home holds files only: a link in it is named, not followed", async () => {
  const root = temporaryFolder();
  writeTree(root, { "outside.md": canonFile("outside"), [`home/${REPO}/canon/own.md`]: canonFile("own") });
  symlinkSync(join(root, "outside.md"), join(root, `home/${REPO}/canon/outside.md`));
  const { library } = await openHeard({ home: join(root, "home") });
  const report = await library.reindex();
  assert.deepEqual(
    report.unreadable.map((one) => one.code),
    ["FILE_NOT_REGULAR"],
  );
  assert.deepEqual(
    (await library.list()).map((one) => one.name),
    ["own"],
  );
});

test("design 2: a flat folder of Markdown files is a library too; files about the folder are none of it", async () => {
  const { library } = await makeLibrary({
    skills: {
      "build.md": skill("build", "one"),
      "notes.md": "no frontmatter\n",
      "README.md": "# About\n",
      "deeper/other.md": skill("other", "two"),
    },
  });
  const report = await library.reindex();
  assert.deepEqual(
    (await library.list()).map((one) => one.name),
    ["build"],
  );
  assert.deepEqual(
    report.unreadable.map((one) => one.code),
    ["FRONTMATTER_MISSING"],
  );
  assert.match((await library.read("build")).body, /# build/);
});

test("C32 a skill over 15,360 bytes is read and found whole where it stands, and marked as too large to promote", async () => {
  const { library } = await makeLibrary({
    skills: { "big/SKILL.md": skill("big", "one", `${"x ".repeat(8_000)}tailword`) },
  });
  assert.deepEqual((await library.reindex()).unreadable, []);
  assert.deepEqual(names(await library.search("tailword")), ["big"]);
  const read = await library.read("big");
  assert.ok(read.body.includes("tailword"));
  assert.match(read.notices.join("\n"), /more than the 15360 of a canon skill/);
});

test("C61 the stub names skills of one name so that each can be read, by folder or by path", async () => {
  const { library } = await makeLibrary({
    skills: {
      "web/lint/SKILL.md": skill("lint", "for the web"),
      "go/lint/SKILL.md": skill("lint", "for Go"),
      "lint-rust/SKILL.md": skill("lint", "for Rust"),
    },
  });
  const shown = [...(await library.stub()).text.matchAll(/^- `(.+?)`/gm)].map((match) => match[1] ?? "");
  assert.deepEqual(
    shown.map((name) => name.split("@")[0]),
    ["go/lint", "lint-rust", "web/lint"],
  );
  for (const name of shown) assert.match((await library.read(name)).body, /# lint/);
});

test("C61 a name that another place has is not found here with the word where it is", async () => {
  const { library } = await makeLibrary({ skills: { "a/SKILL.md": skill("aa", "one") } });
  const [row] = await library.list();
  await assert.rejects(library.read("aa@universal"), {
    code: "CANONRY_SKILL_NOT_FOUND",
    data: { name: "aa", places: [row?.place] },
  });
});

test("B28 what was assumed of an odd file is told by doctor, by count and one by one", async () => {
  const { library, folder } = await makeLibrary({
    skills: { "odd/SKILL.md": "---\nname: odd\ndescription: Use when: it breaks\n---\n\n# Odd\n" },
  });
  const told = (await library.doctor()).lines.find((line) => line.message.startsWith("read with warnings"));
  assert.equal(told?.message, "read with warnings: YAML_INVALID 1");
  assert.deepEqual(
    (await library.warnings()).map((one) => [one.file, one.line, one.code]),
    [[join(folder, "odd/SKILL.md"), 3, "YAML_INVALID"]],
  );
});

test("B110 doctor says of a mounted folder that is gone that it is gone, and what to do", async () => {
  const { library, folder } = await makeLibrary({ skills: { "a/SKILL.md": skill("aa", "one") } });
  rmSync(folder, { recursive: true });
  const place = (await library.doctor()).lines.find(
    (line) => line.check === "place" && line.status === "problem",
  );
  assert.match(place?.message ?? "", /is gone$/);
  assert.match(place?.next ?? "", /canonry unmount/);
});

test("B19 files are told apart by where they stand, not by their inode: two hard links are two skills", async () => {
  const { library, folder } = await makeLibrary({
    skills: { "one/SKILL.md": "---\ndescription: shared text\n---\nB\n", "two/other.md": "x" },
  });
  linkSync(join(folder, "one/SKILL.md"), join(folder, "two/SKILL.md"));
  assert.deepEqual(
    (await library.list()).map((one) => one.name),
    ["one", "two"],
  );
});

test("B19 B65 a skill that is linked to keeps its own path and files, wherever the link stands", async () => {
  const { library, folder } = await makeLibrary({
    skills: {
      "zzz/SKILL.md": skill("real-z", "one"),
      "zzz/references/x.md": "Reference.",
      "aaa/notes.md": "x",
    },
  });
  symlinkSync("../zzz/SKILL.md", join(folder, "aaa/SKILL.md"));
  for (let round = 0; round < 2; round++) {
    assert.deepEqual(
      (await library.list()).map((one) => [one.name, one.path]),
      [["real-z", join(folder, "zzz/SKILL.md")]],
    );
    assert.equal((await library.read("zzz", { file: "references/x.md" })).body, "Reference.");
  }
});

test("P9 a link that leads to the home, above its mount or into the system is named and not followed", async () => {
  const { library, folder, home } = await makeLibrary({
    skills: { "a/SKILL.md": skill("aa", "one") },
    home: { "universal/quarantine/bad.md": canonFile("bad") },
  });
  symlinkSync(home, join(folder, "to-home"));
  symlinkSync("/", join(folder, "to-root"));
  symlinkSync("..", join(folder, "a/up"));
  symlinkSync("../..", join(folder, "a/above"));
  symlinkSync("/proc/self", join(folder, "to-system"));
  const report = await library.reindex();
  assert.deepEqual(
    report.unreadable.map((one) => [one.file.slice(folder.length + 1), one.code]),
    [
      ["a/above", "LINK_REFUSED"],
      ["to-home", "LINK_REFUSED"],
      ["to-root", "LINK_REFUSED"],
      ["to-system", "LINK_REFUSED"],
    ],
  );
  assert.deepEqual(
    (await library.list()).map((one) => one.name),
    ["aa"],
  );
  assert.deepEqual((await library.reindex()).unreadable.length, 4, "and said again");
});

test("B05 a name that looks like one with a place is read as it is listed", async () => {
  const { library } = await makeLibrary({ skills: { "a/SKILL.md": skill("team@universal", "one") } });
  const [listed] = await library.list();
  assert.equal((await library.read(listed?.name ?? "")).name, "team@universal");
});
