import assert from "node:assert/strict";
import {
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder, writeTree } from "../support/home.ts";
import { canonFile, makeLibrary, openHeard, REPO, skill } from "../support/library.ts";

const names = (answer: { hits: readonly { name: string }[] }) => answer.hits.map((hit) => hit.name);

test("B20 a removed skill is gone from search and read without a reindex", async () => {
  const { library, folder } = await makeLibrary({
    skills: { "ghost/SKILL.md": skill("ghost", "ghosttoken"), "x/SKILL.md": skill("xx", "stays") },
  });
  assert.deepEqual(names(await library.search("ghosttoken")), ["ghost"]);
  rmSync(join(folder, "ghost"), { recursive: true });
  assert.equal((await library.search("ghosttoken")).state, "no_match");
  await assert.rejects(library.read("ghost"), { code: "CANONRY_SKILL_NOT_FOUND" });
});

test("B20 a renamed folder answers under its new path only", async () => {
  const { library, folder } = await makeLibrary({
    skills: { "x/SKILL.md": "---\ndescription: movingtoken\n---\nB\n" },
  });
  assert.deepEqual(names(await library.search("movingtoken")), ["x"]);
  renameSync(join(folder, "x"), join(folder, "y"));
  assert.deepEqual(names(await library.search("movingtoken")), ["y"]);
});

