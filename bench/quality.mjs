// npm run bench:quality: how often the right skill is found, beside plain FTS5 and MiniSearch, on labelled queries.
// --pools=300,1000,10500 --half=reported (the ranking was tuned on the other half) --peers=fts5,minisearch
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./corpus.mjs";
import { openOurs, poolOf, readLabels, SETS, SLICES } from "./labels.mjs";
import { interval, MEASURES, mean, measure } from "./measures.mjs";
import { openFts5, openMiniSearch } from "./peers.mjs";
import { finish, median, numbers, table, verdict } from "./report.mjs";

const PEERS = { fts5: openFts5, minisearch: openMiniSearch };
const text = (flag, fallback) =>
  process.argv.find((arg) => arg.startsWith(`--${flag}=`))?.slice(flag.length + 3) ?? fallback;

async function askAll(system, queries) {
  const times = [];
  const answers = [];
  for (const query of queries) {
    const begun = performance.now();
    const ids = await system.ask(query.text);
    times.push(performance.now() - begun);
    answers.push(measure(ids, query.gold));
  }
  return { answers, ms: median(times) };
}

/** The answers of every system to the queries of one pool. */
async function runPool(pool, skills, queries, negatives, peers) {
  const found = {};
  const systems = [["canonry", openOurs], ...peers.map((name) => [name, PEERS[name]])];
  for (const [name, open] of systems) {
    const system = await open(pool, skills);
    found[name] = await askAll(system, queries);
    const asked = negatives.filter((one) => pool.has(one.not));
    let wrong = 0;
    for (const one of asked) if ((await system.ask(one.text))[0] === one.not) wrong++;
    found[name].negatives = `${wrong} of ${asked.length}`;
    await system.close();
  }
  return found;
}

function report(size, queries, found) {
  const rows = [];
  const gains = {};
  const own = {};
  for (const [slice, holds] of Object.entries(SLICES)) {
    const at = queries.flatMap((query, index) => (holds(query) ? [index] : []));
    if (at.length === 0) continue;
    for (const [name, { answers }] of Object.entries(found)) {
      const figures = MEASURES.map((one) => 100 * mean(at.map((index) => answers[index][one])));
      let gain = "";
      if (name === "canonry") own[slice] = figures[MEASURES.indexOf("nDCG@10")];
      else {
        const differences = at.map(
          (index) => found.canonry.answers[index]["nDCG@10"] - answers[index]["nDCG@10"],
        );
        const [low, high] = interval(
          differences,
          at.map((index) => queries[index].gold[0]),
        );
        const by = 100 * mean(differences);
        gain = `${by >= 0 ? "+" : ""}${by.toFixed(1)} [${low.toFixed(1)}, ${high.toFixed(1)}]`;
        gains[`${slice} over ${name}`] = { by, low, high };
      }
      rows.push([slice, at.length, name, ...figures.map((figure) => figure.toFixed(1)), gain]);
    }
  }
  console.log(`\nPool of ${size.toLocaleString("en-US")}`);
  console.log(
    table([["set", "queries", "system", ...MEASURES, "canonry's gain in nDCG@10 [95 %]"], ...rows]),
  );
  for (const [name, { ms, negatives }] of Object.entries(found))
    console.log(`${name}: ${ms.toFixed(1)} ms in the middle; first where it must not be: ${negatives}`);
  return { rows, gains, own };
}

function verdictsOf(size, { gains, own }) {
  const atLeast = (what, value, least) => ({
    what,
    value,
    limit: least,
    unit: "points",
    least: true,
    passed: value >= least,
  });
  const wanted = [];
  for (const [what, { by, low, high }] of Object.entries(gains)) {
    if (size > 10_000 && what === "evals over fts5")
      wanted.push(atLeast(what, by, 6), atLeast(`${what}, low end`, low, 0));
    if (size > 10_000 && what === "salesforce over fts5")
      wanted.push(atLeast(what, by, 2), atLeast(`${what}, low end`, low, 0));
    wanted.push(atLeast(`${what}, pool of ${size}: not below by more than the interval`, high, 0));
  }
  const behind = own["evals, Latin"] - own["evals, CJK, same script"];
  const what = `CJK prompts in the script of the skill behind Latin ones, pool of ${size}`;
  if (!Number.isNaN(behind)) wanted.push(verdict(what, behind, 8, "points"));
  return wanted;
}

async function main() {
  const peers = text("peers", "fts5,minisearch").split(",");
  const missing = ["better-sqlite3", "minisearch"].filter(
    (name) => !existsSync(join(ROOT, "bench", "node_modules", name)),
  );
  if (missing.length > 0) {
    console.error(`Peers are missing: ${missing.join(", ")}. Run \`npm run bench:setup\`.`);
    return 1;
  }
  const half = text("half", "reported");
  const { queries, negatives, skills } = await readLabels();
  const asked = queries.filter((query) => query.half === half);
  const figures = {};
  const verdicts = [];
  for (const size of numbers("pools", [300, 1_000, 10_500])) {
    const sets = size >= skills.size ? [SETS] : SETS.map((set) => [set]);
    const merged = { asked: [], found: {} };
    for (const names of sets) {
      const pool = poolOf(skills, queries, names[0], size);
      const own = asked.filter((query) => names.includes(query.set) && pool.has(query.gold[0]));
      const found = await runPool(pool, skills, own, names.includes("evals") ? negatives : [], peers);
      merged.asked.push(...own);
      for (const [name, one] of Object.entries(found)) {
        merged.found[name] ??= { answers: [], ms: 0, negatives: one.negatives };
        merged.found[name].answers.push(...one.answers);
        merged.found[name].ms = Math.max(merged.found[name].ms, one.ms);
      }
    }
    const reported = report(size, merged.asked, merged.found);
    figures[size] = reported;
    verdicts.push(...verdictsOf(size, reported));
  }
  return finish("quality", verdicts, { half, ...figures });
}

process.exitCode = await main();
