import { parentPort, workerData } from "node:worker_threads";

/** One row's texts: name first, then the body of S3.15 (title, description, triggers, tags). */
export interface ExpressionWork {
  readonly source: string;
  readonly rows: readonly { readonly name: string; readonly body: string }[];
}

/** S3.15 with a real expression: whole name 0.95, beginning of the name 0.90, inside it 0.85, inside the body 0.75. */
function scoresOf({ source, rows }: ExpressionWork): number[] {
  const anywhere = new RegExp(source, "iu");
  const whole = new RegExp(`^(?:${source})$`, "iu");
  const beginning = new RegExp(`^(?:${source})`, "iu");
  return rows.map(({ name, body }) => {
    if (whole.test(name)) return 0.95;
    if (beginning.test(name)) return 0.9;
    if (anywhere.test(name)) return 0.85;
    return anywhere.test(body) ? 0.75 : 0;
  });
}

parentPort?.postMessage(scoresOf(workerData as ExpressionWork));
