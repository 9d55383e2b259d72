import { createRegistry } from "../../core/registry.ts";
import type { LoadEngine } from "./engine.ts";
import { loadSqlJsPackage } from "./sql-js.ts";
import { loadSqliteWasm } from "./sqlite-wasm.ts";

/** Builds of SQLite that the driver runs on; what they can do is asked of them at open. */
export const engines = createRegistry<LoadEngine>("engine of the sqljs driver", "CANONRY_USAGE", {
  "sqlite-wasm": loadSqliteWasm,
  "sql.js": () => loadSqlJsPackage("sql.js"),
  "fts5-sql-bundle": () => loadSqlJsPackage("fts5-sql-bundle"),
});
