/** One process in a home that it may not write: what it can do there. Prints what came out as JSON. */
import { createContext } from "../../../lib/core/context.ts";
import { isCanonryError } from "../../../lib/core/errors.ts";
import { openLibrary } from "../../../lib/library.ts";
import { openVault } from "../../../lib/vault/vault.ts";
import { canonPath } from "./swarm-writes.ts";
import { makeText, problemOfBody, SPACE } from "./whole-text.ts";

export interface ReadingJob {
  readonly home: string;
  /** The skill that is there. */
  readonly name: string;
}

export interface ReadingResult {
  readonly hits: number;
  readonly body?: string;
  readonly listed: number;
  readonly stub: boolean;
  /** The code that each writer was answered with, or "done". */
  readonly writes: Readonly<Record<string, string>>;
  /** Events that were not written, and whether the log said so. */
  readonly dropped: number;
  readonly said: boolean;
}

async function main({ home, name }: ReadingJob): Promise<ReadingResult> {
  const warnings: string[] = [];
  const log = { warn: (line: string) => void warnings.push(line), note() {} };
  const library = await openLibrary({ home, fingerprint: SPACE, create: false, log });
  const { hits } = await library.search(`${name} harness`);
  const { body } = await library.read(name);
  await library.reindex();
  const listed = (await library.list()).length;
  const stub = (await library.stub()).text.includes(name);
  const mounted = await answerOf(() => library.mount([home]));
  await library.close();
  const vault = openVault({ home, context: createContext({ log }) });
  const content = makeText({ name: "new", version: 1, token: "t", bodyBytes: 100 });
  const change = { fingerprint: SPACE, by: "a", runId: "t", version: 1, verdict: null } as const;
  const create = () =>
    vault.commit({ ...change, kind: "put", name: "new", target: canonPath("new"), content, base: null });
  const update = () =>
    vault.update({ fingerprint: SPACE, name, target: canonPath(name) }, () => ({ ...change, content }));
  const writes = { create: await answerOf(create), update: await answerOf(update), mount: mounted };
  const dropped = [1, 2].filter(() => vault.append({ event: "applied" }) === undefined).length;
  vault.close();
  const problem = problemOfBody(body);
  const said = warnings.some((line) => line.includes("cannot be written"));
  const result = { hits: hits.length, listed, stub, writes, dropped, said };
  return problem === undefined ? result : { ...result, body: problem };
}

async function answerOf(act: () => unknown): Promise<string> {
  try {
    await act();
    return "done";
  } catch (error) {
    return isCanonryError(error) ? error.code : String(error);
  }
}

process.stdout.write(JSON.stringify(await main(JSON.parse(process.argv[2] ?? "{}") as ReadingJob)));
