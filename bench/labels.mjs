// Labelled queries and the skills that they are asked of. CANONRY_BENCH_LABELS names the folder of queries.jsonl and
// negatives.jsonl, CANONRY_BENCH_CORPUS the gzipped file of skills.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";
import { CORPUS, ROOT } from "./corpus.mjs";

const LABELS = resolve(ROOT, process.env.CANONRY_BENCH_LABELS || "../shared/data/retrieval");
const SCRIPTS = [/\p{Script=Hangul}/u, /[\p{Script=Hiragana}\p{Script=Katakana}]/u, /\p{Script=Han}/u];

export const SETS = ["evals", "salesforce"];
/** Sets as they are reported: CJK prompts apart, and of those the ones in the language of the skill. */
export const SLICES = {
  evals: (query) => query.set === "evals",
  "evals, Latin": (query) => query.set === "evals" && !query.cjk,
  "evals, CJK, same script": (query) => query.cjk && query.sameScript,
  "evals, CJK, other script": (query) => query.cjk && !query.sameScript,
  salesforce: (query) => query.set === "salesforce",
};

export const built = (...path) => pathToFileURL(join(ROOT, "dist", "lib", ...path)).href;

function lines(text) {
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

const digest = (text) => createHash("sha256").update(text).digest();

/** Which half a query is in: by the id of its (first) skill alone, so that no skill is in both. */
export function halfOf(id) {
  return (digest(`half ${id}`).at(0) ?? 0) % 2 === 0 ? "tuned" : "reported";
}

/** Whether a CJK query is in the script of what answers it; others are asked of a text in another language. */
function isInScriptOf(query, description) {
  const script = SCRIPTS.find((one) => one.test(query));
  return script !== undefined && SCRIPTS.find((one) => one.test(description)) === script;
}

/** Queries with their half, skills that carry no label excepted; what must not be found; and every skill of the corpus. */
export async function readLabels() {
  const { default: portable } = await import(built("markdown", "portable.js"));
  const skills = new Map();
  for (const { id, text } of lines(gunzipSync(readFileSync(CORPUS)).toString("utf8"))) {
    const { record } = portable.parse(text, { file: "SKILL.md", fallbackName: id.split("/").at(-2) ?? id });
    if (record !== undefined) skills.set(id, record);
  }
  const queries = lines(readFileSync(join(LABELS, "queries.jsonl"), "utf8"))
    .filter((query) => query.gold.some((id) => skills.has(id)))
    .map((query) => ({
      ...query,
      half: halfOf(query.gold[0]),
      sameScript: query.gold.some((id) => isInScriptOf(query.text, skills.get(id)?.description ?? "")),
    }));
  return { queries, negatives: lines(readFileSync(join(LABELS, "negatives.jsonl"), "utf8")), skills };
}

/**
 * The skills of a pool: the answers of one set, in the order of their hashes and at most half of the pool, then the
 * first others of the corpus. Everything where `size` is that of the corpus.
 */
export function poolOf(skills, queries, set, size) {
  if (size >= skills.size) return new Set(skills.keys());
  const golds = [...new Set(queries.filter((query) => query.set === set).flatMap((query) => query.gold))];
  const order = golds
    .map((id) => [digest(id).toString("hex").slice(2), id])
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const pool = new Set(order.slice(0, Math.floor(size / 2)).map(([, id]) => id));
  for (const id of skills.keys()) if (pool.size < size) pool.add(id);
  return pool;
}

/** Indexes a pool with the default driver. `ask` gives the ids of the best ten for a text, `hits` what was found. */
export async function openOurs(pool, skills) {
  const [
    { default: openSqljs },
    { createContext },
    { putOf },
    { findByWords },
    { foldAlike },
    { createRowReader },
    { queryTerms },
  ] = await Promise.all([
    import(built("drivers", "sqljs.js")),
    import(built("core", "context.js")),
    import(built("indexing", "row.js")),
    import(built("retrieval", "full-text.js")),
    import(built("retrieval", "alike.js")),
    import(built("retrieval", "row-words.js")),
    import(built("core", "terms.js")),
  ]);
  const context = createContext();
  const { translate } = context;
  const driver = await openSqljs({ vaultId: "bench", context });
  const place = { id: "bench", kind: "mount", dir: "/bench", fingerprint: "*" };
  let put = [];
  for (const id of pool) {
    const file = { record: skills.get(id), diagnostics: [], bytes: 1, bytesHash: "", stamp: "" };
    put.push(putOf(place, id, "skill", file, translate));
    if (put.length === 500) {
      await driver.apply({ put });
      put = [];
    }
  }
  await driver.apply({ put });
  const reader = createRowReader(translate);
  const hits = async (text) => {
    const filter = { states: ["active"], forAgents: true };
    const terms = queryTerms(text, 512);
    const found = await findByWords(driver, { filter, query: text, terms, limit: 10, translate, reader });
    return foldAlike(found, reader, 10);
  };
  return {
    driver,
    context,
    reader,
    close: () => driver.close(),
    hits,
    ask: async (text) => (await hits(text)).slice(0, 10).map((hit) => hit.row.path),
  };
}
