import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CanonryError } from "../../../lib/core/errors.ts";
import { openVault } from "../../../lib/vault/vault.ts";
import { CANARY, layOut, type Outside, treeHash } from "../../vault/outside.ts";
import type { Row, Scale, Section } from "../section.ts";
import { withFolder } from "../temporary.ts";
import type { SwapJob } from "./swapper.ts";
import { PLOTS, type Plot, strayObjects } from "./toctou-plots.ts";

const SWAPPER = fileURLToPath(new URL("./swapper.js", import.meta.url));
const FINDINGS = 5;

interface Turns {
  done: number;
  refused: number;
  readonly findings: Set<string>;
}

/** One turn, whose outcome may be an answer from inside or a typed refusal, nothing else. */
async function takeTurn(work: () => unknown, turns: Turns): Promise<void> {
  try {
    const answer = await work();
    const text = answer instanceof Uint8Array ? Buffer.from(answer).toString("latin1") : String(answer);
    if (text.includes(CANARY)) turns.findings.add("handed out what stands outside");
    turns.done++;
  } catch (error) {
    turns.refused++;
    const odd = !(error instanceof CanonryError) && !isGone(error);
    if (odd && turns.findings.size < FINDINGS)
      turns.findings.add(`threw ${error instanceof Error ? error.stack?.slice(0, 300) : String(error)}`);
  }
}

/** What the harness itself reads may be gone for a moment. */
function isGone(error: unknown): boolean {
  return (
    error instanceof Error &&
    "syscall" in error &&
    !/\blib[\\/]/.test(error.stack?.split("\n").slice(1).join("\n") ?? "")
  );
}

async function swapWhile(job: SwapJob, turn: (n: number) => unknown, turns: Turns): Promise<number> {
  const swapper = spawn(process.execPath, [SWAPPER, JSON.stringify(job)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let made = "";
  swapper.stdout.setEncoding("utf8").on("data", (text: string) => {
    made += text;
  });
  let running = true;
  const closed = once(swapper, "close").finally(() => {
    running = false;
  });
  for (let n = 0; running; n++) {
    await takeTurn(() => turn(n), turns);
    if (n % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  await closed;
  return Number(made);
}

async function runPlot(plot: Plot, count: number, root: string): Promise<Row> {
  const stage: Outside = layOut(root);
  openVault({ home: stage.home, create: true }).close();
  for (const folder of ["versions", "objects", "commit"]) mkdirSync(join(stage.outside, folder));
  const { turn, end } = await plot.begin(stage);
  const turns: Turns = { done: 0, refused: 0, findings: new Set() };
  await takeTurn(() => turn(0), turns);
  const before = treeHash(stage.outside);
  const made = await swapWhile({ swaps: plot.swaps(stage), count }, (n) => turn(n + 1), turns);
  await takeTurn(() => end?.(), turns);
  if (treeHash(stage.outside) !== before) turns.findings.add("wrote outside");
  for (const path of strayObjects(stage.home)) turns.findings.add(`kept what stands outside as ${path}`);
  return {
    fault: `exchanged for a link: ${plot.name}`,
    trials: made,
    findings: [...turns.findings].slice(0, FINDINGS),
    figures: { answered: turns.done, refused: turns.refused },
  };
}

/** `count` exchanges of each plot. */
export async function runPlots(count: number, only: (plot: Plot) => boolean = () => true): Promise<Row[]> {
  const rows: Row[] = [];
  for (const plot of PLOTS.filter(only)) rows.push(await withFolder((root) => runPlot(plot, count, root)));
  return rows;
}

export const toctou: Section = {
  name: "exchanges",
  cannotRun: () =>
    process.platform === "linux" ? undefined : "needs /proc to know where an open file stands",
  run: ({ form }: Scale) => runPlots(form === "long" ? 10_000 : 300),
};
