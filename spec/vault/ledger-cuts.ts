import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { createContext, silentLog } from "../../lib/core/context.ts";
import { createLayout } from "../../lib/vault/layout.ts";
import { completeEvent, readLedger } from "../../lib/vault/ledger.ts";
import { eventJson } from "../../lib/vault/ledger-line.ts";
import type { Room } from "../../lib/vault/room.ts";

/**
 * Cuts a ledger of `lines` events at every `step`th byte and reads it; a sentence for each cut after which a whole
 * line was not delivered, or something else was.
 */
export function readCutLedger(
  home: string,
  lines: number,
  step: number,
): { cuts: number; findings: string[] } {
  const layout = createLayout(home);
  const room: Room = { layout, machine: "m-cuts", context: createContext({ log: silentLog }) };
  const path = layout.ledgerFile("m-cuts", "2026-01");
  mkdirSync(dirname(path), { recursive: true });
  const written = Array.from({ length: lines }, (_, at) =>
    eventJson(completeEvent({ event: "hydrated", wave: at }, room)),
  );
  const whole = Buffer.from(written.map((line) => `\n${line}\n`).join(""));
  const findings: string[] = [];
  let cuts = 0;
  for (let end = 0; end <= whole.length; end += step) {
    const bytes = whole.subarray(0, end);
    writeFileSync(path, bytes);
    const text = bytes.toString("utf8");
    const complete = text
      .slice(0, text.lastIndexOf("\n") + 1)
      .split("\n")
      .filter((line) => line !== "").length;
    const { events } = readLedger(room, {});
    const right = events.length === complete && events.every((event, at) => event.wave === at);
    if (!right) findings.push(`cut at byte ${end}: ${events.length} events of ${complete} whole lines`);
    cuts++;
  }
  return { cuts, findings };
}