test("B21 an edit of equal size and time is seen by search and read alike", async () => {
  const { library, folder } = await makeLibrary({ skills: { "a/SKILL.md": skill("aa", "firsttoken") } });
  const file = join(folder, "a/SKILL.md");
  const before = statSync(file);
  assert.deepEqual(names(await library.search("firsttoken")), ["aa"]);
  writeFileSync(file, skill("aa", "otherword!"));
  utimesSync(file, before.atime, before.mtime);
  assert.deepEqual(names(await library.search("otherword")), ["aa"]);
  assert.equal((await library.search("firsttoken")).state, "no_match");
  assert.match((await library.read("aa")).body, /# aa/);
});

test("B21 edits in quick succession never leave an older text in the answer", async () => {
  const { library, folder } = await makeLibrary({ skills: { "a/SKILL.md": skill("aa", "token000") } });
  for (let i = 1; i <= 30; i++) {
    const word = `token${String(i).padStart(3, "0")}`;
    writeFileSync(join(folder, "a/SKILL.md"), skill("aa", word, `Body ${word}.`));
    assert.deepEqual(names(await library.search(word)), ["aa"]);
    assert.ok((await library.read("aa")).body.includes(`Body ${word}.`));
  }
});

test("B21 a changed reference is read as it stands", async () => {
  const { library, folder } = await makeLibrary({
    skills: { "a/SKILL.md": skill("aa", "one"), "a/references/x.md": "old" },
  });
  assert.equal((await library.read("aa", { file: "references/x.md" })).body, "old");
  writeFileSync(join(folder, "a/references/x.md"), "new");
  assert.equal((await library.read("aa", { file: "references/x.md" })).body, "new");
});

test("B17 one bad skill does not empty the library, each is named once, and a mended one returns", async () => {
  const { library, folder } = await makeLibrary({
    skills: {
      "good-1/SKILL.md": skill("good-1", "first"),
      "good-2/SKILL.md": skill("good-2", "second"),
      "bad-yaml/SKILL.md": "---\ndescription: [x\n---\n",
      "bad-type/SKILL.md": "---\nname: {a: b}\ndescription: Fine otherwise.\n---\n",
      "bad-bytes/SKILL.md": Buffer.from("2D2D2D0A6E616D653A20C4E30A2D2D2D", "hex"),
      "empty/SKILL.md": "",
      "bad-dir/SKILL.md/inner.txt": "x",
    },
  });
  const report = await library.reindex();
  assert.equal(report.skills, 2);
  assert.deepEqual(
    report.unreadable.map((one) => one.file.slice(folder.length + 1)),
    ["bad-bytes/SKILL.md", "bad-dir/SKILL.md", "bad-type/SKILL.md", "bad-yaml/SKILL.md", "empty/SKILL.md"],
  );
  assert.ok(report.unreadable.every((one) => one.line >= 1 && one.code.length > 0 && one.message.length > 0));
  assert.deepEqual(names(await library.search("second")), ["good-2"]);
  const again = await library.reindex();
  assert.deepEqual([again.added, again.changed, again.removed, again.unreadable.length], [0, 0, 0, 5]);
  writeFileSync(join(folder, "empty/SKILL.md"), skill("was-empty", "mendedtoken"));
  assert.deepEqual(names(await library.search("mendedtoken")), ["was-empty"]);
});

test("P1 deleting the index loses nothing: list, search, stub and counters are the same", async () => {
  const { library, home, heard } = await makeLibrary({
    skills: { "a/SKILL.md": skill("aa", "copper kettle"), "b/SKILL.md": skill("bb", "copper lantern") },
    home: { [`${REPO}/canon/own.md`]: canonFile("own"), [`${REPO}/quarantine/bad.md`]: canonFile("bad") },
  });
  await library.reindex();
  await library.read("aa", { runId: "r", wave: 1, agent: "x" });
  const all = async (one: typeof library) => [
    await one.list({ all: true }),
    await one.search("copper"),
    await one.stub(),
  ];
  const before = await all(library);
  await library.close();
  for (const name of readdirSync(home)) if (name.startsWith("index")) rmSync(join(home, name));
  const { library: second } = await openHeard({ home });
  assert.deepEqual(await all(second), before);
  assert.deepEqual(heard.warnings, []);
});

const DAMAGES: readonly [string, (file: string) => void][] = [
  ["emptied", (file) => truncateSync(file, 0)],
  ["cut", (file) => truncateSync(file, 3_000)],
  ["replaced by a text", (file) => writeFileSync(file, "not a database")],
  ["flipped in one bit", (file) => flipBit(file, 20_011)],
  ["flipped in its header", (file) => flipBit(file, 17)],
];

function flipBit(file: string, at: number): void {
  const bytes = readFileSync(file);
  bytes.writeUInt8(bytes.readUInt8(at % bytes.length) ^ 4, at % bytes.length);
  writeFileSync(file, bytes);
}

for (const [how, damage] of DAMAGES)
  test(`S2.26 B53 an index that was ${how} is kept as .bak, named in a warning, and the next answer is right`, async () => {
    const { library, home } = await makeLibrary({ skills: { "a/SKILL.md": skill("aa", "copper kettle") } });
    await library.reindex();
    const before = await library.search("kettle");
    await library.close();
    damage(join(home, "index.sqlite"));
    const bad = readFileSync(join(home, "index.sqlite"));
    const { library: second, heard } = await openHeard({ home });
    assert.deepEqual(await second.search("kettle"), before);
    assert.deepEqual(readFileSync(join(home, "index.sqlite.bak")), bad);
    assert.equal(heard.warnings.length, 1);
    assert.match(heard.warnings[0] ?? "", /index\.sqlite\.bak and rebuilt/);
  });

test("C57 a second damaged index is kept beside the first", async () => {
  const { library, home } = await makeLibrary({ skills: { "a/SKILL.md": skill("aa", "copper kettle") } });
  await library.close();
  for (const text of ["one", "two"]) {
    writeFileSync(join(home, "index.sqlite"), text);
    const { library: next } = await openHeard({ home });
    assert.equal((await next.search("kettle")).state, "ok");
    await next.reindex();
    await next.close();
  }
  assert.equal(readFileSync(join(home, "index.sqlite.bak"), "utf8"), "one");
  assert.equal(readFileSync(join(home, "index.sqlite.bak-2"), "utf8"), "two");
});

test("S2.1 the folder of an index is made where there is none", async () => {
  const { library, home } = await makeLibrary({ skills: { "a/SKILL.md": skill("aa", "copper kettle") } });
  await library.close();
  const dsn = join(home, "local", "deeper", "index.sqlite");
  const { library: second } = await openHeard({ home, dsn });
  await second.reindex();
  assert.ok(readFileSync(dsn).length > 0);
});

test("design 5: where the index cannot be written the answers come from memory, and that is said", async () => {
  const { library, home } = await makeLibrary({ skills: { "a/SKILL.md": skill("aa", "copper kettle") } });
  await library.close();
  const { library: second, heard } = await openHeard({ home, dsn: "/proc/no-such-folder/index.sqlite" });
  await second.reindex();
  assert.deepEqual(names(await second.search("kettle")), ["aa"]);
  assert.match(heard.warnings.join("\n"), /could not be written|cannot be kept/);
});

test("design 5: the second reindex reads nothing and changes nothing", async () => {
  const { library, home } = await makeLibrary({
    skills: { "a/SKILL.md": skill("aa", "copper kettle") },
    home: { [`${REPO}/canon/own.md`]: canonFile("own") },
  });
  const first = await library.reindex();
  assert.deepEqual([first.skills, first.added, first.changed, first.removed], [2, 2, 0, 0]);
  await library.close();
  const { library: second } = await openHeard({ home });
  const again = await second.reindex();
  assert.deepEqual([again.skills, again.added, again.changed, again.removed], [2, 0, 0, 0]);
});

test("P1 C10 a ledger that was cut or removed counts as it stands, with and without the index", async () => {
  const { library, home } = await makeLibrary({ skills: { "a/SKILL.md": skill("aa", "one") } });
  await library.read("aa");
  await library.read("aa");
  assert.equal((await library.list())[0]?.uses, 2);
  const [file = ""] = readdirSync(join(home, "ledger"));
  const [first = ""] = readFileSync(join(home, "ledger", file), "utf8")
    .split("\n")
    .filter((line) => line !== "");
  writeFileSync(join(home, "ledger", file), `\n${first}\n`);
  assert.equal((await library.list())[0]?.uses, 1);
  rmSync(join(home, "ledger"), { recursive: true });
  assert.equal((await library.list())[0]?.uses, 0);
});

test("P5 a file or folder that was given as index and is none stays where it is", async () => {
  const root = temporaryFolder();
  writeTree(root, { "project/src/a.txt": "mine", "notes.txt": "mine too" });
  for (const name of ["project", "notes.txt"])
    await assert.rejects(openHeard({ home: join(root, "home"), dsn: join(root, name) }), {
      code: "CANONRY_USAGE",
      message: /stays as it is/,
    });
  assert.deepEqual(readdirSync(root).toSorted(), ["home", "notes.txt", "project"]);
  assert.equal(readFileSync(join(root, "notes.txt"), "utf8"), "mine too");
});
