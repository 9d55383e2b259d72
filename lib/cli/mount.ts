import { resolve } from "node:path";
import { CanonryError } from "../core/errors.ts";
import type { Call } from "./command.ts";
import { printMounts } from "./mounts.ts";
import { withLibrary } from "./session.ts";

export async function run(call: Call): Promise<number> {
  const { project, user } = call.options;
  if (project === true && user === true)
    throw new CanonryError(
      "CANONRY_USAGE",
      "A folder is mounted for --project or for --user; received both.",
    );
  const dirs = call.args.map((dir) => resolve(call.io.cwd, dir));
  return withLibrary(call, {}, async (library) => {
    await library.mount(dirs, project === true ? "project" : "user");
    printMounts(call, await library.mounts());
    return 0;
  });
}
