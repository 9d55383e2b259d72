import { Worker } from "node:worker_threads";
import { CanonryError } from "../core/errors.ts";
import { LIMITS } from "../core/limits.ts";
import type { Filter, IndexDriver } from "../drivers/driver.ts";
import type { ExpressionWork } from "./expression-worker.ts";
import type { Scored } from "./rank.ts";

/**
 * Rows that a person's regular expression matches, best first. It runs in a worker that is ended after one second,
 * so no expression can block the process (C51). Throws `CANONRY_REGEX` on a wrong, long or slow one.
 */
export async function matchExpression(
  driver: IndexDriver,
  filter: Filter,
  source: string,
  limit: number,
): Promise<Scored[]> {
  checkSyntax(source);
  const rows = await driver.list(filter, "recent");
  const work = rows.map((row) => ({
    name: row.name,
    body: [row.title, row.description, ...row.triggers, ...row.tags].join("\n"),
  }));
  const scores = await inWorker({ source, rows: work });
  return rows
    .map((row, i) => ({ row, score: scores[i] ?? 0 }))
    .filter((hit) => hit.score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, limit);
}

function checkSyntax(source: string): void {
  if (source.length > LIMITS.expressionChars)
    throw refused(
      `The expression is longer than ${LIMITS.expressionChars} characters: ${source.length}. Make it shorter, or search for words.`,
      { chars: source.length, maxChars: LIMITS.expressionChars },
    );
  try {
    new RegExp(source, "iu");
  } catch (cause) {
    throw refused(
      `Not a regular expression: ${String(cause)}. Leave --regex out to search for the words.`,
      { received: source },
      cause,
    );
  }
}

function refused(message: string, data: Record<string, unknown>, cause?: unknown): CanonryError {
  return new CanonryError("CANONRY_REGEX", message, { cause, data });
}

function inWorker(workerData: ExpressionWork): Promise<number[]> {
  const file = new URL(
    import.meta.url.endsWith(".ts") ? "./expression-worker.ts" : "./expression-worker.js",
    import.meta.url,
  );
  const worker = new Worker(file, { workerData });
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      void worker.terminate();
      reject(
        refused(
          `The expression ran longer than ${LIMITS.regexTimeoutMs} ms and was stopped. Make it simpler, or search for words.`,
          { timeoutMs: LIMITS.regexTimeoutMs },
        ),
      );
    }, LIMITS.regexTimeoutMs);
    worker.once("message", (scores: number[]) => resolve(scores));
    const fail = (cause?: unknown) =>
      reject(
        refused(
          "The expression asks for more than the engine can do. Make it simpler, or search for words.",
          {},
          cause,
        ),
      );
    // its own words would repeat the expression
    worker.once("error", fail);
    worker.once("exit", () => {
      clearTimeout(timer);
      // after an answer this changes nothing
      fail();
    });
  });
}
