import { CanonryError } from "../core/errors.ts";
import { didYouMean } from "../core/nearest.ts";
import type { Call } from "./command.ts";
import { COMMANDS } from "./commands.ts";
import { commandHelp, overview, TOPICS } from "./help-text.ts";
import { printJson } from "./session.ts";

export async function run(call: Call): Promise<number> {
  const [topic] = call.args;
  if (topic === undefined) {
    print(call, overview());
    return 0;
  }
  const entry = COMMANDS.find((one) => one.name === topic);
  const text = entry === undefined ? TOPICS[topic]?.() : commandHelp(entry);
  if (text === undefined) {
    const known = [...COMMANDS.map((one) => one.name), ...Object.keys(TOPICS)];
    throw new CanonryError(
      "CANONRY_USAGE",
      `There is no help on ${JSON.stringify(topic)}.${didYouMean(topic, known)} Topics: ${known.join(", ")}.`,
      {
        data: { received: topic, allowed: known },
      },
    );
  }
  print(call, text);
  return 0;
}

function print(call: Call, text: string): void {
  if (call.options.json === true) printJson(call, { text });
  else call.io.out(text);
}
