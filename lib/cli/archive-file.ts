import { resolve } from "node:path";
import { CanonryError } from "../core/errors.ts";
import { expandHome } from "../library.ts";
import type { Call } from "./command.ts";

/** The path that FILE means. An empty text, say of a variable that is not set, is no file. */
export function archiveFile(call: Call, given: string): string {
  if (given !== "") return resolve(call.io.cwd, expandHome(given));
  throw new CanonryError("CANONRY_USAGE", "FILE names a file, or is -; received an empty text.", {
    data: { received: given },
  });
}
