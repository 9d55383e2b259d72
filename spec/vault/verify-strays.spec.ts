import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { writeTree } from "../support/home.ts";
import { canonFile } from "../support/library.ts";
import { FIRST, finds, makeHome, manifestOf, NAME, write } from "./verify-stage.ts";

const whole = await makeHome();
const skill = canonFile("astray");

test("trust 4a a skill that stands one level too high is named, with where to move it", async () => {
  for (const [path, next] of [
    [
      "astray.md",
      /No skill is looked for here.* → .*move it to universal\/canon\/ or to the canon\/ of its space/,
    ],
    ["index.md", /universal\/canon\//],
    [
      "universal/astray.md",
      /No skill is looked for here.* → .*move it to \S+\/universal\/canon\/; else nothing/,
    ],
    ["0123456789ab/astray.md", /move it to \S+\/0123456789ab\/canon\/; else/],
    ["universal/members/astray.md", /move it to the canon\/ of one of the folders beside it/],
    ["universal/members/ann/astray.md", /move it to \S+\/members\/ann\/canon\/; else/],
    ["universal/members/ann/sessions/astray.md", /move it to the canon\/ of one of the folders beside it/],
    ["universal/members/ann/sessions/s1/astray.md", /move it to \S+\/sessions\/s1\/canon\/; else/],
    ["tenants/acme/astray.md", /universal\/canon\//],
    ["tenants/acme/universal/astray.md", /move it to \S+\/acme\/universal\/canon\/; else/],
  ] as const)
    await finds(whole, write(path, skill), [`note ${path}:1 FILE_ASTRAY`], next);
});

test("trust 4a other files and folders that nothing reads are named in the home, a space, local and tenants", async () => {
  for (const path of [
    "notes.txt",
    "universal/notes.txt",
    "universal/members/notes.txt",
    "universal/members/ann/notes.txt",
    "tenants/notes.txt",
    "local/notes.md",
    "local/vault.json.orig",
  ])
    await finds(
      whole,
      write(path, "x"),
      [`note ${path}:1 FILE_FOREIGN`],
      /nothing reads it.* → move it elsewhere/,
    );
  for (const path of [
    "Universal",
    "my-project",
    "universal/Canon",
    "universal/members/ann/archive",
    "local/elsewhere",
  ])
    await finds(
      whole,
      (home) => mkdirSync(join(home, path), { recursive: true }),
      [`note ${path}:1 FILE_FOREIGN`],
      /nothing reads it/,
    );
});

test("trust 4a what may stand in a home and beside its skills is not astray: hidden files, an index, the other folders", async () => {
  await finds(
    whole,
    (home) => {
      writeTree(home, {
        ".gitignore": "",
        ".git/config": "",
        ".DS_Store": "",
        "index.memory": "",
        "index.sqlite-wal": "",
        "labels/a.json": "",
        "reports/a.md": "",
        "universal/.obsidian/a.json": "",
        "universal/processed/2026-01-02/a.md": "",
        "universal/members/ann/canon/b.md": canonFile("b"),
        "universal/members/ann/sessions/s1/canon/b.md": canonFile("b"),
        "local/.DS_Store": "",
        "local/swept": "",
        "settings.json": '{"dsn":"INDEX"}'.replace("INDEX", join(home, "my.db")),
        "my.db-wal": "",
      });
    },
    [],
    /^$/,
  );
});

test("P2 the damaged manifest of a version that made way for another is a note, a claim's name is looked at too", async () => {
  const kept = `${manifestOf(1, FIRST)}.damaged`;
  await finds(
    whole,
    (home) => writeTree(home, { [kept]: "x", [`${kept}-2`]: "y" }),
    [`note ${kept}:1 STATE_SET_ASIDE`, `note ${kept}-2:1 STATE_SET_ASIDE`],
    /made way for the one of a backup.* → remove it/,
  );
  const other = `versions/universal/${NAME}/notes.damaged`;
  await finds(whole, write(other, "x"), [`note ${other}:1 FILE_FOREIGN`], /nothing reads it/);
  const claim = `local/commit/universal/${NAME}`;
  await finds(
    whole,
    (home) => writeTree(home, { [`${claim}.1.bak`]: "x", [`${claim}.bak`]: "x" }),
    [`note ${claim}.1.bak:1 STATE_SET_ASIDE`, `note ${claim}.bak:1 FILE_FOREIGN`],
    /could not be carried out/,
  );
});
