// npm run bench:index: how long an index takes, beside native better-sqlite3 with the same rows.
// --rows=1000,10000 --runs=3. Every figure is of a fresh process; each cell is least / median of the runs.
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT, texts, unpack } from "./corpus.mjs";
import { child, finish, numbers, shown, summary, table, verdict } from "./report.mjs";

const LAYOUTS = { flat: 150, folders: 500 };
/** Files younger than this are read again whatever their times say; nobody's library is that young. */
const SETTLE_MS = 2_300;

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function makeHome(home, skills) {
  const { openLibrary } = await import(pathToFileURL(join(ROOT, "dist", "lib", "library.js")).href);
  const library = await openLibrary({ home, repo: home });
  await library.mount([skills]);
  await library.close();
}

function dropIndex(home) {
  for (const name of ["index.sqlite", "index.sqlite-wal", "index.sqlite-shm"])
    rmSync(join(home, name), { force: true });
}

/** All runs of one layout; native and ours in turn, so that a noisy minute strikes both. */
async function measure(folder, layout, all, runs) {
  const [skills, home] = [join(folder, "skills"), join(folder, "home")];
  const paths = unpack(skills, layout, all);
  mkdirSync(home);
  await makeHome(home, skills);
  const [rowsFile, filesFile] = [join(folder, "rows.ndjson"), join(folder, "files.json")];
  writeFileSync(filesFile, JSON.stringify(paths));
  await sleep(SETTLE_MS);
  child("record.mjs", home, rowsFile);
  const found = { native: [], rebuild: [], unchanged: [], changed: [] };
  for (let run = 0; run < runs; run++) {
    const database = join(folder, `native-${run}.sqlite`);
    found.native.push(child("native.mjs", rowsFile, filesFile, database));
    rmSync(database);
    dropIndex(home);
    found.rebuild.push(child("library.mjs", "rebuild", home));
    found.unchanged.push(child("library.mjs", "unchanged", home));
    appendFileSync(paths[run], "\nOne line more.\n");
    await sleep(SETTLE_MS);
    found.changed.push(child("library.mjs", "changed", home));
  }
  found.catchUp = [child("library.mjs", "catch-up", home, paths.at(-1))];
  check(found, all.length);
  return found;
}

/** A bench of something that did not happen is worse than none. */
function check(found, count) {
  for (const { counts } of found.rebuild) {
    if (counts.added + counts.unreadable < count)
      throw new Error(`a rebuild found ${JSON.stringify(counts)} of ${count} files`);
  }
  for (const { counts } of found.unchanged) {
    if (counts.added + counts.changed + counts.removed > 0)
      throw new Error(`nothing had changed, but ${JSON.stringify(counts)}`);
  }
  for (const { counts } of found.changed) {
    if (counts.changed + counts.added > 1 || counts.removed > 0)
      throw new Error(`one file had changed, but ${JSON.stringify(counts)}`);
  }
}

function figuresOf(found) {
  const pick = (list, name) => summary(list.map((one) => one.times[name]));
  const sum = (list, ...names) =>
    summary(list.map((one) => names.reduce((total, name) => total + one.times[name], 0)));
  return {
    nativeRead: summary(found.native.map((one) => one.readMs)),
    nativeInsert: summary(found.native.map((one) => one.insertMs)),
    native: summary(found.native.map((one) => one.readMs + one.insertMs)),
    rebuild: sum(found.rebuild, "open", "reindex", "close"),
    import: pick(found.rebuild, "import"),
    openWarm: pick(found.unchanged, "open"),
    unchanged: pick(found.unchanged, "reindex"),
    changed: pick(found.changed, "reindex"),
    searchUnchanged: pick(found.catchUp, "searchUnchanged"),
    searchChanged: pick(found.catchUp, "searchChanged"),
    rss: summary(found.rebuild.map((one) => one.rssMb)),
    rssWarm: summary(found.unchanged.map((one) => one.rssMb)),
    nativeRss: summary(found.native.map((one) => one.rssMb)),
  };
}

function print(title, figures, found) {
  const [{ counts, engine }] = found.rebuild;
  const ratio = figures.rebuild.min / figures.native.min;
  console.log(
    `\n${title}: ${counts.added} added, ${counts.unreadable} unreadable; ${engine}; native SQLite ${found.native[0].version}`,
  );
  console.log(
    table([
      ["", "least / median"],
      ["native: reading the files", shown(figures.nativeRead)],
      ["native: inserting the same rows", shown(figures.nativeInsert)],
      [
        "cold rebuild (open, reindex, flush, close)",
        `${shown(figures.rebuild)}   ${ratio.toFixed(2)} × native`,
      ],
      ["  before that: importing the library", shown(figures.import)],
      ["warm: open (image and checksum)", shown(figures.openWarm)],
      ["warm: reindex, nothing changed", shown(figures.unchanged)],
      ["warm: reindex, one file changed", shown(figures.changed)],
      ["open library: search after a pause, nothing changed", shown(figures.searchUnchanged)],
      ["open library: search after one file changed", shown(figures.searchChanged)],
      ["peak memory of a rebuild", shown(figures.rss, "MB")],
      ["peak memory of a warm process", shown(figures.rssWarm, "MB")],
      ["peak memory of the native process", shown(figures.nativeRss, "MB")],
    ]),
  );
}

function verdictsOf(title, layout, figures) {
  return [
    verdict(
      `${title}: cold rebuild against reading and native insert`,
      figures.rebuild.min / figures.native.min,
      3,
      "×",
    ),
    verdict(`${title}: reindex, nothing changed`, figures.unchanged.min, LAYOUTS[layout], "ms"),
    verdict(`${title}: peak memory`, Math.max(figures.rss.min, figures.rssWarm.min), 400, "MB"),
  ];
}

async function main() {
  if (!existsSync(join(ROOT, "bench", "node_modules", "better-sqlite3"))) {
    console.error(
      "The peer is missing: better-sqlite3. Run `npm run bench:setup` (it needs a compiler where no prebuilt one fits).",
    );
    return 1;
  }
  const [runs] = numbers("runs", [3]);
  const verdicts = [];
  const all = {};
  for (const count of numbers("rows", [1_000, 10_000])) {
    const { texts: rows, source } = texts(count);
    for (const layout of Object.keys(LAYOUTS)) {
      const title = `${count.toLocaleString("en-US")} ${layout === "flat" ? "lone files" : "skill folders"}`;
      const folder = realpathSync(mkdtempSync(join(tmpdir(), "canonry-bench-")));
      try {
        const found = await measure(folder, layout, rows, runs);
        const figures = figuresOf(found);
        print(`${title}, ${source}`, figures, found);
        verdicts.push(...verdictsOf(title, layout, figures));
        all[`${layout}-${count}`] = figures;
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    }
  }
  return finish("index", verdicts, all);
}

process.exitCode = await main();
