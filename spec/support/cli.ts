import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { ROOT } from "./root.ts";

export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export type Bin = "canonry" | "reindex";

/** Runs one of the bins as a process of its own, with `home` as CANONRY_HOME and nothing else of ours set. */
export function runBin(
  bin: Bin,
  args: readonly string[],
  options: {
    home: string;
    cwd?: string;
    env?: NodeJS.ProcessEnv;
    input?: string;
    uid?: number;
    gid?: number;
  },
): Ran {
  const env: NodeJS.ProcessEnv = {
    PATH: process.env["PATH"],
    HOME: options.home,
    CANONRY_HOME: options.home,
    ...options.env,
  };
  const done = spawnSync(process.execPath, [join(ROOT, "bin", `${bin}.mjs`), ...args], {
    cwd: options.cwd ?? options.home,
    env,
    encoding: "utf8",
    input: options.input ?? "",
    ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.gid ?? options.uid }),
  });
  return { code: done.status, out: done.stdout, err: done.stderr };
}

/** Parses and checks a `--json` document against its schema; throws what is wrong with it. */
export function checkedJson(name: string, text: string): unknown {
  const schema: unknown = JSON.parse(readFileSync(join(ROOT, "spec/cli/schemas", `${name}.json`), "utf8"));
  const validate = new Ajv({ allErrors: true, strict: true }).compile(schema as object);
  const value: unknown = JSON.parse(text);
  if (!validate(value)) throw new Error(`${name}: ${JSON.stringify(validate.errors)}`);
  return value;
}
