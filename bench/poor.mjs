// npm run bench:poor: how often a good answer is called poor, and a poor one is not. --pools=40,300,1000,10500 --half=tuned,reported
// Good: a labelled query whose skill comes first. Poor: the same queries asked of a library without any labelled skill
// and without the library that a set is made from; and prompts that must not bring up a skill, where it comes first.
import { built, openOurs, poolOf, readLabels, SETS } from "./labels.mjs";
import { finish, numbers, table } from "./report.mjs";

const halves = process.argv.find((arg) => arg.startsWith("--half="))?.slice(7) ?? "tuned,reported";
/** Skills about what `salesforce` asks for stand outside of its library too. */
const NEAR_A_LABEL = /salesforce/i;
const share = (list, holds) => (list.length === 0 ? Number.NaN : list.filter(holds).length / list.length);
const percent = (part) => (Number.isNaN(part) ? "–" : (100 * part).toFixed(1));

/** The first hit of each query, and what speaks for it. */
async function strengths(pool, skills, queries, strengthOf) {
  const system = await openOurs(pool, skills);
  const found = [];
  for (const query of queries) {
    const hits = await system.hits(query.text);
    if (hits.length > 0) found.push({ query, first: hits[0].row.path, strength: strengthOf(hits) });
  }
  await system.close();
  return found;
}

async function runPool(size, { queries, negatives, skills }, strengthOf) {
  const labelled = new Set(queries.flatMap((query) => query.gold));
  const others = [...skills.keys()].filter((id) => !labelled.has(id) && !NEAR_A_LABEL.test(id));
  const without = await strengths(new Set(others.slice(0, size)), skills, queries, strengthOf);
  const rows = [];
  for (const set of SETS) {
    const pool = poolOf(skills, queries, set, size);
    const own = queries.filter((query) => query.set === set && pool.has(query.gold[0]));
    const good = (await strengths(pool, skills, own, strengthOf)).filter(({ query, first }) =>
      query.gold.includes(first),
    );
    for (const half of halves.split(",")) {
      const inHalf = (list) => list.filter(({ query }) => query.set === set && query.half === half);
      rows.push({ size, set, half, good: inHalf(good), poor: inHalf(without) });
    }
    if (set !== "evals") continue;
    const asked = negatives.filter((one) => pool.has(one.not));
    const wrong = (await strengths(pool, skills, asked, strengthOf)).filter(
      ({ query, first }) => first === query.not,
    );
    rows.push({ size, set: "negatives", half: "both", good: [], poor: wrong });
  }
  return rows;
}

/** The strength below which a share of the good answers lies, each pool of `evals` counted alike. */
function thresholdFor(rows, lost) {
  const all = rows
    .filter(({ set, half }) => set === "evals" && half === "tuned")
    .flatMap(({ good }) => good.map(({ strength }) => ({ strength, part: 1 / good.length })))
    .sort((a, b) => a.strength - b.strength);
  const whole = all.reduce((sum, { part }) => sum + part, 0);
  let sum = 0;
  for (const { strength, part } of all) {
    sum += part;
    if (sum > lost * whole) return strength;
  }
  return Number.NaN;
}

const { LEAST, strengthOf } = await import(built("retrieval", "poor.js"));
const labels = await readLabels();
const rows = [];
for (const size of numbers("pools", [40, 300, 1_000, 10_500]))
  rows.push(...(await runPool(size, labels, strengthOf)));
const shown = rows.map(({ size, set, half, good, poor }) => [
  size,
  set,
  half,
  good.length,
  percent(share(good, ({ strength }) => strength < LEAST)),
  poor.length,
  percent(share(poor, ({ strength }) => strength >= LEAST)),
]);
console.log(
  table([["pool", "set", "half", "good", "called poor, %", "poor", "not called poor, %"], ...shown]),
);
for (const lost of [0.05, 0.08, 0.1])
  console.log(
    `${100 * lost} % of the good ones of evals, tuned, lie below ${thresholdFor(rows, lost).toFixed(3)}`,
  );
const kept = rows
  .filter(({ set, half }) => set === "evals" && half === "reported")
  .map(({ size, good }) => ({
    what: `good answers kept, evals, pool of ${size}`,
    value: 100 * share(good, ({ strength }) => strength >= LEAST),
    limit: 90,
    unit: "points",
    least: true,
  }))
  .map((one) => ({ ...one, passed: one.value >= one.limit }));
process.exitCode = finish("poor", kept, shown);
