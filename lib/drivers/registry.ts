import { createRegistry } from "../core/registry.ts";
import type { OpenDriver } from "./driver.ts";

/** The driver for an empty name (S3.22). */
export const DEFAULT_DRIVER = "sqljs";

/** The engine of that driver where none is named. */
export const DEFAULT_ENGINE = "sqlite-wasm";

export type LoadDriver = () => Promise<OpenDriver>;

/** Name → its file, loaded when first asked for. */
export const drivers = createRegistry<LoadDriver>("index driver", "CANONRY_UNKNOWN_DRIVER", {
  sqljs: async () => (await import("./sqljs.ts")).default,
  memory: async () => (await import("./memory.ts")).default,
});

/** The driver of that name; empty or undefined means the default. Throws `CANONRY_UNKNOWN_DRIVER`, naming the registered ones. */
export async function loadDriver(name?: string): Promise<OpenDriver> {
  return drivers.get(name === undefined || name === "" ? DEFAULT_DRIVER : name)();
}
