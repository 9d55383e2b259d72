import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { anchorsOf, brokenLinks, fencesOf } from "../support/documents.ts";
import { fits, runExamples } from "../support/examples.ts";
import { temporaryFolder } from "../support/home.ts";
import { ROOT } from "../support/root.ts";

const files: Readonly<Record<string, string>> = {
  "docs/a.md": "# A page\n\n## Two  words, `code`\n",
  "docs/decisions": "",
};
const links = (text: string): string[] => brokenLinks({ path: "README.md", text }, (path) => files[path]);

test("design 9: a link to a missing file or heading is found, one to a site or inside code is not looked at", () => {
  assert.deepEqual(
    links(
      "[a](docs/a.md) [b](docs/decisions) [c](https://example.org/x.md) [d](mailto:a@b.c) ![e](docs/a.md)",
    ),
    [],
  );
  assert.deepEqual(links("`[a](docs/no.md)`\n\n```md\n[a](docs/no.md)\n```\n"), []);
  assert.deepEqual(links("[a](docs/no.md) and [b][x]\n\n[x]: docs/none.md"), [
    "README.md: docs/no.md",
    "README.md: docs/none.md",
  ]);
  assert.deepEqual(links("[a](docs/a.md#a-page) [b](docs/a.md#two--words-code)"), []);
  assert.deepEqual(links("# Here\n[a](docs/a.md#nowhere) [b](#here) [c](#there)"), [
    "README.md: docs/a.md#nowhere",
    "README.md: #there",
  ]);
  assert.deepEqual([...anchorsOf("# One\n## One\n```\n# no\n```\n")], ["one", "one-1"]);
});

test("design 9: fences are read with language, mark and line", () => {
  const text = "a\n```sh run\necho 1\n```\n````md\n```ts run\n```\n````\n";
  assert.deepEqual(fencesOf(text), [
    { language: "sh", mark: "run", line: 2, text: "echo 1\n" },
    { language: "md", mark: "", line: 5, text: "```ts run\n```\n" },
  ]);
});

test("design 9: an expected output fits whole, an ellipsis stands for what varies", () => {
  assert.ok(fits("a\nb 12 c\n", "a\nb … c\n"));
  assert.ok(fits("a\nb\nc\nd\n", "a\n…\nd\n"));
  assert.ok(fits("a\nd\n", "a\n…\nd\n"));
  assert.ok(!fits("a\nb\n", "a\n"));
  assert.ok(!fits("a+b\n", "aab\n"));
});

test("design 9: an example that fails, and one that prints something else, are found", () => {
  const run = (text: string): string[] =>
    runExamples({ path: "README.md", text }, temporaryFolder()).map((one) => one.split("\n")[0] ?? "");
  assert.deepEqual(
    run(
      "```sh run\necho a\n```\n```text output\na\n```\n```ts run\nconst n: number = 1;\nif (n !== 1) throw new Error();\n```\n",
    ),
    [],
  );
  assert.deepEqual(run("```sh run\nfalse\n```\n```sh\nexit 3\n```\n"), ["README.md:1 left with 1"]);
  assert.deepEqual(run("```sh run\necho a\n```\n```text output\nb\n```\n"), ["README.md:1 printed"]);
  assert.deepEqual(run(`\`\`\`ts run\nthrow new Error("no");\n\`\`\`\n`), ["README.md:1 left with 1"]);
});

test("design 9: what an example writes stays out of the project, and its home is empty", () => {
  const folder = temporaryFolder();
  const text =
    '```sh run\ntest -z "$(ls -A "$HOME")"\ntest -f bin/canonry.mjs\necho x >written-by-an-example\ncommand -v canonry\n```\n';
  assert.deepEqual(runExamples({ path: "README.md", text }, folder), []);
  assert.ok(existsSync(join(folder, "written-by-an-example")));
  assert.ok(!existsSync(join(ROOT, "written-by-an-example")));
});
