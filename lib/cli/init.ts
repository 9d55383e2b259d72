import { initHome } from "../library.ts";
import type { Call } from "./command.ts";
import { homeOf, printJson, say } from "./session.ts";

export async function run(call: Call): Promise<number> {
  const home = initHome(homeOf(call), { warn: (line) => say(call, `canonry: ${line}`), note() {} });
  if (call.options.json === true) printJson(call, { home });
  else say(call, `The home is ${home}. Next: canonry mount DIR for a folder of skills, then canonry search.`);
  return 0;
}
