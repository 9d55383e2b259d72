// npm run bench:cli: `canonry search` as a whole process on a warm index, against `node -e 0`, and where its time goes.
// --rows=1000 --runs=15. Stages are whole processes that stop after each step, run in turn; least / median.
import { spawnSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT, texts, unpack } from "./corpus.mjs";
import { finish, numbers, shown, summary, table, verdict } from "./report.mjs";

const QUERY = "retry a flaky test";
const LIMIT = 8;

function time(args, env) {
  const begun = performance.now();
  const done = spawnSync(process.execPath, args, {
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ms = performance.now() - begun;
  if (done.status !== 0)
    throw new Error(`node ${args.join(" ")} left with ${done.status}\n${done.stdout}${done.stderr}`);
  return { ms, stdout: done.stdout };
}

function stages(home) {
  const prefix = (stage) => [join(ROOT, "bench", "prefix.mjs"), stage, home, QUERY];
  const cli = (...args) => [join(ROOT, "bin", "canonry.mjs"), ...args];
  return {
    "node -e 0": ["-e", "0"],
    "import of the library": prefix("library"),
    "loading the engine": prefix("engine"),
    "open: home, image, checksum": prefix("open"),
    "catch-up": prefix("catch-up"),
    "catch-up and query": prefix("query"),
    "canonry --version": cli("--version"),
    "canonry search": cli("search", QUERY, "--home", home, "--limit", "5"),
  };
}

function print(found) {
  const base = found["node -e 0"].min;
  let before = 0;
  const rows = Object.entries(found).map(([name, figures]) => {
    const added = name.startsWith("canonry --") ? "" : `+${(figures.min - before).toFixed(1)} ms`;
    if (!name.startsWith("canonry --")) before = figures.min;
    return [name, shown(figures), added, `${(figures.min / base).toFixed(2)} ×`];
  });
  console.log(
    table([["process that ends after", "least / median", "more than the row above", "node -e 0"], ...rows]),
  );
}

function main() {
  const [count] = numbers("rows", [1_000]);
  const [runs] = numbers("runs", [15]);
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "canonry-bench-")));
  try {
    const { texts: all, source } = texts(count);
    unpack(join(folder, "skills"), "folders", all);
    const env = { ...process.env, HOME: folder, USERPROFILE: folder, CANONRY_HOME: join(folder, "home") };
    const home = env.CANONRY_HOME;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_300);
    time([join(ROOT, "bin", "reindex.mjs"), join(folder, "skills")], env);
    const commands = stages(home);
    const { hits } = JSON.parse(time([...commands["canonry search"], "--json"], env).stdout);
    if (hits.length === 0) throw new Error("the search found nothing: this would measure something else");
    const times = Object.fromEntries(Object.keys(commands).map((name) => [name, []]));
    for (let run = 0; run < runs; run++)
      for (const [name, args] of Object.entries(commands)) times[name].push(time(args, env).ms);
    const found = Object.fromEntries(Object.entries(times).map(([name, list]) => [name, summary(list)]));
    console.log(
      `canonry search, ${count.toLocaleString("en-US")} skills (${source}), Node ${process.versions.node}, ${runs} runs\n`,
    );
    print(found);
    const ratio = found["canonry search"].min / found["node -e 0"].min;
    return finish("cli", [verdict("canonry search against node -e 0", ratio, LIMIT, "×")], found);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

process.exitCode = main();
