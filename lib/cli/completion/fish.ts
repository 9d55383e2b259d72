import type { Argument } from "../command.ts";
import { type CommandWords, commandWords, type FlagWords, GLOBAL_WORDS, SKILL_NAMES } from "./words.ts";

export function fishScript(): string {
  const commands = commandWords();
  const names = commands.map((command) => command.name).join(" ");
  const first = `not __fish_seen_subcommand_from ${names}`;
  return `# fish completion for canonry. Load it with: canonry completion fish | source
complete -c canonry -f
complete -c canonry -n ${quoted(first)} -l version -d 'print the version'
${GLOBAL_WORDS.map((flag) => flagLine(flag)).join("\n")}

${commands.map(({ name, says }) => `complete -c canonry -n ${quoted(first)} -a ${name} -d ${quoted(says)}`).join("\n")}

${commands.flatMap(linesOf).join("\n")}
`;
}

function linesOf({ name, flags, argument }: CommandWords): string[] {
  const only = `-n ${quoted(`__fish_seen_subcommand_from ${name}`)}`;
  return [
    ...flags.map((flag) => flagLine(flag, only)),
    ...(argument === undefined ? [] : [`complete -c canonry ${only} ${offer(argument)}`]),
  ];
}

function flagLine({ long, says, takesValue, value }: FlagWords, only = ""): string {
  const parts = ["complete -c canonry", only, `-l ${long.slice(2)}`];
  if (takesValue) parts.push(value === "file" ? "-r -F" : value === undefined ? "-x" : `-x ${offer(value)}`);
  return [...parts.filter((part) => part !== ""), `-d ${quoted(says)}`].join(" ");
}

function offer(what: Argument): string {
  if (what === "file") return "-F";
  if (what === "folder") return "-a '(__fish_complete_directories)'";
  return what === "skill" ? `-a ${quoted(`(${SKILL_NAMES})`)}` : `-a ${quoted(what.join(" "))}`;
}

function quoted(text: string): string {
  return `'${text.replace(/['\\]/g, (char) => `\\${char}`)}'`;
}
