import { openLibrary } from "../../../lib/library.ts";

const QUERIES = ["retry", "retry number 7", "bystander", "leap index21", "nothing-of-that-kind"];

interface AskOptions {
  /** The index is written, whatever is in it. */
  readonly keep?: boolean;
  /** Added to the clock, milliseconds. */
  readonly aheadMs?: number;
}

/** What a library over the home answers, as text. */
export async function answersOf(home: string, options: AskOptions = {}): Promise<string> {
  const warnings: string[] = [];
  const library = await openLibrary({
    home,
    create: false,
    fingerprint: "0123456789ab",
    clock: () => Date.now() + (options.aheadMs ?? 0),
    log: { warn: (line) => void warnings.push(line), note() {} },
  });
  try {
    if (options.keep === true) await library.reindex();
    const hits: unknown[] = [];
    for (const query of QUERIES) {
      const answer = await library.search(query, { limit: 50 });
      hits.push([query, answer.hits.map((hit) => hit.name)]);
    }
    const names = (await library.list()).map((skill) => skill.name);
    return JSON.stringify({ hits, names, warnings });
  } finally {
    await library.close();
  }
}
