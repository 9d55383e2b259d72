import fc from "fast-check";
import type { Candidate } from "../../lib/schema/candidate.ts";
import type { SkillRecord } from "../../lib/schema/skill.ts";

/** Any text but NUL: all of Unicode, line breaks of every kind, what YAML takes for something else. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: "binary", maxLength: 30 }).map((text) => text.replaceAll("\0", "")),
  fc.string({ unit: "grapheme", maxLength: 20 }),
  fc.constantFrom(
    "yes",
    "no",
    "null",
    "~",
    "12:30",
    "2024-01-15",
    "0x1F",
    "1e3",
    "- a",
    "# x",
    "a: b",
    "[x",
    "{",
    "'",
    '"',
    "\\",
    "*a",
    "&a",
    "!t",
    "<<",
    "---",
    "a\r\nb",
    "\u2028",
    "\u0085x",
    "\uFEFF",
    "\u202E",
    "\uFFFE",
    "部署 🚀",
    "[a, b]",
    '["x"]',
    " lead",
    "trail ",
  ),
);

/** A record of plain objects, as parsing makes them. */
function whole<T>(fields: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<T> {
  return fc.record(fields, { noNullPrototype: true });
}

const texts = fc.array(anyText, { maxLength: 4 });
const time = fc
  .date({ min: new Date(0), max: new Date("2099-01-01"), noInvalidDate: true })
  .map((date) => date.toISOString());
const count = fc.nat();
const word = fc
  .stringMatching(/^[a-z0-9]{1,8}$/)
  .filter((text) => !/^(?:con|prn|aux|nul|com\d|lpt\d)$/.test(text));

/** Bodies that do not begin with a block of their own, which no writer of ours makes. */
export const anyBody: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(anyText, fc.constantFrom("\n", "\r\n", "# Title", "\n---\nname: fake\n---\n", "```\n# x\n```")),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(""))
  .filter((body) => !/^\s*---/.test(body));

/** A record that every skill format must be willing to write. */
export const anySkill: fc.Arbitrary<SkillRecord> = fc.record(
  {
    name: fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join("-")),
    description: anyText.filter((text) => text.trim() !== ""),
    version: fc.integer({ min: 1 }),
    appliesTo: whole({
      fingerprint: fc.oneof(fc.constant("*"), fc.stringMatching(/^[0-9a-f]{12}$/)),
      languages: texts,
      toolsets: texts,
    }),
    requiresTools: texts,
    triggers: fc.array(anyText, { minLength: 3, maxLength: 10 }),
    references: texts,
    createdAt: fc.option(time),
    lastUsedAt: fc.option(time),
    telemetry: whole({
      uses: count,
      wins: count,
      losses: count,
      costSavedUsd: fc
        .double({ noNaN: true, noDefaultInfinity: true })
        .map((value) => (value === 0 ? 0 : value)),
      lastWave: fc.option(fc.integer()),
    }),
    source: whole({
      candidateIds: texts,
      promotedBy: anyText,
      promotedAt: fc.option(time),
      patchedAt: fc.option(time),
    }),
    quarantined: fc.boolean(),
    title: anyText,
    summary: anyText,
    taskType: anyText,
    tags: texts,
    requiredNamespaces: texts,
    requiredTags: texts,
    scope: fc.constantFrom("session" as const, "project" as const, "tenant" as const, "global" as const),
    origin: fc.constantFrom("pack" as const, "generated" as const, "user" as const),
    originRef: anyText,
    owner: anyText,
    aliases: texts,
    updatedAt: time,
    note: anyText,
    disableModelInvocation: fc.boolean(),
    license: anyText,
    compatibility: anyText,
    allowedTools: anyText,
    recipe: whole({ language: anyText, testedWith: anyText }),
    metadata: fc.dictionary(
      anyText.filter((key) => !key.startsWith("canonry.")),
      anyText,
      { minKeys: 1, maxKeys: 4, noNullPrototype: true },
    ),
    body: anyBody,
  },
  {
    requiredKeys: [
      "name",
      "description",
      "version",
      "appliesTo",
      "requiresTools",
      "triggers",
      "references",
      "createdAt",
      "lastUsedAt",
      "telemetry",
      "source",
      "quarantined",
      "body",
    ],
    noNullPrototype: true,
  },
);

export const anyCandidate: fc.Arbitrary<Candidate> = fc.record(
  {
    kind: fc.constantFrom("skill" as const, "tool-recipe" as const, "heuristic" as const),
    proposedBy: fc.stringMatching(/^[A-Za-z0-9_.-]{1,20}$/),
    wave: count,
    runId: anyText,
    trigger: anyText.map((text) =>
      text
        .replace(/[\r\n]/g, " ")
        .slice(0, 120)
        .toWellFormed(),
    ),
    status: anyText.filter((text) => text.length > 0),
    createdAt: time,
    body: anyBody,
  },
  { noNullPrototype: true },
);

/** Texts put together from what real files hold, in and out of order. */
export const anyFile: fc.Arbitrary<string> = fc
  .record({
    bom: fc.constantFrom("", "", "", "\uFEFF"),
    open: fc.constantFrom("---", "---", "---", "---", "--- ", "---yaml", "---js", "", "----"),
    first: fc.constantFrom(["description: does it"], ["name: case", "description: does it"], ["# note"], []),
    lines: fc.array(
      fc.oneof(
        {
          weight: 6,
          arbitrary: fc.constantFrom(
            "name: case",
            "description: does it",
            "description: Use when: red",
            "name: Odd Name",
            "tags: [a, b]",
            "tags:",
            "  - a",
            "- b",
            "metadata:",
            "  author: me",
            '  canonry.version: "2"',
            "version: 3",
            "triggers: [a, b, c]",
            "license: MIT # note",
            "# comment",
            "",
            "  more words",
            "\tx: y",
            "description: >",
            'description: "open',
            'closed"',
            "x: {a: 1, b: [c]}",
            "kind: skill",
            "wave: 1",
            "status: new",
            "when_to_use: now",
          ),
        },
        { weight: 1, arbitrary: anyText },
        { weight: 1, arbitrary: fc.tuple(anyText, anyText).map(([key, value]) => `${key}: ${value}`) },
      ),
      { maxLength: 14 },
    ),
    close: fc.constantFrom("---", "---", "---", "...", "---  ", ""),
    body: anyBody,
    eol: fc.constantFrom("\n", "\n", "\r\n", "\r"),
  })
  .map(
    ({ bom, open, first, lines, close, body, eol }) =>
      bom + [open, ...first, ...lines, close, body].join(eol),
  );
