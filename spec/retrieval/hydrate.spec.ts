import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { takeSlot } from "../../lib/vault/slots.ts";
import { temporaryFolder } from "../support/home.ts";
import { canonFile, makeLibrary, openHeard, REPO, skill } from "../support/library.ts";

/** Every event in a home's ledger, in file order. */
function ledger(home: string): Record<string, unknown>[] {
  const folder = join(home, "ledger");
  const lines = readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), "utf8").split("\n"));
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line));
}

const reader = (agent: string, wave = 1) => ({ runId: "run-1", wave, agent });

function manySkills(count: number): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, i) => [`s${i}/SKILL.md`, skill(`s${i}`, `number ${i}`)]),
  );
}

test("S1.26 a read adds a use, the time of last use and one hydrated event", async () => {
  const { library, home } = await makeLibrary({ home: { [`${REPO}/canon/own.md`]: canonFile("own") } });
  await library.read("own", reader("a1"));
  const [event, ...more] = ledger(home);
  assert.deepEqual(more, []);
  assert.deepEqual(
    [
      event?.["event"],
      event?.["skill"],
      event?.["fingerprint"],
      event?.["run_id"],
      event?.["wave"],
      event?.["agent"],
      event?.["version"],
    ],
    ["hydrated", "own", REPO, "run-1", 1, "a1", 1],
  );
  assert.equal((await library.list())[0]?.uses, 1);
});

test("S2.22 the text comes from disk, not from the index", async () => {
  const { library, home } = await makeLibrary({
    home: { [`${REPO}/canon/own.md`]: canonFile("own", {}, "Old text.") },
  });
  await library.reindex();
  writeFileSync(join(home, REPO, "canon/own.md"), canonFile("own", {}, "New text."));
  assert.match((await library.read("own")).body, /New text\./);
});

test("S1.29 S2.22 the sixth skill of a wave is refused with the seed's words, and the next wave starts afresh", async () => {
  const { library, home, heard } = await makeLibrary({ skills: manySkills(7) });
  for (let i = 0; i < 5; i++) await library.read(`s${i}`, reader("a1"));
  await assert.rejects(library.read("s5", reader("a1")), {
    code: "CANONRY_HYDRATION_CAP",
    message: "hydration cap reached; use skill_search to refine",
  });
  assert.equal(ledger(home).length, 5);
  assert.equal(heard.warnings.length, 1);
  await library.read("s5", reader("a2"));
  await library.read("s5", reader("a1", 2));
  assert.equal(ledger(home).length, 7);
});

test("C46 a repeated read, a miss and a file of a skill already read take no slot", async () => {
  const { library, home } = await makeLibrary({
    skills: { ...manySkills(6), "s0/references/x.md": "Reference." },
  });
  await library.read("s0", reader("a1"));
  await library.read("s0", reader("a1"));
  await library.read("s0", { ...reader("a1"), file: "references/x.md" });
  await assert.rejects(library.read("nothing-here", reader("a1")), { code: "CANONRY_SKILL_NOT_FOUND" });
  for (const name of ["s1", "s2", "s3", "s4"]) await library.read(name, reader("a1"));
  await assert.rejects(library.read("s5", reader("a1")), { code: "CANONRY_HYDRATION_CAP" });
  assert.equal(ledger(home).filter((event) => event["event"] === "hydrated").length, 5);
});

test("C55 the cap holds across processes, and only where run, wave and agent are all known", async () => {
  const { library, home, folder } = await makeLibrary({ skills: manySkills(8) });
  await library.reindex();
  for (let i = 0; i < 3; i++) await library.read(`s${i}`, reader("a1"));
  const script = `import { openLibrary } from ${JSON.stringify(new URL("../../lib/index.js", import.meta.url).href)};
    const library = await openLibrary({ home: ${JSON.stringify(home)}, fingerprint: ${JSON.stringify(REPO)} });
    const got = [];
    for (const name of ["s3", "s4", "s5"]) got.push(await library.read(name, { runId: "run-1", wave: 1, agent: "a1" }).then(() => "read", (error) => error.code));
    console.log(JSON.stringify(got)); await library.close();`;
  const out = execFileSync(process.execPath, ["--input-type=module", "-e", script], {
    encoding: "utf8",
    cwd: folder,
  });
  assert.deepEqual(JSON.parse(out), ["read", "read", "CANONRY_HYDRATION_CAP"]);
  for (let i = 0; i < 8; i++) await library.read(`s${i}`, { agent: "a1", runId: "run-1" });
});

