import { test } from "node:test";
import fc from "fast-check";
import candidate from "../../lib/markdown/candidate.ts";
import canon from "../../lib/markdown/canon.ts";
import {
  assertEdit,
  assertReads,
  assertRoundTrip,
  assertUnchanged,
  runFormatConformance,
} from "../../lib/markdown/conformance.ts";
import type { Format } from "../../lib/markdown/format.ts";
import portable from "../../lib/markdown/portable.ts";
import reference from "../../lib/markdown/reference.ts";
import type { SkillRecord } from "../../lib/schema/skill.ts";
import { anyBody, anyCandidate, anyFile, anySkill, anyText } from "./arbitraries.ts";

const seed = { seed: 20261130 };
const [skills, candidates, files, bodies] = [
  fc.sample(anySkill, { ...seed, numRuns: 40 }),
  fc.sample(anyCandidate, { ...seed, numRuns: 40 }),
  fc.sample(anyFile, { ...seed, numRuns: 200 }),
  fc.sample(anyBody, { ...seed, numRuns: 40 }),
];
const skillFiles = [
  ...files,
  ...skills.map((one) => canon.serialise(one)),
  ...skills.map((one) => portable.serialise(one)),
];
const toSkills = skills.map((to) => (from: SkillRecord) => ({ ...to, name: from.name })).slice(0, 6);

/** What the portable form does not carry (design 8). */
function carried(record: SkillRecord): unknown {
  const { telemetry: _telemetry, lastUsedAt: _used, source, ...rest } = record;
  return { ...rest, source: { ...source, patchedAt: null } };
}

runFormatConformance(canon, {
  texts: skillFiles,
  records: skills,
  changes: toSkills,
  refused: [{ ...skills[0], name: "Not Kebab" } as SkillRecord],
});
runFormatConformance(portable, { texts: skillFiles, records: skills, changes: toSkills, kept: carried });
runFormatConformance(candidate, {
  texts: [...files, ...candidates.map((one) => candidate.serialise(one))],
  records: candidates,
  changes: candidates.slice(0, 6).map((to) => () => to),
});
runFormatConformance(reference, {
  texts: files,
  records: bodies.map((body) => reference.parse(body, { file: "r.md" }).record ?? { body: "" }),
});

test("design 4: any text at all keeps the laws of reading in every format", () => {
  const any = fc.oneof(anyFile, anyText, fc.string({ unit: "binary", maxLength: 200 }));
  fc.assert(
    fc.property(any, (text) => {
      for (const read of [canon, portable, candidate, reference]) {
        const format: Format<object> = {
          ...read,
          serialise: (record, previous) => read.serialise(record as never, previous),
        };
        assertReads(format, text);
        assertUnchanged(format, text);
      }
    }),
    { numRuns: 1_500 },
  );
});

test("design 4: a record of every shape is read back from what was written, in canon and portable form", () => {
  fc.assert(
    fc.property(anySkill, (record) => {
      assertRoundTrip(canon, record);
      assertRoundTrip(portable, record, carried);
    }),
    { numRuns: 300 },
  );
});

test("design 4: any record can be written over any file, and the file then says that record", () => {
  fc.assert(
    fc.property(anyFile, anySkill, (text, record) => {
      assertEdit(portable, text, (from) => ({ ...record, name: from.name }), carried);
      assertEdit(canon, text, (from) => ({ ...record, name: from.name }));
    }),
    { numRuns: 500 },
  );
});

test("design 8: canon to portable and back loses only telemetry, last use and patch time", () => {
  fc.assert(
    fc.property(anySkill, (record) => {
      const there = portable.parse(portable.serialise(record), { file: "x/SKILL.md" }).record;
      if (there === undefined) throw new Error("the portable text gives no record");
      const back = canon.parse(canon.serialise(there), { file: "x.md" }).record;
      if (back === undefined) throw new Error("the canon text gives no record");
      assertSame(carried(back), carried(record));
    }),
    { numRuns: 300 },
  );
});

function assertSame(actual: unknown, expected: unknown): void {
  const [a, b] = [JSON.stringify(sorted(actual)), JSON.stringify(sorted(expected))];
  if (a !== b) throw new Error(`${a}\nis not\n${b}`);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value) || typeof value !== "object" || value === null) return value;
  return Object.entries(value)
    .map(([key, inner]) => [key, sorted(inner)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
