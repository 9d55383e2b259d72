/**
 * One operation in a process of its own: prepares, prints `ready`, waits for a byte, does it, and prints at once what
 * came out. Everything is loaded beforehand, so that only the operation's own system calls follow the byte.
 */
import { existsSync, readFileSync, readSync, writeSync, writevSync } from "node:fs";
import { join } from "node:path";
import { createContext } from "../../../lib/core/context.ts";
import { CanonryError } from "../../../lib/core/errors.ts";
import { pauseMs } from "../../../lib/core/pause.ts";
import type { NewEvent } from "../../../lib/schema/ledger-event.ts";
import type { Change, PutChange } from "../../../lib/vault/change.ts";
import { initHome } from "../../../lib/vault/init.ts";
import { openVault } from "../../../lib/vault/vault.ts";

export type Act =
  | { readonly do: "commit"; readonly change: Change }
  /** Puts that text, whatever stands there: `vault.update`. */
  | { readonly do: "update"; readonly change: PutChange }
  | { readonly do: "append"; readonly event: NewEvent }
  | { readonly do: "mount"; readonly dir: string }
  | { readonly do: "init" }
  /** Opens the home, which finishes what killed processes have won and sweeps what they left. */
  | { readonly do: "open" }
  | { readonly do: "reindex" }
  /** Closes a library that has caught up with enough files to keep its index. */
  | { readonly do: "flush" }
  /** Reads raw until `until` is there: each text must be one of `texts`; if null is none of them, one path is always there. */
  | {
      readonly do: "watch";
      readonly paths: readonly string[];
      readonly texts: readonly (string | null)[];
      readonly until: string;
    };

export interface Job {
  readonly home: string;
  readonly act: Act;
  /** Added to the clock, milliseconds. */
  readonly aheadMs?: number;
}

/** What the process was told; nothing of it where it was killed. */
export interface Outcome {
  /** True where the caller was told that it is done. */
  readonly acknowledged?: boolean;
  /** False where a claim is won and a later step failed. */
  readonly finished?: boolean;
  readonly changed?: boolean;
  /** Code of the `CanonryError`. */
  readonly code?: string;
  readonly message?: string;
  /** The claim was linked, and the disk did not confirm it: it may be done. */
  readonly unconfirmed?: boolean;
  /** Where the loser's text is kept. */
  readonly keptAt?: string | null;
  /** An error that is none of ours. */
  readonly untyped?: string;
  /** What a watching process saw that must not be. */
  readonly seen?: readonly string[];
  readonly reads?: number;
  readonly warnings?: readonly string[];
}

type Prepared = () => Outcome | Promise<Outcome>;

const job = JSON.parse(process.argv[2] ?? "{}") as Job;
const warnings: string[] = [];
const log = { warn: (line: string) => void warnings.push(line), note() {} };
const clock = () => Date.now() + (job.aheadMs ?? 0);
const context = createContext({ log, clock });

const run = await prepare(job);
writeSync(1, "ready\n");
readSync(0, Buffer.alloc(1));
const outcome = await told(run);
// two buffers make it a `writev`: the operation's own `write` may be failing from some point on
writevSync(1, [Buffer.from(JSON.stringify({ ...outcome, warnings })), Buffer.from("\n")]);
process.exit(0);

async function told(run: Prepared): Promise<Outcome> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof CanonryError))
      return { untyped: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    const keptAt = error.data["keptAt"];
    return {
      code: error.code,
      message: error.message,
      ...(typeof keptAt === "string" ? { keptAt } : {}),
      ...(error.data["unconfirmed"] === true ? { unconfirmed: true } : {}),
    };
  }
}

async function prepare({ home, act }: Job): Promise<Prepared> {
  switch (act.do) {
    case "init":
      return () => ({ acknowledged: initHome(home, context).home !== "" });
    case "open":
      return () => ({ acknowledged: openVault({ home, context }).writable });
    case "commit": {
      const vault = openVault({ home, context });
      return () => {
        const { changed, finished } = vault.commit(act.change);
        return { acknowledged: true, changed, finished };
      };
    }
    case "update": {
      const vault = openVault({ home, context });
      const { kind: _, base: __, fingerprint, name, target, ...rest } = act.change;
      return () => {
        const { changed, finished } = vault.update({ fingerprint, name, target }, () => rest);
        return { acknowledged: true, changed, finished };
      };
    }
    case "append": {
      const vault = openVault({ home, context });
      return () => ({ acknowledged: vault.append(act.event) !== undefined });
    }
    case "mount": {
      const vault = openVault({ home, context });
      return () => ({ acknowledged: vault.mount([act.dir], "*").length === 1 });
    }
    case "reindex":
    case "flush":
      return prepareIndex(home, act.do);
    case "watch":
      return () => watch(home, act);
  }
}

async function prepareIndex(home: string, kind: "reindex" | "flush"): Promise<Prepared> {
  const { openLibrary } = await import("../../../lib/library.ts");
  const library = await openLibrary({ home, create: false, fingerprint: "0123456789ab", clock, log });
  if (kind === "reindex")
    return async () => ({ acknowledged: (await library.reindex()).skills > 0 && warnings.length === 0 });
  await library.search("retry");
  return async () => {
    await library.close();
    return { acknowledged: warnings.length === 0 };
  };
}

function watch(home: string, act: Extract<Act, { do: "watch" }>): Outcome {
  const seen = new Set<string>();
  let reads = 0;
  do {
    reads++;
    const texts = act.paths.map((path) => textAt(join(home, path)));
    for (const text of texts)
      if (text !== null && !act.texts.includes(text)) seen.add(`torn: ${JSON.stringify(text.slice(0, 80))}`);
    if (texts.every((text) => text === null) && !act.texts.includes(null)) seen.add("gone");
    pauseMs(0.2);
  } while (!existsSync(act.until));
  return { seen: [...seen], reads };
}

function textAt(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
