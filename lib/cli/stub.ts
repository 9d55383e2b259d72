import { counted } from "../core/text.ts";
import type { Call } from "./command.ts";
import { printJson, say, saySkipped, wholeNumber, withLibrary } from "./session.ts";

/** Nothing at all on stdout where no skill is eligible (S2.21). */
export async function run(call: Call): Promise<number> {
  const { tools, role, budget } = call.options as Readonly<Record<string, string | undefined>>;
  return withLibrary(call, {}, async (library) => {
    const { hiddenByTools, ...stub } = await library.stub({
      role,
      ...(tools === undefined ? {} : { tools: wordsOf(tools) }),
      ...(budget === undefined ? {} : { budget: wholeNumber(budget, "--budget", 1) }),
    });
    if (call.options.json === true) printJson(call, stub);
    else call.io.out(stub.text);
    if (hiddenByTools > 0)
      say(
        call,
        `Left out for want of a tool that --tools does not name: ${counted(hiddenByTools, "skill")}.`,
      );
    if (stub.count === 0 && stub.remaining > 0)
      say(call, `No skill fits the budget; ${stub.remaining} are eligible.`);
    await saySkipped(call, library);
    return 0;
  });
}

function wordsOf(list: string): string[] {
  const words = list.split(",").map((word) => word.trim());
  return words.filter((word) => word !== "");
}
