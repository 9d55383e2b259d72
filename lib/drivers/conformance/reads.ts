import assert from "node:assert/strict";
import { NO_COUNTERS } from "../../schema/ledger-event.ts";
import type { Row } from "../../schema/row.ts";
import type { Case } from "./case.ts";
import { namesOf, putAll, sampleEvent, samplePut, sampleRow } from "./samples.ts";

const FULL: Row = sampleRow("Ünïcode näme", {
  place: "0123456789ab",
  path: "canon/ünï/näme.md",
  keys: ["ünïcode näme", "ünï"],
  description: 'Line one\nline "two"\t☃ 😀',
  fingerprint: "0123456789ab",
  origin: "pack",
  state: "quarantined",
  version: 7,
  languages: ["typescript", "tsx"],
  toolsets: ["npm"],
  requiresTools: ["bash", "git"],
  triggers: ["Flaky", 'quote " here'],
  tags: ["CI", "Größe"],
  taskType: "debug",
  personOnly: true,
  bytes: 15_360,
  createdAt: "",
  diagnostics: [
    {
      file: "a.md",
      line: 3,
      column: 1,
      code: "NAME_NOT_KEBAB",
      severity: "warning",
      message: "it's \u0001 odd",
    },
  ],
});

export const READS: readonly Case[] = [
  {
    title:
      "design 4: a row comes back as it was put, with counters, and a key that is not there is undefined",
    async run({ driver }) {
      await putAll(driver, { row: FULL });
      assert.deepEqual(await driver.get(FULL), { ...FULL, counters: NO_COUNTERS });
      assert.deepEqual(await driver.list({}, "name"), [{ ...FULL, counters: NO_COUNTERS }]);
      assert.equal(await driver.get({ place: FULL.place, path: "canon/other.md" }), undefined);
      assert.equal(await driver.get({ place: "other", path: FULL.path }), undefined);
    },
  },
  {
    title: "C6 S2.2 the limit counts rows that pass the filter, and offset goes on where it ended",
    async run({ driver }) {
      const put = Array.from({ length: 40 }, (_, at) =>
        samplePut(`s${String(at).padStart(2, "0")}`, { requiresTools: at < 35 ? ["absent"] : [] }),
      );
      await putAll(driver, ...put);
      assert.deepEqual(namesOf(await driver.list({ tools: [] }, "name", 3)), ["s35", "s36", "s37"]);
      assert.deepEqual(namesOf(await driver.list({ tools: [] }, "name", 3, 3)), ["s38", "s39"]);
      assert.deepEqual(await driver.list({ tools: [] }, "name", 0), []);
      assert.equal(await driver.count({ tools: [] }), 5);
    },
  },
  {
    title:
      "C8 the first place of the path wins a name, only active rows shadow, and shadowed ones can be asked for",
    async run({ driver }) {
      await putAll(
        driver,
        samplePut("Both", { place: "project" }),
        samplePut("both", { place: "universal" }),
        samplePut("gone", { place: "project", state: "quarantined" }),
        samplePut("gone", { place: "universal" }),
        samplePut("elsewhere", { place: "mount" }),
      );
      const path = ["project", "universal", "project"];
      const shown = (await driver.list({ path }, "name")).map((row) => `${row.name}@${row.place}`);
      assert.deepEqual(shown, ["Both@project", "gone@project", "gone@universal"]);
      assert.equal(await driver.count({ path, states: ["active"] }), 2);
      assert.equal(await driver.count({ path, shadowed: true }), 4);
      assert.equal(await driver.count({ path: ["universal", "project"], key: "both" }), 1);
      assert.equal(await driver.count({ path: [] }), 0);
    },
  },
  {
    title: "C61 two files of one name in one place are two rows, and neither shadows the other",
    async run({ driver }) {
      await putAll(driver, samplePut("twin", { path: "a.md" }), samplePut("twin", { path: "b.md" }));
      const found = await driver.list({ path: ["universal"], key: "twin" }, "name");
      assert.deepEqual(
        found.map((row) => row.path),
        ["a.md", "b.md"],
      );
    },
  },
  {
    title:
      "S1.22 C7 the seed's order is wins by uses as real division, then last use with none last, then name",
    async run({ driver }) {
      const skills = ["nine-of-ten", "none-of-ten", "unused-b", "unused-a", "late", "early"];
      await putAll(driver, ...skills.map((name) => samplePut(name)));
      const base = (skill: string, uses: number, wins: number, last_used_at: string | null) =>
        sampleEvent(`id-${skill}`, "baseline", {
          skill,
          baseline: { uses, wins, losses: 0, cost_saved_usd: 0, last_used_at, last_wave: null },
        });
      await driver.apply({
        events: [
          base("nine-of-ten", 10, 9, "2026-01-01T00:00:00.000Z"),
          base("none-of-ten", 10, 0, "2026-01-02T00:00:00.000Z"),
          base("late", 2, 1, "2026-01-09T00:00:00.000Z"),
          base("early", 4, 2, "2026-01-03T00:00:00.000Z"),
        ],
      });
      const expected = ["nine-of-ten", "late", "early", "none-of-ten", "unused-a", "unused-b"];
      assert.deepEqual(namesOf(await driver.list({}, "seed")), expected);
      assert.deepEqual(namesOf(await driver.list({}, "seed", 2)), expected.slice(0, 2));
    },
  },
  {
    title:
      "C12 evidence is wins by decided runs with two of each before any: one lucky run beats no long record, and nobody tried is above who loses",
    async run({ driver }) {
      const names = ["lucky", "ninety", "sixty-five", "loser", "unlucky", "old", "new", "read-only"];
      await putAll(
        driver,
        ...names.map((name) =>
          samplePut(name, name === "new" ? { updatedAt: "2026-05-01T00:00:00.000Z" } : {}),
        ),
      );
      const runs = (skill: string, wins: number, losses: number) =>
        Array.from({ length: wins + losses }, (_, at) =>
          sampleEvent(`id-${skill}-${at}`, at < wins ? "win" : "loss", { skill, run_id: `${skill}-${at}` }),
        );
      const read = sampleEvent("id-read", "hydrated", { skill: "read-only" });
      const trial = sampleEvent("id-trial", "win", { skill: "old", run_id: "trial", source: "ab" });
      await driver.apply({
        events: [
          ...runs("lucky", 1, 0),
          ...runs("ninety", 90, 10),
          ...runs("sixty-five", 65, 35),
          ...runs("loser", 10, 30),
          ...runs("unlucky", 0, 1),
          read,
          trial,
        ],
      });
      assert.deepEqual(namesOf(await driver.list({}, "evidence")), [
        "ninety",
        "sixty-five",
        "lucky",
        "new",
        "old",
        "read-only",
        "unlucky",
        "loser",
      ]);
      assert.deepEqual(namesOf(await driver.list({}, "evidence", 2, 2)), ["lucky", "new"]);
    },
  },
  {
    title:
      "S3.11 recent is newest first, then name; text is ordered by code point; ties end with place and path",
    async run({ driver }) {
      await putAll(
        driver,
        samplePut("b", { updatedAt: "2026-01-03T00:00:00.000Z" }),
        samplePut("a", { updatedAt: "2026-01-03T00:00:00.000Z", place: "z" }),
        samplePut("a", { updatedAt: "2026-01-03T00:00:00.000Z", place: "y", path: "2" }),
        samplePut("a", { updatedAt: "2026-01-03T00:00:00.000Z", place: "y", path: "1" }),
        samplePut("new", { updatedAt: "2026-05-01T00:00:00.000Z" }),
        samplePut("undated", { updatedAt: "" }),
        samplePut("\u{1F600}", { updatedAt: "" }),
        samplePut("\uFF5E", { updatedAt: "" }),
      );
      const found = (await driver.list({}, "recent")).map((row) =>
        [row.name, row.place, row.path].slice(0, row.name === "a" ? 3 : 1).join(" "),
      );
      assert.deepEqual(found, [
        "new",
        "a y 1",
        "a y 2",
        "a z canon/a.md",
        "b",
        "undated",
        "\uFF5E",
        "\u{1F600}",
      ]);
    },
  },
  {
    title: "design 5: digests give one entry a row and the caller's texts, of one place or of all",
    async run({ driver }) {
      await driver.apply({
        put: [
          samplePut("alpha", { digest: "1".repeat(64), stamp: "" }),
          samplePut("beta", { place: "p", state: "unreadable" }),
        ],
        state: { ledger: '{"a":1}', folder: "x" },
      });
      const { rows, state } = await driver.digests({});
      assert.deepEqual(
        [...rows].sort((a, b) => (a.path < b.path ? -1 : 1)),
        [
          {
            place: "universal",
            path: "canon/alpha.md",
            digest: "1".repeat(64),
            bytesHash: "b".repeat(64),
            stamp: "",
            state: "active",
          },
          {
            place: "p",
            path: "canon/beta.md",
            digest: "d".repeat(64),
            bytesHash: "b".repeat(64),
            stamp: "1:2:3:100",
            state: "unreadable",
          },
        ],
      );
      assert.deepEqual(state, { ledger: '{"a":1}', folder: "x" });
      assert.deepEqual(
        (await driver.digests({ place: "p" })).rows.map((row) => row.path),
        ["canon/beta.md"],
      );
      assert.deepEqual((await driver.digests({ place: "p" })).state, { ledger: '{"a":1}', folder: "x" });
    },
  },
];