test("S2.23 a missing name is an error that names the nearest, and one read_miss without free text", async () => {
  const { library, home } = await makeLibrary({
    skills: { "retry-flaky-test/SKILL.md": skill("retry-flaky-test", "one") },
  });
  await assert.rejects(library.read("retry-flaky-tests", reader("a1")), {
    code: "CANONRY_SKILL_NOT_FOUND",
    message: /Nearest: retry-flaky-test\./,
  });
  await assert.rejects(library.read("my password is hunter2", reader("a1")), {
    code: "CANONRY_SKILL_NOT_FOUND",
  });
  assert.deepEqual(
    ledger(home).map((event) => [event["event"], event["skill"]]),
    [
      ["read_miss", "retry-flaky-tests"],
      ["read_miss", ""],
    ],
  );
});

test("S1.26 a read that is told not to record leaves no trace", async () => {
  const { library, home } = await makeLibrary({ skills: manySkills(1) });
  await library.read("s0", { ...reader("a1"), record: false });
  await assert.rejects(library.read("nothing", { record: false }), { code: "CANONRY_SKILL_NOT_FOUND" });
  assert.deepEqual(readdirSync(home).includes("ledger") ? ledger(home) : [], []);
});

test("S1.25 B65 a file beside the skill is read by its path from any folder, and the files are listed", async () => {
  const { library, folder } = await makeLibrary({
    skills: {
      "a/SKILL.md": skill("aa", "one", "Read references/limits.md"),
      "a/references/limits.md": "Limits.",
      "a/scripts/run.sh": "#!/bin/sh\n",
    },
  });
  const read = await library.read("aa");
  assert.deepEqual([...read.files], ["references/limits.md", "scripts/run.sh"]);
  assert.equal(read.folder, join(folder, "a"));
  assert.equal((await library.read("aa", { file: "references/limits.md" })).body, "Limits.");
});

test("C59 a binary beside a skill is never handed out as text", async () => {
  const { library } = await makeLibrary({
    skills: {
      "a/SKILL.md": skill("aa", "one"),
      "a/logo.png": Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1]),
      "a/latin.txt": Buffer.from([0x63, 0xe9]),
    },
  });
  for (const file of ["logo.png", "latin.txt"])
    await assert.rejects(library.read("aa", { file }), { code: "CANONRY_FILE_BINARY" });
});

test("P9 no path and no link leads out of the skill's folder, and no pipe blocks a read", async () => {
  const { library, folder } = await makeLibrary({
    skills: { "a/SKILL.md": skill("aa", "one"), "a/references/x.md": "x", "outside.txt": "secret" },
  });
  mkdirSync(join(folder, "a/folder"));
  symlinkSync("../outside.txt", join(folder, "a/link.txt"));
  symlinkSync("..", join(folder, "a/up"));
  execFileSync("mkfifo", [join(folder, "a/pipe")]);
  const files = [
    "../outside.txt",
    "/etc/passwd",
    "references/../../outside.txt",
    "link.txt",
    "up/outside.txt",
    "folder",
    "pipe",
    "..\\outside.txt",
    "C:x",
    "a\0b",
    "",
    ".",
    "references",
    "x".repeat(600),
  ];
  for (const file of files)
    await assert.rejects(
      library.read("aa", { file }),
      (error: { code?: string }) => /^CANONRY_(INVALID_PATH|FILE_NOT_FOUND)$/.test(error.code ?? ""),
      file,
    );
});

test("S1.9 a canon reference over 15,360 bytes is refused with its size", async () => {
  const { library } = await makeLibrary({
    home: {
      [`${REPO}/canon/own.md`]: canonFile("own"),
      [`${REPO}/canon/own/references/ok.md`]: "x".repeat(15_360),
      [`${REPO}/canon/own/references/big.md`]: "x".repeat(15_361),
    },
  });
  assert.equal((await library.read("own", { file: "references/ok.md" })).body.length, 15_360);
  await assert.rejects(library.read("own", { file: "references/big.md" }), {
    code: "CANONRY_FILE_TOO_LARGE",
  });
});

