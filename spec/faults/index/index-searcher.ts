import { type Library, openLibrary } from "../../../lib/library.ts";
import { REPO } from "../../support/library.ts";
import type { Dice } from "../swarm/dice.ts";
import { readDeeds, type Told, writeDeed } from "./index-history.ts";

/** How long an index may rely on its last look at the files (design 5), and the width of a millisecond clock. */
const CATCH_UP_MS = 250 + 1;

/** A library that is asked for what other processes have acknowledged. */
export interface Asker {
  /** One question, of one of four kinds. */
  ask(dice: Dice): Promise<void>;
  flush(): Promise<void>;
  close(): Promise<void>;
}

export async function openAsker(
  { home, histories }: { readonly home: string; readonly histories: string },
  own: string,
  wrong: (what: string) => void,
): Promise<Asker> {
  const library = await openLibrary({
    home,
    create: false,
    fingerprint: REPO,
    log: { warn: (line) => wrong(`it warns: ${line}`), note() {} },
  });
  const hits = async (word: string) => (await library.search(word)).hits.map((hit) => hit.name);

  /** Runs the question; undefined where the skill has been touched meanwhile, so that either answer is right. */
  async function settled<T>(name: string, told: Told, question: () => Promise<T>): Promise<T | undefined> {
    const answer = await question();
    return readDeeds(histories).get(name)?.begun === told.acked?.seq ? answer : undefined;
  }

  return {
    async ask(dice) {
      const long = Date.now() - CATCH_UP_MS;
      const sure = [...readDeeds(histories)].filter(
        ([, told]) => told.acked !== undefined && told.acked.seq === told.begun && told.acked.at <= long,
      );
      if (sure.length === 0) return;
      const [name, told] = dice.pick(sure);
      const word = told.acked?.word ?? null;
      const kind = dice.roll(8);
      if (kind < 5) await finds(name, told, word);
      else if (kind < 6) await forgets(name, told);
      else if (kind < 7) await counts(library, histories, name, wrong);
      else if (word !== null) await reads(name, told);
    },
    async flush() {
      await library.reindex();
    },
    close: () => library.close(),
  };

  async function finds(name: string, told: Told, word: string | null): Promise<void> {
    if (word === null) return;
    const found = await settled(name, told, () => hits(word));
    if (found !== undefined && found.join() !== name)
      wrong(`${name} (write ${told.acked?.seq}, ${word}) was acknowledged and a search finds [${found}]`);
  }

  async function forgets(name: string, told: Told): Promise<void> {
    const { before } = told;
    if (before === null) return;
    const found = await settled(name, told, () => hits(before));
    if (found !== undefined && found.length > 0)
      wrong(`[${found}] is found by ${before}, which ${name} no longer has`);
  }

  async function reads(name: string, told: Told): Promise<void> {
    writeDeed(own, { kind: "read", done: false, name, seq: 0, word: null });
    const body = await settled(name, told, async () => (await library.read(name)).body).catch(
      (error: unknown) => {
        const now = readDeeds(histories).get(name);
        if (now?.begun === told.acked?.seq) wrong(`${name} cannot be read: ${String(error)}`);
        return undefined;
      },
    );
    if (body === undefined) return;
    writeDeed(own, { kind: "read", done: true, name, seq: 0, word: null });
    if (!body.includes(`Text ${told.acked?.seq}.`)) wrong(`${name} reads as ${JSON.stringify(body)}`);
  }
}

/** A counter lies between what was acknowledged before the question and what had begun after the answer. */
async function counts(
  library: Library,
  histories: string,
  name: string,
  wrong: (what: string) => void,
): Promise<void> {
  const least = readDeeds(histories).get(name)?.readsAcked ?? 0;
  const row = (await library.list({ all: true })).find((one) => one.name === name);
  const most = readDeeds(histories).get(name)?.readsBegun ?? 0;
  if (row === undefined) wrong(`${name} is not listed`);
  else if (row.uses < least || row.uses > most)
    wrong(`${name} counts ${row.uses} uses; ${least} were acknowledged, ${most} begun`);
}
