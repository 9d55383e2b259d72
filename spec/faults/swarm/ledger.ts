import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openVault } from "../../../lib/vault/vault.ts";
import type { Scale, Section } from "../section.ts";
import { withFolder } from "../temporary.ts";
import { createDice } from "./dice.ts";
import { PAGE_BYTES, type RawLine, takeApart, writerFindings } from "./ledger-lines.ts";

const WRITERS = 8;
/** More than anyone gets to write before it is killed. */
const ENDLESS = 10_000_000;
const CHILD = fileURLToPath(new URL("../../vault/ledger-child.js", import.meta.url));

/** In the long form again and again in a new home: what is compared must fit into memory. */
const KILLS_A_ROUND = 30;

/** Eight processes append to one ledger; one after the other is killed and replaced, at any moment. */
export const ledger: Section = {
  name: "ledger",
  cannotRun: () => undefined,
  async run({ form, log }: Scale) {
    const rounds = form === "short" ? [12] : Array.from({ length: 20 }, () => KILLS_A_ROUND);
    const totals = { kills: 0, events: 0, torn: 0 };
    const findings: string[] = [];
    for (const [round, kills] of rounds.entries()) {
      log(
        `ledger: ${kills} kills among ${WRITERS} writers${rounds.length > 1 ? `, round ${round + 1}` : ""}`,
      );
      const found = await killWriters(kills, round);
      totals.kills += found.kills;
      totals.events += found.events;
      totals.torn += found.torn;
      findings.push(...found.findings);
    }
    const figures = { events: totals.events, "torn lines": totals.torn };
    return [{ fault: "writers of the ledger killed at any moment", trials: totals.kills, findings, figures }];
  },
};

interface Round {
  readonly kills: number;
  readonly events: number;
  readonly torn: number;
  readonly findings: readonly string[];
}

function killWriters(kills: number, round: number): Promise<Round> {
  return withFolder(async (folder) => {
    const home = join(folder, "home");
    openVault({ home, create: true }).close();
    const dice = createDice(47 + round);
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

/** By the bytes of the files; then what the reader under test makes of them. */
function judge(home: string, folder: string, kills: number): Round {
  const files = readdirSync(join(home, "ledger")).map((name) => readFileSync(join(home, "ledger", name)));
  const parts = files.map(takeApart);
  const lines = parts.flatMap((part) => part.lines.map(({ text }) => text));
  const odd = parts.flatMap((part) => part.odd);
  const told = new Map(
    readdirSync(folder)
      .filter((name) => name.startsWith("acknowledged-"))
      .map((name): [string, string[]] => [name.slice(-4), idsIn(join(folder, name))]),
  );
  return {
    kills,
    events: lines.length,
    torn: odd.length,
    findings: [
      ...lineFindings(lines, told),
      ...oddFindings(odd, kills),
      ...readerFindings(home, lines, odd.length),
    ],
  };
}

function lineFindings(lines: readonly string[], told: ReadonlyMap<string, readonly string[]>): string[] {
  const byWriter = new Map<string, string[]>([...told.keys()].map((who) => [who, []]));
  const strays: string[] = [];
  for (const text of lines) {
    const [, who = ""] = /"agent":"([^"]*)"/.exec(text) ?? [];
    (byWriter.get(who) ?? strays).push(text);
  }
  return [
    ...strays.slice(0, 3).map((text) => `a line that nobody wrote: ${text.slice(0, 300)}`),
    ...[...byWriter].flatMap(([who, some]) => writerFindings(who, told.get(who) ?? [], some)),
  ];
}

/** A kill may cut the one write of a line, at the end of a page of the file and nowhere else; it cannot take it apart. */
function oddFindings(odd: readonly RawLine[], kills: number): string[] {
  const inPage = odd.filter(({ to }) => to % PAGE_BYTES !== 0);
  return [
    ...inPage
      .slice(0, 3)
      .map(({ text, from, to }) => `bytes ${from} to ${to} are no line as written: ${text.slice(0, 300)}`),
    ...(inPage.length > 3 ? [`${inPage.length} pieces in all are no line as written`] : []),
    ...(odd.length > kills ? [`${odd.length} torn lines of ${kills} killed writers`] : []),
  ];
}

function readerFindings(home: string, lines: readonly string[], torn: number): string[] {
  const { events, problems } = openVault({ home }).readLedger({});
  const standing = lines.map((text) => (JSON.parse(text) as { id: string }).id).sort();
  const read = events.map(({ id }) => id).sort();
  return [
    ...(read.join() === standing.join()
      ? []
      : [`${read.length} events are read where ${standing.length} lines stand, or they are others`]),
    ...(problems.length > torn ? [`${problems.length} problems are told of ${torn} torn lines`] : []),
  ];
}
