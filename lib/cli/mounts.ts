import { counted } from "../core/text.ts";
import type { MountReport } from "../library.ts";
import type { Call } from "./command.ts";
import { line, printJson, say, withLibrary } from "./session.ts";

export async function run(call: Call): Promise<number> {
  return withLibrary(call, {}, async (library) => {
    printMounts(call, await library.mounts());
    return 0;
  });
}

/** `{mounts:[…]}`, or a line each. */
export function printMounts(call: Call, mounts: readonly MountReport[]): void {
  if (call.options.json === true) {
    printJson(call, { mounts });
    return;
  }
  if (mounts.length === 0) say(call, "Nothing is mounted. Mount a folder of skills with canonry mount DIR.");
  for (const { dir, for: scope, skills, unreadable } of mounts) {
    const whose = scope === "*" ? "user" : `project ${scope}`;
    line(
      call,
      `${dir}  (${whose})  ${counted(skills, "skill")}${unreadable === 0 ? "" : `, ${unreadable} unreadable`}`,
    );
  }
}
