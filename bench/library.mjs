// One measured use of the built library in a process of its own: node bench/library.mjs MODE HOME [FILE]. Prints JSON.
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "./corpus.mjs";
import { peakMb } from "./peak.mjs";

const [mode, home, file] = process.argv.slice(2);
const times = {};
let from = performance.now();

/** Notes how long it was since the last mark. */
function mark(name) {
  const now = performance.now();
  times[name] = now - from;
  from = now;
}

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const { openLibrary } = await import(pathToFileURL(join(ROOT, "dist", "lib", "library.js")).href);
mark("import");
const library = await openLibrary({ home, repo: home });
mark("open");
const report = await library.reindex();
mark("reindex");
if (mode === "catch-up") {
  await sleep(2_200);
  from = performance.now();
  await library.search("retry a flaky test", { limit: 5 });
  mark("search");
  await sleep(2_200);
  from = performance.now();
  await library.search("pin a container image", { limit: 5 });
  mark("searchUnchanged");
  appendFileSync(file, "\nOne more line about zymurgy.\n");
  await sleep(2_200);
  from = performance.now();
  const { hits } = await library.search("zymurgy", { limit: 5 });
  mark("searchChanged");
  if (hits.length === 0) throw new Error("the changed file was not found");
}
from = performance.now();
await library.close();
mark("close");
const { skills, added, changed, removed, engine } = report;
const unreadable = report.unreadable.length;
const rssMb = peakMb();
console.log(
  JSON.stringify({ times, counts: { skills, added, changed, removed, unreadable }, engine, rssMb }),
);
