import type { Call } from "./command.ts";
import { printJson, readerOf, say, withLibrary } from "./session.ts";

export async function run(call: Call): Promise<number> {
  const file = (call.options["file"] ?? call.options["reference"]) as string | undefined;
  return withLibrary(call, {}, async (library) => {
    const skill = await library.read(call.args[0] ?? "", {
      ...readerOf(call),
      file,
      record: call.options["record"] !== false,
    });
    const { notices, ...answer } = skill;
    if (call.options.json === true) printJson(call, answer);
    else call.io.out(skill.body.endsWith("\n") ? skill.body : `${skill.body}\n`);
    for (const notice of notices) say(call, `canonry: ${notice}`);
    if (call.options.json !== true && file === undefined && skill.files.length > 0)
      say(
        call,
        `Files in ${skill.folder}: ${skill.files.join(", ")}. Read one with: canonry read ${call.args[0]} --file ${skill.files[0]}`,
      );
    return 0;
  });
}