test("S1.30 S2.22 a home that cannot be written still answers reads", async () => {
  const { library, home } = await makeLibrary({ skills: manySkills(1) });
  await library.reindex();
  await library.close();
  writeFileSync(join(home, "ledger"), "a file where the ledger's folder should be");
  const { library: second } = await openHeard({ home });
  assert.equal((await second.read("s0")).name, "s0");
});

test("C46 a read that fails takes no slot and counts nothing", async () => {
  const { library, home } = await makeLibrary({ skills: manySkills(6) });
  for (let i = 0; i < 5; i++)
    await assert.rejects(library.read(`s${i}`, { ...reader("a1"), file: "nope.md" }), {
      code: "CANONRY_FILE_NOT_FOUND",
    });
  for (let i = 0; i < 5; i++) await library.read(`s${i}`, reader("a1"));
  assert.equal(ledger(home).filter((event) => event["event"] === "hydrated").length, 5);
});

test("C55 a slot names its skill: who finds one half done reads on, and who finds five gets none", () => {
  const folder = join(temporaryFolder(), "slots");
  const a1 = reader("a1");
  assert.deepEqual(
    ["s1", "s2", "s1", "s3", "s4", "s5", "s6", "s2"].map((one) => takeSlot(folder, a1, one)),
    ["taken", "taken", "repeated", "taken", "taken", "taken", "full", "repeated"],
  );
  const [own = ""] = readdirSync(folder);
  rmSync(join(folder, own, "slot-2"));
  assert.deepEqual(
    ["s6", "s2"].map((one) => takeSlot(folder, a1, one)),
    ["taken", "full"],
    "a free slot below a taken one is a slot",
  );
});

test("C59 only what stands beside the skill can be read: nothing hidden, no other skill in it", async () => {
  const { library } = await makeLibrary({
    skills: {
      "a/SKILL.md": skill("aa", "one"),
      "a/.env": "SECRET",
      "a/.git/config": "x",
      "a/node_modules/a.md": "x",
      "a/nested/SKILL.md": skill("nn", "two"),
      "a/nested/x.md": "x",
      "a/ok.md": "fine",
      "a/new\nline.md": "x",
    },
  });
  assert.deepEqual([...(await library.read("aa")).files], ["ok.md"]);
  for (const file of [".env", ".git/config", "node_modules/a.md", "nested/SKILL.md", "nested/x.md"])
    await assert.rejects(
      library.read("aa", { file }),
      (error: { code?: string }) => /^CANONRY_(FILE_NOT_FOUND|INVALID_PATH)$/.test(error.code ?? ""),
      file,
    );
  await assert.rejects(library.read("aa", { file: "okk.md" }), { message: /It has: ok\.md/ });
});

test("I4 a name at a place that is not there is answered with the places that have it, an unknown one with the nearest", async () => {
  const { library } = await makeLibrary({
    skills: {
      "pdf/SKILL.md": skill("pdf-merge", "Join PDF files"),
      "u/SKILL.md": skill("u@v", "Two in one"),
    },
    home: { "universal/canon/pdf-merge.md": canonFile("pdf-merge") },
  });
  const mounted = (await library.list({ all: true })).find(({ name }) => name === "u@v")?.place ?? "";
  await assert.rejects(library.read("pdf-merge@nowhere"), {
    code: "CANONRY_SKILL_NOT_FOUND",
    message: `There is no place "nowhere". "pdf-merge" is at: universal, ${mounted}.`,
    data: { name: "pdf-merge", places: ["universal", mounted] },
  });
  await assert.rejects(library.read("pdf-mereg"), { message: /Nearest: pdf-merge\./ });
  await assert.rejects(library.read("pdf-merg@nowhere"), { message: /Nearest: pdf-merge\./ });
  assert.equal((await library.read("u@v")).name, "u@v");
});

test("design 4: an aborted read answers nothing and counts nothing", async () => {
  const { library, home } = await makeLibrary({ skills: manySkills(1) });
  await library.search("number");
  await assert.rejects(library.read("s0", { ...reader("a1"), signal: AbortSignal.abort() }), {
    code: "CANONRY_ABORTED",
  });
  assert.equal(readdirSync(home).includes("ledger"), false);
});
