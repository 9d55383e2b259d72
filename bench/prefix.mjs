// A search from the command line, cut off after one of its stages: node bench/prefix.mjs STAGE HOME QUERY.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "./corpus.mjs";

const [stage, home, query] = process.argv.slice(2);
const load = (path) => import(pathToFileURL(join(ROOT, "dist", "lib", path)).href);

if (stage === "library") await load("library.js");
else if (stage === "engine") {
  await load("library.js");
  const { engines } = await load("drivers/sqljs/engines.js");
  const { DEFAULT_ENGINE } = await load("drivers/registry.js");
  await engines.get(DEFAULT_ENGINE)();
} else {
  const { openLibrary } = await load("library.js");
  const library = await openLibrary({ home, repo: home });
  if (stage === "catch-up") await library.reindex();
  if (stage === "query") await library.search(query, { limit: 5 });
  if (stage !== "open") await library.close();
}
