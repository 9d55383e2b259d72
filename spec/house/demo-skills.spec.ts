import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { lintPaths } from "../../lib/hosts/lint.ts";
import { temporaryFolder } from "../support/home.ts";
import { makeLibrary, openHeard } from "../support/library.ts";
import { ROOT } from "../support/root.ts";

const DEMO = join(ROOT, "fixtures/demo");

test("demo: the demo skills are all read, and the odd ones are odd as their README says", async () => {
  const { library } = await makeLibrary({});
  await library.mount([DEMO]);
  const { skills, unreadable } = await library.reindex();
  assert.deepEqual([skills, unreadable], [41, []]);
  const warned = (await library.warnings()).map(({ file, code }) => `${file.slice(DEMO.length + 1)} ${code}`);
  assert.deepEqual(warned.sort(), [
    "aws-bill-spike/SKILL.md FIELD_TOO_LONG",
    "flaky-test-repair/SKILL.md YAML_INVALID",
    "ios-universal-links/SKILL.md NAME_MISMATCH",
  ]);
  const { problems } = await lintPaths([DEMO], { home: library.home });
  assert.deepEqual(
    problems.map(({ file, line, code, hosts }) => [file.slice(DEMO.length + 1), line, code, hosts.join(" ")]),
    [
      ["aws-bill-spike/SKILL.md", 3, "FIELD_TOO_LONG", "skills-ref claude.ai codex"],
      ["flaky-test-repair/SKILL.md", 3, "YAML_INVALID", "skills-ref claude.ai codex mcp"],
      ["ios-universal-links/SKILL.md", 2, "NAME_MISMATCH", "skills-ref"],
    ],
  );
});

test("S1.8 every demo skill would fit as a canon file, and what it names beside it is there", async () => {
  const { library } = await makeLibrary({});
  await library.mount([DEMO]);
  for (const { name, path } of await library.list()) {
    assert.ok(statSync(path).size <= 15_360, name);
    const { body, files } = await library.read(name, { record: false });
    assert.match(body, /^\s*# /, name);
    const named = [...body.matchAll(/(?<![\w/.-])((?:references|scripts)\/[\w.-]+\.\w+)/g)].map(
      ([, file]) => file ?? "",
    );
    const missing = named.filter(
      (file) => files.some((one) => one.split("/")[0] === file.split("/")[0]) && !files.includes(file),
    );
    assert.deepEqual(missing, [], name);
    assert.deepEqual(
      files.filter((file) => !body.includes(file)),
      [],
      `${name}: files that its text does not name`,
    );
  }
});

test("demo: the demo skills are in English and Chinese, from many fields", () => {
  const texts = readdirSync(DEMO, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => readFileSync(join(DEMO, name, "SKILL.md"), "utf8"));
  const fields = new Set(texts.map((text) => /^ {2}field: "(.+)"$/m.exec(text)?.[1]));
  assert.ok(fields.size >= 20 && !fields.has(undefined), [...fields].join(", "));
  assert.equal(texts.filter((text) => /^description: .*\p{Script=Han}/mu.test(text)).length, 8);
});

test("demo: the package takes the demo skills along, and no other fixtures", () => {
  const packed = spawnSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: ROOT,
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  const [{ files }] = JSON.parse(packed.stdout) as [{ files: { path: string }[] }];
  const fixtures = files.map(({ path }) => path).filter((path) => path.startsWith("fixtures/"));
  assert.equal(fixtures.filter((path) => path.endsWith("/SKILL.md")).length, 41);
  assert.deepEqual(
    fixtures.filter((path) => !path.startsWith("fixtures/demo/")),
    [],
  );
});

test("I4 a test that fails only sometimes is a matter of flaky tests, however it is asked", async () => {
  const { library } = await openHeard({ home: join(temporaryFolder(), "home") });
  await library.mount([join(ROOT, "fixtures/demo")]);
  for (const query of [
    "a test fails only sometimes",
    "a test passes when I run it again",
    "repair a flaky test",
  ])
    assert.equal((await library.search(query)).hits[0]?.name, "flaky-test-repair", query);
});
