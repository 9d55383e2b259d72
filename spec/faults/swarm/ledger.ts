import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openVault } from "../../../lib/vault/vault.ts";
import type { Row, Scale, Section } from "../section.ts";
import { withFolder } from "../temporary.ts";
import { createDice } from "./dice.ts";

const WRITERS = 8;
/** More than anyone gets to write before it is killed. */
const ENDLESS = 10_000_000;
const CHILD = fileURLToPath(new URL("../../vault/ledger-child.js", import.meta.url));

/** Eight processes append to one ledger; one after the other is killed and replaced, at any moment. */
export const ledger: Section = {
  name: "ledger",
  cannotRun: () => undefined,
  run: async (scale) => [await killWriters(scale)],
};

function killWriters({ form, log }: Scale): Promise<Row> {
  const kills = form === "short" ? 12 : 600;
  log(`ledger: ${kills} kills among ${WRITERS} writers`);
  return withFolder(async (folder) => {
    const home = join(folder, "home");
    openVault({ home, create: true }).close();
    const dice = createDice(47);
    const writers: Writer[] = [];
    let started = 0;
    const begin = () => startWriter(home, join(folder, `acknowledged-${started++}`));
    for (let i = 0; i < WRITERS; i++) writers.push(begin());
    for (let kill = 0; kill < kills; kill++) {
      const at = dice.roll(WRITERS);
      const writer = writers[at];
      await writer?.wrote();
      await new Promise((resolve) => setTimeout(resolve, dice.roll(25)));
      await writer?.end();
      writers[at] = begin();
    }
    for (const writer of writers) {
      await writer.wrote();
      await writer.end();
    }
    return judge(home, folder, kills + WRITERS);
  });
}

interface Writer {
  /** Once something of it is acknowledged: whoever is killed before that proves nothing. */
  wrote(): Promise<void>;
  end(): Promise<void>;
}

function startWriter(home: string, acknowledged: string): Writer {
  const child: ChildProcess = spawn(
    process.execPath,
    [CHILD, home, acknowledged, String(ENDLESS), acknowledged.slice(-4)],
    { stdio: "ignore" },
  );
  const ended = new Promise<void>((resolve) => child.on("close", () => resolve()));
  return {
    async wrote() {
      for (let tries = 0; idsIn(acknowledged).length === 0; tries++) {
        if (child.exitCode !== null || tries > 1_000) throw new Error("a writer wrote nothing");
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },
    async end() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** The last id may be cut: it was acknowledged, and its whole line says so too. */
function idsIn(file: string): string[] {
  try {
    return readFileSync(file, "utf8").split("\n").slice(0, -1);
  } catch {
    return [];
  }
}

function judge(home: string, folder: string, kills: number): Row {
  const { events, problems } = openVault({ home }).readLedger({});
  const counts = new Map<string, number>();
  for (const { id } of events) counts.set(id, (counts.get(id) ?? 0) + 1);
  const files = readdirSync(folder).filter((name) => name.startsWith("acknowledged-"));
  const acknowledged = files.flatMap((name) => idsIn(join(folder, name)));
  const lost = acknowledged.filter((id) => !counts.has(id));
  const doubled = [...counts].filter(([, count]) => count > 1).map(([id]) => id);
  const unacknowledged = events.length - acknowledged.length;
  return {
    fault: "writers of the ledger killed at any moment",
    trials: kills,
    findings: [
      ...lost.map((id) => `the event ${id} was acknowledged and is lost`),
      ...doubled.map((id) => `the event ${id} stands twice`),
      ...(problems.length > kills ? [`${problems.length} torn lines of ${kills} killed writers`] : []),
      ...(unacknowledged > kills ? [`${unacknowledged} events that nobody acknowledged`] : []),
    ],
    figures: { events: events.length, "torn lines": problems.length },
  };
}
