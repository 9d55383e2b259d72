import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { placeOfPath } from "../../support/held-path.ts";

/** The calls of a change that alter something, or bring it to the disk. */
const CALLS = [
  ...["openSync", "writeSync", "writeFileSync", "fsyncSync", "closeSync", "fchmodSync"],
  ...["linkSync", "renameSync", "unlinkSync", "mkdirSync"],
] as const;

/** From now on `act` runs before each such call of this process, with the name of the call and its first path. */
export function beforeEachCall(act: (call: string, path: string) => void): void {
  const calls = fs as unknown as Record<string, (...args: unknown[]) => unknown>;
  for (const call of CALLS) {
    const original = calls[call];
    if (original === undefined) throw new Error(`node:fs has no ${call}`);
    calls[call] = (...args: unknown[]) => {
      const paths = args.filter((arg) => typeof arg === "string");
      act(call, paths.map(placeOfPath).join(" "));
      return original(...args);
    };
  }
  syncBuiltinESMExports();
}
