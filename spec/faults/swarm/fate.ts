/**
 * Strikes a process in the middle of a change, however little of its time it spends there: who runs the swarm leaves
 * an order beside the history, and the process carries it out at one of its next system calls.
 */
import fs from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Dice } from "./dice.ts";
import type { Berth } from "./fleet.ts";
import { beforeEachCall } from "./fs-hook.ts";
import type { HistoryWriter } from "./history-file.ts";

/** A change takes some 60 of these calls. */
const CALLS_AHEAD = 60;
/** A process that is starting, or asks the library, is struck from outside, wherever it is. */
const PATIENCE_MS = 1_000;

const orderOf = (history: string): string => `${history}.order`;

/** In the process itself: from now on it obeys. */
export function awaitFate(path: string, history: HistoryWriter, dice: Dice): void {
  const order = orderOf(path);
  let ahead: number | undefined;
  let reading = false;
  const strike = () => {
    if (!history.midway || reading) return;
    reading = true;
    if (ahead === undefined && fs.existsSync(order)) ahead = dice.roll(CALLS_AHEAD);
    const signal = ahead === undefined || ahead-- > 0 ? undefined : takeOrder(order);
    if (ahead !== undefined && ahead < 0) ahead = undefined;
    reading = false;
    if (signal !== undefined) process.kill(process.pid, signal);
  };
  beforeEachCall(strike);
}

/** Undefined where it was called back. */
function takeOrder(order: string): NodeJS.Signals | undefined {
  try {
    const signal = fs.readFileSync(order, "utf8") as NodeJS.Signals;
    fs.unlinkSync(order);
    return signal;
  } catch {
    return undefined;
  }
}

/** From outside: resolves once the process is dead or stopped; whether that was in the middle of a change. */
export async function strike(berth: Berth, signal: "SIGKILL" | "SIGSTOP"): Promise<boolean> {
  fs.writeFileSync(`${orderOf(berth.history)}.new`, signal);
  fs.renameSync(`${orderOf(berth.history)}.new`, orderOf(berth.history));
  for (const began = Date.now(); Date.now() - began < PATIENCE_MS; await sleep(5)) {
    if (isStruck(berth, signal)) return true;
  }
  fs.rmSync(orderOf(berth.history), { force: true });
  if (isStruck(berth, signal)) return true;
  berth.child.kill(signal);
  return false;
}

/** Dead; stopped will do where that was the order. */
function isStruck({ child }: Berth, signal: "SIGKILL" | "SIGSTOP"): boolean {
  const states = signal === "SIGSTOP" ? "TZ" : "Z";
  return child.exitCode !== null || child.signalCode !== null || states.includes(stateOf(child.pid));
}

export function isStopped(pid: number | undefined): boolean {
  return stateOf(pid) === "T";
}

/** The letter that Linux gives the state of a process: `T` stopped, `Z` dead and not yet waited for. */
function stateOf(pid: number | undefined): string {
  try {
    return / ([A-Za-z]) /.exec(fs.readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\)/, ""))?.[1] ?? "?";
  } catch {
    return "?";
  }
}
