import { CanonryError } from "../core/errors.ts";
import type { Call } from "./command.ts";
import { printJson, say, withLibrary } from "./session.ts";

const ORIGINS = ["pack", "generated", "user"];

export async function run(call: Call): Promise<number> {
  const origin = call.options["origin"] as string | undefined;
  if (origin !== undefined && !ORIGINS.includes(origin))
    throw new CanonryError(
      "CANONRY_USAGE",
      `--origin is one of ${ORIGINS.join(", ")}; received ${JSON.stringify(origin)}.`,
      { data: { received: origin, allowed: ORIGINS } },
    );
  return withLibrary(call, {}, async (library) => {
    const skills = await library.list({ all: call.options["all"] === true, origin });
    if (call.options.json === true) printJson(call, skills);
    else
      for (const skill of skills)
        call.io.out(
          `${skill.name}  ${skill.place}${skill.state === "active" ? "" : `  [${skill.state}]`}  ${skill.description.replace(/\s+/g, " ")}\n`,
        );
    if (skills.length === 0) say(call, "No skills here yet. Mount a folder of them with canonry mount DIR.");
    return 0;
  });
}
