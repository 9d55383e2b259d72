import assert from "node:assert/strict";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { COMMANDS, ENVIRONMENT, GLOBAL_FLAGS } from "../lib/cli/commands.ts";
import { ERROR_CODES } from "../lib/core/errors.ts";
import { LIMITS } from "../lib/core/limits.ts";
import { engines } from "../lib/drivers/sqljs/engines.ts";
import { DIAGNOSTIC_CODES } from "../lib/schema/diagnostic.ts";
import { SettingsSchema } from "../lib/schema/settings.ts";
import { brokenLinks, docsText, documents, fencesOf } from "./support/documents.ts";
import { runExamples } from "./support/examples.ts";
import { temporaryFolder } from "./support/home.ts";
import { sourcesBelow } from "./support/lib-sources.ts";
import { ROOT } from "./support/root.ts";

const docs = docsText();

function read(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

/** The rows of tables whose first cell is this code word, without the blanks that line columns up. */
function rowsOf(text: string, word: string): string[] {
  return text
    .split("\n")
    .map((line) => line.replace(/ +\| */g, " | ").trim())
    .filter((line) => line.startsWith(`| \`${word}\` |`));
}

test("design 9: every command stands in docs/cli.md, with every flag that it takes", () => {
  const cli = read("docs/cli.md");
  const missing: string[] = [];
  for (const command of COMMANDS) {
    const sections = cli
      .split(/^(?=#{1,6} )/m)
      .filter((section) =>
        new RegExp(`\\bcanonry ${command.name}\\b|^#+ .*\`${command.name}\\b`, "m").test(section),
      );
    if (sections.length === 0) missing.push(command.name);
    for (const { flag } of command.flags) {
      for (const [long] of flag.matchAll(/--[a-z][a-z-]*/g)) {
        if (!sections.some((section) => new RegExp(`${long}(?![a-z-])`).test(section)))
          missing.push(`${command.name} ${long}`);
      }
    }
  }
  assert.deepEqual(missing, []);
});

test("design 9: every error code has one row in docs/errors.md, with its exit code and its sentence", () => {
  const errors = read("docs/errors.md");
  for (const [code, { exit, says }] of Object.entries(ERROR_CODES)) {
    assert.deepEqual(rowsOf(errors, code), [`| \`${code}\` | ${exit} | ${says} |`]);
  }
  const gone = [...errors.matchAll(/^\| `(CANONRY_[A-Z_]+)` \|/gm)]
    .map((row) => row[1] ?? "")
    .filter((code) => !(code in ERROR_CODES));
  assert.deepEqual(gone, [], "rows of codes that are no more");
});

test("design 9: every diagnostic code has one row in docs/errors.md, with its sentence", () => {
  const errors = read("docs/errors.md");
  for (const [code, says] of Object.entries(DIAGNOSTIC_CODES)) {
    assert.deepEqual(rowsOf(errors, code), [`| \`${code}\` | ${says} |`]);
  }
});

test("S1.31 every limit has one row in docs/limits.md, with its value", () => {
  const limits = read("docs/limits.md");
  for (const [name, value] of Object.entries(LIMITS)) {
    const rows = rowsOf(limits, name);
    assert.equal(rows.length, 1, `${name} has ${rows.length} rows`);
    assert.equal(rows[0]?.split("|")[2]?.trim(), value.toLocaleString("en-US"), `the value of ${name}`);
  }
});

test("design 9: every key of settings.json has a row in the documents", () => {
  for (const key of Object.keys(SettingsSchema.entries))
    assert.equal(rowsOf(docs, key).length > 0, true, `${key} has no row`);
});

test("design 6: every engine of the sqljs driver has a row in the documents", () => {
  assert.ok(engines.names.includes("sqlite-wasm"));
  assert.deepEqual(
    engines.names.filter((name) => rowsOf(docs, name).length === 0),
    [],
  );
});

test("design 9: every global flag has a row in docs/cli.md", () => {
  const cli = read("docs/cli.md");
  const missing = GLOBAL_FLAGS.filter(({ flag }) => rowsOf(cli, flag).length !== 1);
  assert.deepEqual(missing, []);
});

test("design 9: every environment variable that lib/ reads is in the table of help and has a row in docs/cli.md", () => {
  const listed = ENVIRONMENT.flatMap(({ name }) => name.split(", "));
  const named = sourcesBelow("lib").flatMap(({ text }) =>
    [...text.matchAll(/"(CANONRY_[A-Z_]+)"/g)].map(([, name = ""]) => name),
  );
  const inLib = named.filter((name) => !(name in ERROR_CODES));
  assert.deepEqual(
    [...new Set(inLib)].filter((name) => !listed.includes(name)),
    [],
    "read, but not listed",
  );
  assert.ok(listed.includes("CANONRY_HOME"));
  assert.deepEqual(
    listed.filter((name) => rowsOf(read("docs/cli.md"), name).length !== 1),
    [],
    "without a row",
  );
});

test("design 9: every link between the documents leads somewhere", () => {
  const textOf = (path: string): string | undefined => {
    const file = join(ROOT, path);
    if (!existsSync(file)) return undefined;
    return statSync(file).isFile() ? readFileSync(file, "utf8") : "";
  };
  assert.deepEqual(
    documents().flatMap((one) => brokenLinks(one, textOf)),
    [],
  );
});

test("design 9: the documents that the project promises are there", () => {
  const promised = [
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "AGENTS.md",
    "CHANGELOG.md",
    "LICENSE",
  ];
  const guides = ["formats", "cli", "errors", "limits", "glossary", "write-a-driver"].map(
    (name) => `docs/${name}.md`,
  );
  assert.deepEqual(
    [...promised, ...guides].filter((path) => !existsSync(join(ROOT, path))),
    [],
  );
});

test("design 9: the README has examples that run", () => {
  const runnable = fencesOf(read("README.md")).filter((fence) => fence.mark === "run");
  assert.ok(
    runnable.some((fence) => fence.language === "sh"),
    "no ```sh run in README.md",
  );
  assert.ok(
    runnable.some((fence) => fence.language === "ts"),
    "no ```ts run in README.md",
  );
});

for (const one of documents().filter(({ text }) => fencesOf(text).some((fence) => fence.mark === "run"))) {
  test(`design 9: the examples of ${one.path} do what it says`, () => {
    assert.deepEqual(runExamples(one, temporaryFolder()), []);
  });
}
