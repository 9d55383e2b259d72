// npm run bench:stub: how often the skill that a task is about stands in the 2,048-token stub for it, beside the stub
// without a task. --pools=300,1000,10500 --half=reported (choices were made on the other half) --misses
import { built, openOurs, poolOf, readLabels, SETS, SLICES } from "./labels.mjs";
import { mean } from "./measures.mjs";
import { finish, median, numbers, table } from "./report.mjs";

const [{ buildStub }, { readableName }, { groupAlike }, { oneLine }] = await Promise.all(
  [
    ["retrieval", "stub.js"],
    ["retrieval", "resolve.js"],
    ["retrieval", "alike.js"],
    ["core", "text.js"],
  ].map((path) => import(built(...path))),
);

const WANTED = { 300: 95, 1000: 92, 10500: 85 };
const half = process.argv.find((arg) => arg.startsWith("--half="))?.slice(7) ?? "reported";

/** What the stub is asked of: the index of the bench as the only place, with nothing on disk to catch up with. */
function viewOf({ driver, context, reader }) {
  const place = { id: "bench", kind: "mount", dir: "/bench", fingerprint: "*" };
  return {
    vault: { settings: {}, readingPath: () => [place] },
    catalog: { driver, fresh: async () => {} },
    context,
    reader,
    fingerprint: "*",
  };
}

/** The rows of a stub's lines. */
function createReader(byName) {
  return (text) =>
    Array.from(text.matchAll(/^- `(.+?)` — /gm), ([line, name]) => {
      const row = byName.get(name);
      if (row === undefined) throw new Error(`No skill of the pool is called as in: ${line}`);
      return row;
    });
}

async function runPool(pool, skills, queries) {
  const ours = await openOurs(pool, skills);
  const view = viewOf(ours);
  const rows = await ours.driver.list({}, "name");
  const byName = new Map();
  for (const row of rows) byName.set(oneLine(await readableName(view, row)), row);
  const byId = new Map(rows.map((row) => [row.path, row]));
  const read = createReader(byName);
  const seed = new Set(read((await buildStub(view)).text).map((row) => row.path));
  const answers = [];
  for (const { text, gold } of queries) {
    const begun = performance.now();
    const stub = await buildStub(view, { task: text });
    const ms = performance.now() - begun;
    if (stub.tokens > 2_048) throw new Error(`A stub of ${stub.tokens} tokens`);
    const shown = read(stub.text);
    const wanted = gold.flatMap((id) => byId.get(id) ?? []);
    const copies = wanted.some(
      (row) =>
        groupAlike(
          [row, ...shown].map((one) => ({ row: one })),
          ours.reader,
        )[0].others.length > 0,
    );
    const at = shown.findIndex((row) => gold.includes(row.path));
    answers.push({ at, copies, bySeed: gold.some((id) => seed.has(id)), count: stub.count, ms });
  }
  await ours.close();
  return answers;
}

function report(size, queries, answers) {
  const rows = [];
  const shares = {};
  for (const [slice, holds] of Object.entries(SLICES)) {
    const own = answers.filter((_, at) => holds(queries[at]));
    if (own.length === 0) continue;
    const share = (test) => 100 * mean(own.map((one) => (test(one) ? 1 : 0)));
    shares[slice] = share(({ at }) => at >= 0);
    const figures = [
      shares[slice],
      share(({ at }) => at >= 0 && at < 30),
      share(({ at, copies }) => at >= 0 || copies),
      share(({ bySeed }) => bySeed),
    ];
    const lines = median(own.map(({ count }) => count));
    const ms = median(own.map((one) => one.ms));
    rows.push([slice, own.length, ...figures.map((figure) => figure.toFixed(1)), lines, ms.toFixed(0)]);
  }
  const heads = [
    "set",
    "queries",
    "in the stub",
    "in 30 lines",
    "it or a copy",
    "without task",
    "lines",
    "ms",
  ];
  console.log(`\nPool of ${size.toLocaleString("en-US")}, half ${half}: percent\n${table([heads, ...rows])}`);
  return shares;
}

const { queries, skills } = await readLabels();
const asked = queries.filter((query) => query.half === half);
const verdicts = [];
const figures = {};
for (const size of numbers("pools", [300, 1_000, 10_500])) {
  const all = [];
  const answers = [];
  for (const names of size >= skills.size ? [SETS] : SETS.map((set) => [set])) {
    const pool = poolOf(skills, queries, names[0], size);
    const own = asked.filter((query) => names.includes(query.set) && pool.has(query.gold[0]));
    all.push(...own);
    answers.push(...(await runPool(pool, skills, own)));
  }
  figures[size] = report(size, all, answers);
  const wanted = { what: `evals in the stub, pool of ${size}`, value: figures[size].evals, unit: "points" };
  const limit = WANTED[size] ?? 0;
  verdicts.push({ ...wanted, limit, least: true, passed: wanted.value >= limit });
  if (process.argv.includes("--misses"))
    for (const [at, answer] of answers.entries())
      if (answer.at < 0) console.log(`missed: ${all[at].qid} ${all[at].gold[0]}`);
}
process.exitCode = finish("stub", verdicts, { half, ...figures });
