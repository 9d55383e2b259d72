import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { decodeText } from "../../lib/markdown/decode.ts";
import type { Format } from "../../lib/markdown/format.ts";
import { formatRegistry } from "../../lib/markdown/registry.ts";
import { ROOT } from "../support/root.ts";

const FOLDER = join(ROOT, "fixtures", "formats");
const formats = formatRegistry();

/**
 * One folder a case: input.md, then record.json (what is read; absent if nothing is), problems.json (what is said;
 * absent if nothing is), and for an edit edit.json (fields that change; null takes one out) with output.md.
 */
for (const name of formats.names) {
  for (const story of readdirSync(join(FOLDER, name)).sort()) {
    test(`design 4: the ${name} file of the case ${story} is read, and written back, as its folder says`, () => {
      runCase(formats.get(name) as Format<object>, join(FOLDER, name, story), `${story}/SKILL.md`);
    });
  }
}

function runCase(format: Format<object>, folder: string, file: string): void {
  const { text, diagnostics: faults } = decodeText(readFileSync(join(folder, "input.md")), file);
  const { record, diagnostics } =
    text === undefined ? { record: undefined, diagnostics: faults } : format.parse(text, { file });
  const problems = diagnostics.map(({ code, severity, line, column }) => ({ code, severity, line, column }));
  assert.deepEqual(problems, json(folder, "problems.json") ?? []);
  assert.deepEqual(record, json(folder, "record.json"));
  if (record === undefined || text === undefined) return;
  const edit = json(folder, "edit.json");
  assert.equal(
    format.serialise(edit === undefined ? record : changed(record, edit), text),
    output(folder, text),
  );
}

function changed(record: object, edit: object): object {
  const gone = new Set(Object.entries(edit).flatMap(([key, value]) => (value === null ? [key] : [])));
  return Object.fromEntries(Object.entries({ ...record, ...edit }).filter(([key]) => !gone.has(key)));
}

function output(folder: string, text: string): string {
  const path = join(folder, "output.md");
  return existsSync(path) ? readFileSync(path, "utf8") : text;
}

function json(folder: string, name: string): object | undefined {
  const path = join(folder, name);
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined;
}
