import { chmodSync, existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { openLibrary } from "../../../lib/library.ts";
import { openVault } from "../../../lib/vault/vault.ts";
import { giveAway, noPlainUser, plainUser } from "../../support/nobody.ts";
import type { Row, Section } from "../section.ts";
import { withFolder } from "../temporary.ts";
import { createDice } from "./dice.ts";
import { endOf, startScript } from "./fleet.ts";
import { type HistoryWriter, type Outcome, openHistory } from "./history-file.ts";
import type { ReadingResult } from "./reading-actor.ts";
import { append, create, type Desk, patch, quarantine, update } from "./swarm-writes.ts";
import { noMounts, remount, withTmpfs, withTmpfsAt } from "./tmpfs.ts";
import { problemOfBody, SPACE } from "./whole-text.ts";

const DISK_BYTES = 4_194_304;
const NAME = "one";

export const readOnlyHome: Section = {
  name: "read-only-home",
  cannotRun: () => noPlainUser() || noMounts(),
  async run({ log }) {
    log("read-only home: six ways");
    return [
      row("a home of another user", await asNobody(false)),
      row("a home of another user, and no index", await asNobody(true)),
      row("a file system that is remounted read-only", await onReadOnlyDisk()),
      row("a file system that is remounted read-only while a process works", await whileOpen()),
      row("a folder of the home on another file system", await onTwoDisks()),
      row("a canon folder that may not be written", await inLockedCanon()),
    ];
  },
};

function row(fault: string, findings: readonly string[]): Row {
  return { fault, trials: 9, findings };
}

async function makeHome(folder: string): Promise<string> {
  const home = join(folder, "home");
  const vault = openVault({ home, create: true });
  const history = openHistory(join(folder, "history"));
  create({ vault, history, dice: createDice(1), names: [NAME], agent: "a" });
  history.close();
  vault.close();
  const library = await openLibrary({ home, fingerprint: SPACE });
  await library.reindex();
  await library.close();
  return home;
}

function asNobody(withoutIndex: boolean): Promise<string[]> {
  return withFolder(async (folder) => {
    const home = await makeHome(folder);
    if (withoutIndex) rmSync(join(home, "index.sqlite"), { force: true });
    chmodSync(folder, 0o755);
    return tryAll(home, plainUser);
  });
}

function onReadOnlyDisk(): Promise<string[]> {
  return withTmpfs(DISK_BYTES, async (disk) => {
    const home = await makeHome(disk);
    remount(disk, "ro");
    try {
      return await tryAll(home, {});
    } finally {
      remount(disk, "rw");
    }
  });
}

/** No move from one to the other is one step. */
function onTwoDisks(): Promise<string[]> {
  return withFolder(async (folder) => {
    const home = await makeHome(folder);
    return withTmpfsAt(join(home, "versions"), DISK_BYTES, () => tryAll(home, {}));
  });
}

function whileOpen(): Promise<string[]> {
  return withTmpfs(DISK_BYTES, async (disk) => {
    const home = await makeHome(disk);
    const vault = openVault({ home });
    const library = await openLibrary({ home, fingerprint: SPACE });
    const history = openMemory();
    const desk: Desk = { vault, history, dice: createDice(2), names: [NAME], agent: "a" };
    remount(disk, "ro");
    for (const act of [patch, update, quarantine, append]) act(desk);
    const body = problemOfBody((await library.read(NAME)).body);
    const { hits } = await library.search(`${NAME} harness`);
    await library.close();
    vault.close();
    remount(disk, "rw");
    return [
      ...history.codes.flatMap((code, n) =>
        code === WANTED[n] ? [] : [`write ${n + 1} is answered ${code}`],
      ),
      ...(history.codes.length === WANTED.length ? [] : [`${history.codes.length} writes were answered`]),
      ...readingProblems({
        hits: hits.length,
        listed: 1,
        stub: true,
        ...(body === undefined ? {} : { body }),
      }),
    ];
  });
}

/** A patch, an update, a move and an event. */
const WANTED = [...Array.from({ length: 3 }, () => "CANONRY_READ_ONLY"), "dropped"];

/** The codes of outcomes, first word only; a history file would be on the disk that takes none. */
function openMemory(): HistoryWriter & { readonly codes: string[] } {
  const codes: string[] = [];
  const nothing = () => {};
  const outcome = (_: string, { ok, code = "" }: Outcome) =>
    void codes.push(ok ? "done" : code.replace(/:.*$/s, ""));
  return { codes, midway: false, attempt: nothing, outcome, saw: nothing, read: nothing, close: nothing };
}

/** The home may be written, the folder of the skills may not: nothing may be half done. */
function inLockedCanon(): Promise<string[]> {
  return withFolder(async (folder) => {
    const home = await makeHome(folder);
    giveAway(home);
    chmodSync(folder, 0o755);
    chmodSync(join(home, SPACE, "canon"), 0o555);
    const result = await work(home, plainUser);
    const made = ["versions/0123456789ab/new", `${SPACE}/canon/new.md`].filter((path) =>
      existsSync(join(home, path)),
    );
    return [
      ...readingProblems(result),
      ...(result.writes["create"] === "CANONRY_READ_ONLY"
        ? []
        : [`create is answered ${result.writes["create"]}`]),
      ...(result.writes["update"] === "CANONRY_READ_ONLY"
        ? []
        : [`update is answered ${result.writes["update"]}`]),
      ...made.map((path) => `${path} was made by a change that was refused`),
    ];
  });
}

async function tryAll(home: string, user: typeof plainUser): Promise<string[]> {
  const before = stateOf(home);
  const result = await work(home, user);
  const wrong = Object.entries(result.writes).filter(([, code]) => code !== "CANONRY_READ_ONLY");
  return [
    ...readingProblems(result),
    ...wrong.map(([what, code]) => `${what} is answered ${code}, not CANONRY_READ_ONLY`),
    ...(result.dropped === 2 ? [] : [`${result.dropped} of 2 events were dropped`]),
    ...(result.said ? [] : ["nobody is told that events are dropped"]),
    ...(stateOf(home) === before ? [] : ["the home is not as it was"]),
  ];
}

type Reading = Pick<ReadingResult, "hits" | "body" | "listed" | "stub">;

function readingProblems({ hits, body, listed, stub }: Reading): string[] {
  return [
    ...(hits > 0 ? [] : ["the search found nothing"]),
    ...(body === undefined ? [] : [`a torn read: ${body}`]),
    ...(listed === 1 ? [] : [`${listed} skills are listed, not 1`]),
    ...(stub ? [] : ["the stub is empty"]),
  ];
}

async function work(home: string, user: typeof plainUser): Promise<ReadingResult> {
  const { out, problem } = await endOf(startScript("./reading-actor.js", { home, name: NAME }, user));
  if (problem !== undefined) throw new Error(`reading in ${home}: ${problem}`);
  return JSON.parse(out) as ReadingResult;
}

/** Names, sizes and times of everything. */
function stateOf(home: string): string {
  const all = readdirSync(home, { recursive: true, encoding: "utf8" }).sort();
  return all
    .map((path) => {
      const { size, mtimeMs, ino } = statSync(join(home, path));
      return `${path} ${size} ${mtimeMs} ${ino}`;
    })
    .join("\n");
}
