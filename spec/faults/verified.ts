import { relative } from "node:path";
import { verifyHome } from "../../lib/library.ts";

/** What `canonry doctor --verify` calls a problem in a home that was just tidied up, less what the fault itself leaves. */
export async function verified(home: string, allowed: readonly string[] = []): Promise<string[]> {
  const { findings } = await verifyHome({ home });
  return findings
    .filter(({ severity, code }) => severity === "problem" && !allowed.includes(code))
    .map(({ file, line, code, message }) => `verify: ${relative(home, file)}:${line} ${code} ${message}`);
}
