// npm run bench:search: how long an answer takes, beside plain full text of native better-sqlite3, on real queries.
// --pools=1000,10500 --queries=400. After a hundred others every query is asked once of all systems in turn, in one
// process, the order alternating. A query of at most eight words is short, a longer one a prompt; those in Chinese,
// Japanese or Korean are counted apart.
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT, texts, unpack } from "./corpus.mjs";
import { built, openOurs, readLabels } from "./labels.mjs";
import { openFts5 } from "./peers.mjs";
import { finish, median, numbers, table, verdict } from "./report.mjs";

const SHORT_WORDS = 8;
/** Files younger than this are read again by every catch-up; nobody's library is that young. */
const SETTLE_MS = 2_300;
const SYSTEMS = ["native", "canonry", "ranking alone"];

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

function classOf({ cjk, text }) {
  if (cjk) return "CJK";
  return text.trim().split(/\s+/).length <= SHORT_WORDS ? "short" : "prompt";
}

/** So many other queries come first: a process that has just begun runs code that is not compiled yet; bench:cli has that. */
const WARM_UP = 100;

/** The first `count` queries by the hash of their ids, and some of the rest to warm up with. */
function draw(queries, count) {
  const order = queries
    .map((query) => [createHash("sha256").update(query.qid).digest("hex"), query])
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, query]) => ({ text: query.text, kind: classOf(query) }));
  return { asked: order.slice(0, count), warmUp: order.slice(count, count + WARM_UP) };
}

/** A home with `size` mounted skills, indexed; the public path with the catch-ups in it timed apart. */
async function openHome(folder, size) {
  unpack(join(folder, "skills"), "folders", texts(size).texts);
  const { openLibrary } = await import(built("library.js"));
  const home = join(folder, "home");
  const library = await openLibrary({ home, repo: folder });
  await library.mount([join(folder, "skills")]);
  await sleep(SETTLE_MS);
  await library.reindex();
  const { catalog } = library.view;
  const fresh = catalog.fresh.bind(catalog);
  const caughtUp = [];
  catalog.fresh = async (options) => {
    const begun = performance.now();
    const report = await fresh(options);
    if (!catalog.relied) caughtUp.push(performance.now() - begun);
    return report;
  };
  return {
    caughtUp,
    close: () => library.close(),
    async ask(text) {
      const { hits } = await library.search(text, { limit: 10 });
      return hits;
    },
  };
}

/** Milliseconds of one question, without what of it was spent catching up. */
async function time(system, text) {
  const before = system.caughtUp?.length ?? 0;
  const begun = performance.now();
  await system.ask(text);
  const ms = performance.now() - begun;
  return (system.caughtUp?.slice(before) ?? []).reduce((rest, one) => rest - one, ms);
}

/** What each system took for each query. */
async function askAll(systems, { asked, warmUp }) {
  for (const { text } of warmUp) for (const system of systems) await system.ask(text);
  const times = asked.map(() => []);
  for (const [at, { text }] of asked.entries()) {
    const order = [...systems.keys()];
    if (at % 2 === 1) order.reverse();
    for (const which of order) times[at][which] = await time(systems[which], text);
  }
  return times;
}

function percentile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

function figuresOf(asked, times) {
  const found = {};
  for (const kind of ["short", "prompt", "CJK", "all"]) {
    const of = times.filter((_, at) => kind === "all" || asked[at].kind === kind);
    if (of.length === 0) continue;
    found[kind] = { queries: of.length };
    for (const [which, system] of SYSTEMS.entries()) {
      const list = of.map((one) => one[which]);
      found[kind][system] = { p50: median(list), p99: percentile(list, 0.99) };
    }
  }
  return found;
}

function print(size, caughtUp, figures) {
  const rows = [];
  for (const [kind, { queries, ...found }] of Object.entries(figures)) {
    for (const system of SYSTEMS) {
      const { p50, p99 } = found[system];
      const ratio = `${(p50 / found.native.p50).toFixed(2)} ×`;
      rows.push([kind, queries, system, p50.toFixed(2), p99.toFixed(2), ratio]);
    }
  }
  console.log(`\n${size.toLocaleString("en-US")} skills, milliseconds a query\n`);
  console.log(table([["queries", "n", "system", "p50", "p99", "p50 / native"], ...rows]));
  const sweeps = `${caughtUp.length} catch-ups, each ${median(caughtUp).toFixed(1)} ms in the middle`;
  console.log(`Not counted above: ${sweeps}, ${percentile(caughtUp, 0.99).toFixed(1)} ms p99`);
}

async function run(size, { skills, queries }, count) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "canonry-bench-")));
  const drawn = draw(queries, count);
  const pool = new Set([...skills.keys()].slice(0, size));
  const systems = [];
  try {
    systems.push(openFts5(pool, skills), await openHome(folder, size), await openOurs(pool, skills));
    const { caughtUp } = systems[1];
    const found = figuresOf(drawn.asked, await askAll(systems, drawn));
    print(size, caughtUp, found);
    return { ...found, catchUp: median(caughtUp) };
  } finally {
    for (const system of systems) await system.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function verdictsOf(size, figures) {
  const over = (kind) => figures[kind].canonry.p50 / figures[kind].native.p50;
  const { p50, p99 } = figures.all.canonry;
  const [prompt, short, spread] = [over("prompt"), over("short"), p99 / p50];
  return [
    verdict(`${size} skills, prompts, p50 against native`, prompt, 1, "×"),
    verdict(`${size} skills, short queries, p50 against native`, short, 1.7, "×"),
    verdict(`${size} skills, p99 against p50`, spread, 5, "×"),
  ];
}

async function main() {
  if (!existsSync(join(ROOT, "bench", "node_modules", "better-sqlite3"))) {
    console.error("The peer is missing: better-sqlite3. Run `npm run bench:setup`.");
    return 1;
  }
  const labels = await readLabels();
  const [count] = numbers("queries", [400]);
  const figures = {};
  const verdicts = [];
  for (const size of numbers("pools", [1_000, 10_500])) {
    figures[size] = await run(size, labels, count);
    verdicts.push(...verdictsOf(size, figures[size]));
  }
  return finish("search", verdicts, figures);
}

process.exitCode = await main();
