import type { CommanderError } from "commander";
import { COMMANDS } from "./commands.ts";

/** What other programs call what a command does. */
const CALLED_ELSEWHERE: ReadonlyMap<string, string> = new Map(
  Object.entries({
    search: "find grep query ask lookup",
    list: "ls dir",
    read: "cat get view open",
    mount: "add link install",
    unmount: "rm remove delete uninstall",
    reindex: "index update refresh sync scan rebuild",
    lint: "check validate",
    doctor: "status health diagnose",
    "doctor --verify": "verify fsck",
    config: "settings",
    init: "setup new",
    "--version": "version",
  }).flatMap(([command, words]) => words.split(" ").map((word) => [word, command] as const)),
);

/** What a person is told of a wrong call: what was received, the nearest right one, where to look. */
export function usageMessage(error: CommanderError, argv: readonly string[]): string {
  const command = COMMANDS.find(({ name }) => argv.includes(name));
  const [said = "", near] = error.message.replace(/^error: /, "").split(/\n\(Did you mean (.*)\?\)$/s);
  const meant = meantBy(error, command?.name, argv) ?? near;
  const text = meant === undefined ? said : `${said}. Did you mean ${meant}?`;
  const point = /[.?]$/.test(text) ? "" : ".";
  return `${text}${point} See canonry help${command === undefined ? "" : ` ${command.name}`}.${hintOf(error, command?.name)}`;
}

/** A word of another program, or a flag without its hyphens. */
function meantBy(
  error: CommanderError,
  name: string | undefined,
  argv: readonly string[],
): string | undefined {
  if (error.code === "commander.unknownCommand")
    return CALLED_ELSEWHERE.get(/'([^']*)'/.exec(error.message)?.[1] ?? "");
  if (error.code !== "commander.excessArguments") return undefined;
  const flags = COMMANDS.find((one) => one.name === name)?.flags.map(({ flag }) => flag.split(" ")[0]) ?? [];
  return flags.find((flag) => flag !== undefined && argv.includes(flag.slice(2)));
}

function hintOf({ code }: CommanderError, name: string | undefined): string {
  if (code === "commander.unknownOption" && name === "search")
    return " Words that begin with a dash go behind --, as in canonry search -- -force.";
  if (code === "commander.excessArguments" && name === "reindex")
    return " To add a folder: canonry mount DIR.";
  return "";
}
