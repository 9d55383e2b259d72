import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { decodeText } from "../../lib/markdown/decode.ts";
import { FORMATS } from "../../lib/markdown/registry.ts";
import { ROOT } from "../support/root.ts";
import { anyFile, anySkill } from "./arbitraries.ts";

const FORMAT_LIST = [FORMATS.canon, FORMATS.portable, FORMATS.candidate, FORMATS.reference];

/** Two hundred files: what the fixtures hold, then generated ones, every third put together from odd lines. */
export function skillsToCut(count: number): Buffer[] {
  const folder = join(ROOT, "fixtures");
  const fixtures = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".md"))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name)))
    .filter((bytes) => bytes.length <= 8_000);
  const missing = Math.max(0, count - fixtures.length);
  const written = fc
    .sample(anySkill, { numRuns: missing, seed: 1 })
    .map((record, at) => (at % 2 === 0 ? FORMATS.canon : FORMATS.portable).serialise(record));
  const odd = fc.sample(anyFile, { numRuns: missing, seed: 2 });
  const made = written.map((text, at) => Buffer.from(at % 3 === 2 ? (odd[at] ?? text) : text));
  return [...fixtures, ...made].slice(0, count);
}

/** Reads every `step`th prefix in every format; how many were read, and what was thrown. */
export function readPrefixes(bytes: Buffer, step: number): { read: number; thrown: string[] } {
  const thrown: string[] = [];
  let read = 0;
  for (let end = 0; end <= bytes.length; end += step) {
    try {
      const { text } = decodeText(bytes.subarray(0, end), "cut/SKILL.md");
      const cut = text ?? bytes.subarray(0, end).toString("utf8");
      for (const format of FORMAT_LIST) {
        const { record, diagnostics } = format.parse(cut, { file: "cut/SKILL.md" });
        const refused = diagnostics.some((one) => one.severity === "error");
        if ((record === undefined) !== refused)
          thrown.push(`${format.name}: cut at byte ${end}: both or neither`);
      }
      read++;
    } catch (error) {
      thrown.push(`cut at byte ${end}: ${String(error)}`);
    }
  }
  return { read, thrown };
}
