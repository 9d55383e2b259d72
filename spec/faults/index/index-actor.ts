/** One process over the home of `index-processes.ts`: prints a line of JSON for each thing that must not be. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createContext } from "../../../lib/core/context.ts";
import { sha256 } from "../../../lib/core/hash.ts";
import { openClaims } from "../../../lib/drivers/sqljs/claims.ts";
import { faultOf } from "../../../lib/drivers/sqljs/header.ts";
import { openVault } from "../../../lib/vault/vault.ts";
import { canonFile, REPO } from "../../support/library.ts";
import { createDice } from "../swarm/dice.ts";
import { wordOf, writeDeed } from "./index-history.ts";
import { openAsker } from "./index-searcher.ts";

export interface IndexJob {
  readonly role: "writer" | "searcher" | "flusher" | "watcher";
  readonly home: string;
  /** Folder of the histories, and the name of this process in it. */
  readonly histories: string;
  readonly self: string;
  readonly seed: number;
  /** The file that ends it. */
  readonly end: string;
}

/** What it prints. */
export interface IndexSaying {
  readonly did?: number;
  readonly wrong?: string;
}

const job = JSON.parse(process.argv[2] ?? "{}") as IndexJob;
const dice = createDice(job.seed);
const own = join(job.histories, `${job.self}.ndjson`);
const say = (saying: IndexSaying) => process.stdout.write(`${JSON.stringify(saying)}\n`);
const over = () => existsSync(job.end);

const ROLES: Readonly<Record<IndexJob["role"], () => Promise<void>>> = {
  writer: write,
  searcher: ask,
  flusher: flush,
  watcher: watch,
};
if (job.role === "writer" || job.role === "searcher") writeFileSync(own, "");
await ROLES[job.role]();

/** Puts, puts again and hides skills of its own names. */
async function write(): Promise<void> {
  const vault = openVault({ home: job.home, create: false, context: createContext() });
  const texts = new Map<string, { seq: number; text: string | null }>();
  for (; !over(); say({ did: 1 })) {
    const name = `${job.self}-${dice.roll(12)}`;
    const last = texts.get(name) ?? { seq: -1, text: null };
    const seq = last.seq + 1;
    const [canon, hidden] = [`${REPO}/canon/${name}.md`, `${REPO}/quarantine/${name}.md`];
    const same = { fingerprint: REPO, name, by: "librarian", runId: "", version: seq, verdict: "v" };
    if (last.text !== null && dice.roll(6) === 0 && !existsSync(join(job.home, hidden))) {
      writeDeed(own, { kind: "write", done: false, name, seq, word: null });
      vault.commit({ kind: "move", target: canon, to: hidden, base: sha256(last.text), ...same });
      writeDeed(own, { kind: "write", done: true, name, seq, word: null });
      texts.set(name, { seq, text: null });
    } else {
      const word = wordOf(dice.roll);
      const text = canonFile(name, { description: `"About ${word}"` }, `Text ${seq}.`);
      const base = last.text === null ? null : sha256(last.text);
      writeDeed(own, { kind: "write", done: false, name, seq, word });
      vault.commit({ kind: "put", target: canon, content: text, base, ...same });
      writeDeed(own, { kind: "write", done: true, name, seq, word });
      texts.set(name, { seq, text });
    }
    await sleep(20 + dice.roll(60));
  }
  vault.close();
}

async function ask(): Promise<void> {
  const asker = await openAsker(job, own, (wrong) => say({ wrong }));
  for (; !over(); say({ did: 1 })) {
    await asker.ask(dice);
    await sleep(dice.roll(40));
  }
  await asker.close();
}

/** Opens, looks, writes the index and closes, again and again. */
async function flush(): Promise<void> {
  for (; !over(); say({ did: 1 })) {
    const asker = await openAsker(job, own, (wrong) => say({ wrong }));
    await asker.flush();
    await asker.close();
  }
}

/** The image on disk is whole at each moment, and never an older one than a moment ago. */
async function watch(): Promise<void> {
  const path = join(job.home, "index.sqlite");
  const claims = openClaims(join(job.home, "local", "index"), path);
  let newest = 0;
  for (; !over(); say({ did: 1 })) {
    if (existsSync(path)) {
      const known = claims.list();
      const bytes = readFileSync(path);
      const hash = sha256(bytes);
      const generation = [...claims.list(), ...known].find((claim) => claim.sha256 === hash)?.generation;
      const fault = faultOf(bytes);
      if (fault !== undefined) say({ wrong: `the image on disk is not whole: ${fault}` });
      if ((generation ?? newest) < newest) say({ wrong: `generation ${generation} stands after ${newest}` });
      newest = Math.max(newest, generation ?? 0);
    }
    const kept = readdirSync(job.home).filter((name) => name.includes(".bak"));
    if (kept.length > 0) say({ wrong: `an index was taken for damaged: ${kept.join(" ")}` });
    await sleep(3);
  }
}
