import { summaryOf } from "../core/text.ts";
import type { SearchAnswer } from "../library.ts";
import type { Call } from "./command.ts";
import { line, printJson, say, saySkipped, wholeNumber, withLibrary } from "./session.ts";

/** Exit 1 where nothing was found, as ripgrep does. */
export async function run(call: Call): Promise<number> {
  const limit = call.options["limit"] as string | undefined;
  const query = call.args.join(" ");
  return withLibrary(call, {}, async (library) => {
    const answer = await library.search(query, {
      regex: call.options["regex"] === true,
      ...(limit === undefined ? {} : { limit: wholeNumber(limit, "--limit", 0) }),
    });
    if (call.options.json === true) printJson(call, answer);
    else print(call, answer);
    await saySkipped(call, library);
    return answer.hits.length > 0 ? 0 : 1;
  });
}

function alike({ others = 0 }: SearchAnswer["hits"][number]): string {
  return others === 0 ? "" : `  (and ${others} near-identical)`;
}

function print(call: Call, { hits, state, query, poor, suggestions = [] }: SearchAnswer): void {
  if (poor === true) say(call, `No good match for ${JSON.stringify(query)}; nearest:`);
  for (const hit of hits) line(call, `${hit.name}  ${summaryOf(hit.description)}${alike(hit)}`);
  if (state === "no_match") say(call, `No skill matches ${JSON.stringify(query)}.`);
  if (suggestions.length > 0) say(call, `Did you mean ${suggestions.join(", ")}?`);
  if (state === "index_unavailable") say(call, "The index is unavailable; canonry doctor says more.");
  if (state === "index_empty")
    say(call, "There are no skills to search in. Mount a folder of them with canonry mount DIR.");
}
