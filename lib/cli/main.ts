import { Command, CommanderError, InvalidArgumentError } from "commander";
import { CanonryError } from "../core/errors.ts";
import { checkColor } from "./color.ts";
import type { Call, CommandEntry } from "./command.ts";
import { COMMANDS, GLOBAL_FLAGS } from "./commands.ts";
import { printFailure } from "./failure.ts";
import { commandHelp, overview } from "./help-text.ts";
import { type Io, processIo } from "./io.ts";
import { usageMessage } from "./usage.ts";
import { version } from "./version.ts";

/** Flags that say nothing about what to do: alone they get the overview, as no word at all does. */
const GLOBAL_WORDS: ReadonlySet<string> = new Set(["--json", "--verbose", "--quiet"]);

/** Runs one command line (without node and script); the exit code of `cli.md`. Nothing is thrown. */
export async function main(argv: readonly string[], io: Io = processIo()): Promise<number> {
  try {
    if (saysNothingToDo(argv)) {
      printHelp(overview(), argv, io);
      return 0;
    }
    return await parse(argv, io);
  } catch (error) {
    return fail(error, argv, io);
  }
}

function saysNothingToDo(argv: readonly string[]): boolean {
  return argv.every((word, at) => {
    if (argv[at - 1] === "--color") checkColor(word);
    else if (word.startsWith("--color=")) checkColor(word.slice("--color=".length));
    else return GLOBAL_WORDS.has(word) || (word === "--color" && at < argv.length - 1);
    return true;
  });
}

/** What commander prints: help or the version. */
function printHelp(text: string, argv: readonly string[], io: Io): void {
  if (!argv.includes("--json")) io.out(text);
  else {
    const answer = text === `${version()}\n` ? { version: version() } : { text };
    io.out(`${JSON.stringify(answer, null, 2)}\n`);
  }
}

async function parse(argv: readonly string[], io: Io): Promise<number> {
  let code = 0;
  const program = base(new Command("canonry"), argv, io)
    .version(version(), "--version", "print the version")
    .helpCommand(false)
    .helpOption("-h, --help", "print help")
    .showSuggestionAfterError(true);
  program.helpInformation = () => overview();
  for (const entry of COMMANDS) {
    const command = base(program.command(`${entry.name} ${entry.args}`.trim()), argv, io).description(
      entry.says,
    );
    for (const { flag, says } of entry.flags) command.option(flag, says);
    command.helpInformation = () => commandHelp(entry);
    command.action(async (...values: unknown[]) => {
      code = await run(entry, values, program, io);
    });
  }
  await program.parseAsync(argv, { from: "user" });
  return code;
}

/** Every command knows the global flags, so that they may stand before or after its name. */
function base(command: Command, argv: readonly string[], io: Io): Command {
  command
    .exitOverride()
    .configureOutput({ writeOut: (text) => printHelp(text, argv, io), writeErr: () => {} });
  for (const { flag, says } of GLOBAL_FLAGS) command.option(flag, says);
  return command;
}

async function run(entry: CommandEntry, values: unknown[], program: Command, io: Io): Promise<number> {
  const command = values.at(-1) as Command;
  const call: Call = { io, args: command.args, options: { ...program.opts(), ...command.opts() } };
  checkColor(call.options.color);
  return (await entry.load()).run(call);
}

/** Help and version end in an error too, which is none. */
function fail(error: unknown, argv: readonly string[], io: Io): number {
  const isUsage = error instanceof CommanderError || error instanceof InvalidArgumentError;
  if (isUsage && error.exitCode === 0) return 0;
  const shown = isUsage ? new CanonryError("CANONRY_USAGE", usageMessage(error, argv)) : error;
  return printFailure(io, "canonry", shown, argv.includes("--json"));
}
