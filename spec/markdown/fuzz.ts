import assert from "node:assert/strict";
import fc from "fast-check";
import { isDisplayName, isSkillName, nameKey, slugOf } from "../../lib/core/names.ts";
import { indexTerms, queryTerms } from "../../lib/core/terms.ts";
import { clip, cutBytes, oneLine, summaryOf } from "../../lib/core/text.ts";
import { decodeText } from "../../lib/markdown/decode.ts";
import { outlineOf } from "../../lib/markdown/outline.ts";
import { FORMATS } from "../../lib/markdown/registry.ts";
import { CANON_SECTIONS, missingSections } from "../../lib/markdown/sections.ts";
import { bytes, type Fuzz, fileNoise, fuzz, noise } from "../support/fuzz.ts";

const FORMAT_LIST = [FORMATS.canon, FORMATS.portable, FORMATS.candidate, FORMATS.reference];

function parsesAll(text: string): void {
  for (const format of FORMAT_LIST) {
    const { record, diagnostics } = format.parse(text, { file: "h/SKILL.md" });
    const refused = diagnostics.some((one) => one.severity === "error");
    assert.equal(record === undefined, refused, format.name);
    const lines = text.split(/\r\n?|\n/);
    for (const { line, column, message } of diagnostics) {
      assert.ok(line >= 1 && line <= lines.length, `${format.name} line ${line} of ${lines.length}`);
      assert.ok(
        column >= 1 && column <= (lines[line - 1]?.length ?? 0) + 1,
        `${format.name} column ${column}`,
      );
      assert.doesNotMatch(message, /[\r\n]/);
    }
  }
  assert.equal(Reflect.ownKeys(Object.prototype).length, 12);
}

const homoglyphs = fc.stringMatching(/^[a-zа-яα-ωᴀ-ᴢａ-ｚ0-9-]{1,20}$/u);
const names = fc.oneof(
  noise,
  homoglyphs,
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.string({ unit: "binary", maxLength: 80 }),
);

export const MARKDOWN_FUZZ: readonly Fuzz[] = [
  fuzz("bytes to text to records", bytes, (one) => {
    const { text, diagnostics } = decodeText(one, "h.md");
    assert.equal(text === undefined, diagnostics.length > 0);
    if (text !== undefined) {
      assert.ok(Buffer.from(text).equals(Buffer.from(one)), "decoding loses nothing");
      parsesAll(text);
    }
  }),
  fuzz("text to records", fileNoise, parsesAll),
  fuzz("a record is written back as it was", fileNoise, (text) => {
    for (const format of [FORMATS.canon, FORMATS.portable]) {
      const { record } = format.parse(text, { file: "h/SKILL.md" });
      if (record !== undefined) assert.equal(format.serialise(record, text), text);
    }
  }),
  fuzz(
    "outlines",
    fc.tuple(noise, noise).map((two) => two.join("\n")),
    async (text) => {
      const outline = await outlineOf(text, 0);
      missingSections(outline, CANON_SECTIONS);
      for (const { start, end, sectionEnd } of outline.headings)
        assert.ok(start >= 0 && start <= end && end <= sectionEnd && sectionEnd <= text.length);
    },
    0.02,
  ),
  fuzz("names", names, (text) => {
    const slug = slugOf(text);
    assert.ok(slug === undefined || isSkillName(slug), String(slug));
    assert.equal(nameKey(nameKey(text)), nameKey(text));
    if (isDisplayName(text)) assert.doesNotMatch(text, /[\p{Cc}/\\`\u202A-\u202E\u2066-\u2069]/u);
    if (isSkillName(text)) assert.match(text, /^[a-z0-9-]{1,64}$/);
  }),
  fuzz("terms and lines", fc.oneof(noise, fc.string({ unit: "binary", maxLength: 200 })), (text) => {
    assert.ok(queryTerms(text).length <= 32);
    assert.doesNotMatch(indexTerms(text), /["*^()\0]/);
    assert.doesNotMatch(oneLine(text), /[\p{Cc}\u2028]/u);
    assert.ok(clip(text, 20).length <= 20 && summaryOf(text).length <= 120);
    assert.ok(Buffer.byteLength(cutBytes(text, 10)) <= 10);
  }),
];
