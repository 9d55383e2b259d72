import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type Engine, engineMissing } from "./engine.ts";

type InitSqlJs = (options: { wasmBinary: Uint8Array }) => Promise<Pick<Engine, "Database">>;

/** A package of sql.js's own shape, by its name. The wasm is handed over as bytes: nothing is fetched or located. */
export async function loadSqlJsPackage(name: string): Promise<Engine> {
  try {
    const init = initOf(await import(name));
    const file = createRequire(import.meta.url).resolve(`${name}/dist/sql-wasm.wasm`);
    const { Database } = await init({ wasmBinary: new Uint8Array(readFileSync(file)) });
    return { name, Database };
  } catch (cause) {
    throw engineMissing(name, cause);
  }
}

/** CommonJS and its wrappers put the function one or two defaults deep. */
function initOf(module: unknown): InitSqlJs {
  for (let at = module; at !== undefined && at !== null; at = Reflect.get(Object(at), "default")) {
    if (typeof at === "function") return at as InitSqlJs;
  }
  throw new Error("the package exports no function");
}
