import { counted } from "../core/text.ts";
import type { Call } from "./command.ts";
import { line, printJson, say, withLibrary } from "./session.ts";

/** Exit 1 where there is a problem (C63). */
export async function run(call: Call): Promise<number> {
  return withLibrary(call, {}, async (library) => {
    const { lines, problems } = await library.doctor();
    if (call.options.json === true) printJson(call, { problems, lines });
    else {
      for (const { check, status, message, next } of lines) {
        line(call, `${status.padEnd(7)} ${check.padEnd(8)} ${message}`);
        if (next !== undefined) line(call, `${" ".repeat(17)}→ ${next}`);
      }
      if (call.options.verbose === true)
        for (const one of await library.warnings())
          line(call, `${one.file}:${one.line}: ${one.code}: ${one.message}`);
      for (const one of problems) line(call, `${one.file}:${one.line}: ${one.code}: ${one.message}`);
    }
    const bad = lines.filter((one) => one.status === "problem").length;
    if (bad > 0) say(call, `${counted(bad, "problem")} found.`);
    return bad > 0 ? 1 : 0;
  });
}
