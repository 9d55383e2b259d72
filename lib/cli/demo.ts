import { resolve } from "node:path";
import { runDemo } from "../library/demo/demo.ts";
import type { Call } from "./command.ts";
import { demoScreen } from "./demo-screen.ts";
import { progressLine } from "./io.ts";
import { given, line, printJson } from "./session.ts";
import { untilSignal } from "./signals.ts";

/** Read-only on the folders of hosts; whatever it finds, it leaves with 0. */
export async function run(call: Call): Promise<number> {
  return untilSignal(call, async (signal) => {
    const shown = progressLine(call.io, call.options.quiet === true);
    const report = await runDemo({
      repo: resolve(call.io.cwd, call.options.repo ?? "."),
      driver: given(call, "driver"),
      engine: given(call, "engine"),
      progress: shown.progress,
      signal,
    }).finally(shown.done);
    if (call.options.json === true) printJson(call, report);
    else for (const text of demoScreen(report)) line(call, text);
    return 0;
  });
}
