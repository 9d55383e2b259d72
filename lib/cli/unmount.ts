import { resolve } from "node:path";
import type { Call } from "./command.ts";
import { printMounts } from "./mounts.ts";
import { withLibrary } from "./session.ts";

export async function run(call: Call): Promise<number> {
  const dirs = call.args.map((dir) => resolve(call.io.cwd, dir));
  return withLibrary(call, {}, async (library) => {
    await library.unmount(dirs);
    printMounts(call, await library.mounts());
    return 0;
  });
}
