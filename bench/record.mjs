// Writes down every row and its terms that indexing a home gives, for the native peer to insert:
// node bench/record.mjs HOME OUT. Prints how many.
import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "./corpus.mjs";

const [home, out] = process.argv.slice(2);
const load = (path) => import(pathToFileURL(join(ROOT, "dist", "lib", path)).href);
const [{ createContext }, { openVault }, { sync }, { toColumns }] = await Promise.all([
  load("core/context.js"),
  load("vault/vault.js"),
  load("indexing/sync.js"),
  load("drivers/sqljs/columns.js"),
]);

const fd = openSync(out, "w");
let rows = 0;
/** An index that is always empty and keeps what it is given. */
const recorder = {
  name: "recorder",
  engine: "none",
  supports: { persistent: false, fullText: true },
  async apply({ put = [] }) {
    for (const { row, terms } of put) {
      writeSync(fd, `${JSON.stringify({ columns: toColumns(row), keys: row.keys, terms })}\n`);
      rows++;
    }
  },
  get: async () => undefined,
  list: async () => [],
  count: async () => 0,
  search: async () => [],
  digests: async () => ({ rows: [], state: {} }),
  standing: async () => "",
  flush: async () => false,
  close: async () => {},
};
const context = createContext();
const vault = openVault({ home, create: false, context });
await sync({ vault, driver: recorder, context }, {});
vault.close();
closeSync(fd);
console.log(JSON.stringify({ rows }));
