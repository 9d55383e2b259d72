import { resolve } from "node:path";
import type { Log } from "../core/context.ts";
import { CanonryError } from "../core/errors.ts";
import { counted } from "../core/text.ts";
import { defaultHome, expandHome, type Library, openLibrary } from "../library.ts";
import type { LibraryOptions } from "../schema/options.ts";
import type { Call } from "./command.ts";
import { progressLine } from "./io.ts";
import { shown } from "./terminal.ts";

/** A setting's value and where it came from: flag, environment or (by absence here) settings file and default. */
export function given(
  call: Call,
  option: "driver" | "dsn" | "engine" | "runId" | "wave" | "agent",
): string | undefined {
  const flag = option === "engine" ? undefined : call.options[option];
  if (flag !== undefined) return flag;
  const name = {
    driver: "CANONRY_DRIVER",
    dsn: "CANONRY_DSN",
    engine: "CANONRY_ENGINE",
    runId: "CANONRY_RUN_ID",
    wave: "CANONRY_WAVE",
    agent: "CANONRY_AGENT",
  }[option];
  const value = call.io.env[name];
  return value === "" ? undefined : value;
}

export function homeOf(call: Call): string {
  const { home } = call.options;
  if (home === undefined) return defaultHome(call.io.env);
  if (home !== "") return resolve(call.io.cwd, expandHome(home));
  throw new CanonryError("CANONRY_USAGE", "--home names a folder; received an empty text.", {
    data: { received: home },
  });
}

/** Opens the library that a call means, hands it to `work`, and closes it whatever happens. */
export async function withLibrary<T>(
  call: Call,
  options: Pick<LibraryOptions, "create">,
  work: (library: Library) => Promise<T>,
): Promise<T> {
  const { fingerprint, repo } = call.options;
  readerOf(call);
  const driver = given(call, "driver");
  const dsn = given(call, "dsn");
  const engine = given(call, "engine");
  const library = await openLibrary({
    home: homeOf(call),
    repo: resolve(call.io.cwd, repo ?? "."),
    create: options.create ?? false,
    ...(fingerprint === undefined ? {} : { fingerprint }),
    ...(driver === undefined ? {} : { driver }),
    ...(dsn === undefined ? {} : { dsn }),
    ...(engine === undefined ? {} : { engine }),
    log: logOf(call),
    progress: progressLine(call.io, call.options.quiet === true).progress,
  });
  try {
    return await work(library);
  } finally {
    await library.close();
  }
}

/** The home that a call means, for commands that open no library. The other flags of every command are checked. */
export function homeOptions(call: Call): Pick<LibraryOptions, "home" | "fingerprint" | "log"> {
  const { fingerprint } = call.options;
  readerOf(call);
  return { home: homeOf(call), log: logOf(call), ...(fingerprint === undefined ? {} : { fingerprint }) };
}

/** Warnings on stderr unless --quiet, notes with --verbose. */
function logOf(call: Call): Log {
  const { verbose } = call.options;
  return {
    warn: (text) => say(call, `canonry: ${text}`),
    note: (text) => (verbose === true ? call.io.err(`${shown(`canonry: ${text}`)}\n`) : undefined),
  };
}

/** Who reads: run, wave and agent from flags or the environment (C55). */
export function readerOf(call: Call): { runId?: string; wave?: number; agent?: string } {
  const runId = given(call, "runId");
  const agent = given(call, "agent");
  const wave = given(call, "wave");
  return {
    ...(runId === undefined ? {} : { runId }),
    ...(agent === undefined ? {} : { agent }),
    ...(wave === undefined ? {} : { wave: wholeNumber(wave, "--wave", 0) }),
  };
}

/** A whole number from `least` on, or a usage error that says what was received. */
export function wholeNumber(text: string, flag: string, least: number): number {
  if (/^\d{1,9}$/.test(text) && Number(text) >= least) return Number(text);
  throw new CanonryError(
    "CANONRY_USAGE",
    `${flag} takes a whole number from ${least} on; received ${JSON.stringify(text)}.`,
    {
      data: { flag, received: text },
    },
  );
}

export function printJson(call: Call, value: unknown): void {
  call.io.out(`${JSON.stringify(value, null, 2)}\n`);
}

/** Says how many files of the reading path were left out because they cannot be read (C63). */
export async function saySkipped(call: Call, library: Library): Promise<void> {
  const skipped = await library.unreadable();
  if (skipped === 0) return;
  const them = skipped === 1 ? "it" : "them";
  say(
    call,
    `${counted(skipped, "file")} could not be read and ${skipped === 1 ? "was" : "were"} skipped; canonry doctor names ${them}.`,
  );
}

/** One line of data on stdout. */
export function line(call: Call, text: string): void {
  call.io.out(`${shown(text)}\n`);
}

/** One line on stderr, unless --quiet. */
export function say(call: Call, text: string): void {
  if (call.options.quiet !== true) call.io.err(`${shown(text)}\n`);
}
