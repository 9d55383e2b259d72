import { CanonryError } from "../core/errors.ts";
import { didYouMean } from "../core/nearest.ts";
import type { Call } from "./command.ts";
import { bashScript } from "./completion/bash.ts";
import { fishScript } from "./completion/fish.ts";
import { zshScript } from "./completion/zsh.ts";
import { printJson } from "./session.ts";

const SHELLS: ReadonlyMap<string, () => string> = new Map([
  ["bash", bashScript],
  ["zsh", zshScript],
  ["fish", fishScript],
]);

/** The completion of a shell as a script, made from the table of commands; nothing is read or written. */
export async function run(call: Call): Promise<number> {
  const [shell = ""] = call.args;
  const script = SHELLS.get(shell);
  if (script === undefined) {
    const known = [...SHELLS.keys()];
    throw new CanonryError(
      "CANONRY_USAGE",
      `There is completion for ${known.join(", ")}; received ${JSON.stringify(shell)}.${didYouMean(shell, known)}`,
      { data: { received: shell, allowed: known } },
    );
  }
  if (call.options.json === true) printJson(call, { text: script() });
  else call.io.out(script());
  return 0;
}
