import assert from "node:assert/strict";
import type { Filter } from "../driver.ts";
import type { Case } from "./case.ts";
import { namesOf, putAll, samplePut } from "./samples.ts";

/** A filter, and the names that must be left of `MIXED`, by name. */
const FILTERS: readonly [what: string, filter: Filter, names: readonly string[]][] = [
  ["C6 nothing asked", {}, ["Plain", "bash-only", "bash-tsx", "hidden", "person", "tagged", "universal-one"]],
  ["design 4: one place", { place: "universal" }, ["universal-one"]],
  ["S1.13 states", { states: ["quarantined"] }, ["hidden"]],
  [
    "design 4: two states",
    { states: ["quarantined", "active"], place: "p" },
    ["Plain", "bash-only", "bash-tsx", "hidden", "person", "tagged"],
  ],
  ["S1.21 no tool at hand", { tools: [] }, ["Plain", "hidden", "person", "tagged", "universal-one"]],
  [
    "S1.21 one of two tools at hand",
    { tools: ["bash"] },
    ["Plain", "bash-only", "hidden", "person", "tagged", "universal-one"],
  ],
  [
    "S1.21 more tools than needed",
    { tools: ["git", "bash", "x"] },
    ["Plain", "bash-only", "bash-tsx", "hidden", "person", "tagged", "universal-one"],
  ],
  [
    "C8 a language that one row names",
    { languages: ["tsx"] },
    ["Plain", "bash-only", "bash-tsx", "hidden", "person", "universal-one"],
  ],
  [
    "C8 a language that no row names",
    { languages: ["perl"] },
    ["Plain", "bash-only", "hidden", "person", "universal-one"],
  ],
  [
    "C8 a toolset",
    { toolsets: ["pip"], place: "p" },
    ["bash-only", "bash-tsx", "hidden", "person", "tagged"],
  ],
  [
    "C41 what only a person may call up is left out for agents",
    { forAgents: true, place: "p" },
    ["Plain", "bash-only", "bash-tsx", "hidden", "tagged"],
  ],
  ["C25 any tag, whole, whatever the case", { tags: ["CI", "nothing"] }, ["tagged"]],
  ["C25 a tag in other letters' case", { tags: ["GRÖSSE", "größe"] }, ["tagged"]],
  ["C25 a part of a tag", { tags: ["c"] }, []],
  ["S3.11 origin", { origin: "pack" }, ["Plain"]],
  ["S3.11 task type", { taskType: "debug" }, ["person"]],
  ["design 4: a lookup key", { key: "plain-alias" }, ["Plain"]],
  ["design 4: a lookup key that nobody has", { key: "plain-" }, []],
];

const MIXED = [
  samplePut("Plain", { place: "p", keys: ["plain", "plain-alias"], origin: "pack", toolsets: ["npm"] }),
  samplePut("bash-only", { place: "p", requiresTools: ["bash"], languages: [] }),
  samplePut("bash-tsx", { place: "p", requiresTools: ["bash", "git"], languages: ["typescript", "tsx"] }),
  samplePut("hidden", { place: "p", state: "quarantined" }),
  samplePut("person", { place: "p", personOnly: true, taskType: "debug" }),
  samplePut("tagged", { place: "p", tags: ["ci", "Größe"], languages: ["ruby"], toolsets: [] }),
  samplePut("universal-one"),
];

const NAMES: readonly Case[] = [
  {
    title: "design 4: names are those of the rows that pass the filter, each once",
    async run({ driver }) {
      await putAll(
        driver,
        samplePut("Ünïcode näme"),
        samplePut("twin", { place: "first" }),
        samplePut("twin", { place: "second" }),
        samplePut('odd "name" \\ 部署', { state: "archived" }),
      );
      const names = ["Ünïcode näme", 'odd "name" \\ 部署', "twin"];
      const all = await driver.names({});
      assert.deepEqual(all.sort(), names.sort());
      all.length = 0;
      assert.equal((await driver.names({})).length, 3, "what was given is the caller's");
      assert.deepEqual(await driver.names({ path: ["first", "second"], states: ["active"] }), ["twin"]);
      assert.deepEqual(await driver.names({ place: "nowhere" }), []);
      assert.equal((await driver.names({})).length, 3);
      await putAll(driver, samplePut("late"));
      assert.deepEqual((await driver.names({})).sort(), [...names, "late"].sort());
    },
  },
];

const LISTED: readonly Case[] = FILTERS.map(
  ([what, filter, names]): Case => ({
    title: `${what}: the filter leaves ${names.length} of 7 rows`,
    async run({ driver }) {
      await putAll(driver, ...MIXED);
      assert.deepEqual(namesOf(await driver.list(filter, "name")), names);
      assert.equal(await driver.count(filter), names.length);
    },
  }),
);

export const FILTERINGS: readonly Case[] = [...LISTED, ...NAMES];
