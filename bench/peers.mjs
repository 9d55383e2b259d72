// What the ranking is held against: plain FTS5 of native better-sqlite3, and MiniSearch.
import { createRequire } from "node:module";
import { join } from "node:path";
import { ROOT } from "./corpus.mjs";

const require = createRequire(join(ROOT, "bench", "package.json"));
const STOP = new Set(
  `a about after all also am an and any are as at be because been before but by can could did do does for from get
  had has have he her him his how i if in into is it its just me my no not now of on once only or our out over own same
  she should so some such than that the their them then there these they this those through to too under until up us very
  was we were what when where which while who why will with would you your please help need want like let give show tell
  know`.split(/\s+/),
);

function wordsOf(text) {
  const all = [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])];
  const content = all.filter((word) => !STOP.has(word));
  return content.length > 0 ? content : all;
}

/** Terms quoted and joined by OR, unicode61, name 10, description 5, body 1. */
export function openFts5(pool, skills) {
  const db = new (require("better-sqlite3"))(":memory:");
  db.exec("CREATE VIRTUAL TABLE t USING fts5(name, description, body, tokenize='unicode61')");
  const put = db.prepare("INSERT INTO t(rowid, name, description, body) VALUES (?, ?, ?, ?)");
  const ids = [...pool];
  db.transaction(() => {
    for (const [at, id] of ids.entries()) {
      const { name, description, body } = skills.get(id);
      put.run(at + 1, name, description, body);
    }
  })();
  const find = db
    .prepare("SELECT rowid FROM t WHERE t MATCH ? ORDER BY bm25(t, 10, 5, 1), rowid LIMIT 10")
    .pluck();
  return {
    close: () => db.close(),
    async ask(text) {
      const query = wordsOf(text)
        .map((word) => `"${word}"`)
        .join(" OR ");
      return query === "" ? [] : find.all(query).map((rowid) => ids[rowid - 1]);
    },
  };
}

/** The body too, name × 3, description × 2. */
export function openMiniSearch(pool, skills) {
  const MiniSearch = require("minisearch");
  const index = new MiniSearch({ fields: ["name", "description", "body"] });
  index.addAll(
    [...pool].map((id) => {
      const { name, description, body } = skills.get(id);
      return { id, name, description, body };
    }),
  );
  return {
    close: () => index.removeAll(),
    ask: async (text) =>
      index
        .search(wordsOf(text).join(" "), { boost: { name: 3, description: 2 } })
        .slice(0, 10)
        .map((hit) => hit.id),
  };
}
