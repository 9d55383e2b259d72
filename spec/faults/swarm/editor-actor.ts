/**
 * An editor that knows nothing of claims: it opens the file, changes it and saves it whole, in place or by rename,
 * and waits until somebody has changed it before it saves again, so that it never overwrites its own text. Prints the
 * texts that it saved, by token.
 */
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { sha256 } from "../../../lib/core/hash.ts";
import { createDice } from "./dice.ts";
import { SAVES, type SaveKind } from "./editor-saves.ts";
import { makeText, tokenOf, versionOf } from "./whole-text.ts";

export interface EditorJob {
  /** Absolute path of the file. */
  readonly file: string;
  /** A folder of its own on the same file system. */
  readonly scratch: string;
  readonly name: string;
  readonly kind: SaveKind;
  readonly untilMs: number;
}

export interface Saved {
  readonly token: string;
  readonly hash: string;
}

async function main(job: EditorJob): Promise<Saved[]> {
  const dice = createDice(3);
  const saved: Saved[] = [];
  let replacedMs = 6;
  while (Date.now() < job.untilMs) {
    const found = readFileSync(job.file, "utf8");
    const token = `edit-${randomBytes(8).toString("hex")}`;
    const text = makeText({ name: job.name, version: versionOf(found), token, bodyBytes: dice.roll(6_000) });
    SAVES[job.kind](job, text);
    saved.push({ token, hash: sha256(text) });
    const began = performance.now();
    while (Date.now() < job.untilMs && tokenOf(readFileSync(job.file, "utf8")) === token) await sleep(1);
    // a change takes about so long: the next save falls anywhere in the one that follows
    replacedMs = replacedMs * 0.8 + (performance.now() - began) * 0.2;
    await sleep(dice.roll(replacedMs * 1.5));
  }
  return saved;
}

process.stdout.write(JSON.stringify(await main(JSON.parse(process.argv[2] ?? "{}") as EditorJob)));
