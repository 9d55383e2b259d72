import { resolveSettings } from "../library.ts";
import type { Call } from "./command.ts";
import { homeOf, line, printJson } from "./session.ts";

/** Each setting with its value and where it came from: flag, environment, settings.json or default. */
export async function run(call: Call): Promise<number> {
  const settings = resolveSettings(homeOf(call), call.options, call.io.env);
  if (call.options.json === true) printJson(call, { settings });
  else for (const { key, value, source } of settings) line(call, `${key.padEnd(8)} ${value}  (${source})`);
  return 0;
}
