import { CanonryError } from "../core/errors.ts";
import { didYouMean } from "../core/nearest.ts";
import { oneLine, summaryOf } from "../core/text.ts";
import type { ListedSkill } from "../library.ts";
import type { Call } from "./command.ts";
import { line, printJson, say, withLibrary } from "./session.ts";

const ORIGINS = ["pack", "generated", "user"];

export async function run(call: Call): Promise<number> {
  const origin = call.options["origin"] as string | undefined;
  if (origin !== undefined && !ORIGINS.includes(origin))
    throw new CanonryError(
      "CANONRY_USAGE",
      `--origin is one of ${ORIGINS.join(", ")}; received ${JSON.stringify(origin)}.${didYouMean(origin, ORIGINS)}`,
      { data: { received: origin, allowed: ORIGINS } },
    );
  return withLibrary(call, {}, async (library) => {
    const skills = await library.list({ all: call.options["all"] === true, origin });
    if (call.options.json === true) printJson(call, skills);
    else print(call, skills);
    if (skills.length === 0) say(call, "No skills here yet. Mount a folder of them with canonry mount DIR.");
    return 0;
  });
}

/** Name, place, state where it is not the usual one, and what the stub would show; aligned up to a width. */
function print(call: Call, skills: readonly ListedSkill[]): void {
  const width = (texts: readonly string[], most: number) =>
    Math.min(most, Math.max(...texts.map((text) => text.length)));
  const names = width(
    skills.map((skill) => oneLine(skill.name)),
    40,
  );
  const places = width(
    skills.map((skill) => oneLine(skill.place)),
    30,
  );
  for (const { name, place, state, description } of skills) {
    const said = [state === "active" ? "" : `[${state}]`, summaryOf(description)]
      .filter((text) => text !== "")
      .join(" ");
    line(call, `${oneLine(name).padEnd(names)}  ${oneLine(place).padEnd(places)}  ${said}`);
  }
}
