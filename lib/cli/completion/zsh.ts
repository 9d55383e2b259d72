import type { Argument } from "../command.ts";
import { type CommandWords, commandWords, type FlagWords, GLOBAL_WORDS, SKILL_NAMES } from "./words.ts";

export function zshScript(): string {
  const commands = commandWords();
  return `#compdef canonry
# zsh completion for canonry. Load it with: source <(canonry completion zsh)
# or save it as _canonry in a folder of $fpath.

_canonry_skills() {
  local -a names
  names=(\${(f)"$(${SKILL_NAMES})"})
  compadd -a names
}

_canonry_commands() {
  local -a commands
  commands=(
${commands.map(({ name, says }) => `    ${quoted(`${name}:${says.replaceAll(":", "\\:")}`)}`).join("\n")}
  )
  _describe -t commands 'command' commands
}

_canonry() {
  local curcontext="$curcontext" state line
  local -a flags
  flags=(
${GLOBAL_WORDS.map((flag) => `    ${spec(flag)}`).join("\n")}
  )
  _arguments -C $flags '--version[print the version]' '1:command:_canonry_commands' '*::argument:->argument'
  [[ $state == argument ]] || return
  case $line[1] in
${commands.map(caseOf).join("\n")}
  esac
}

if [[ $funcstack[1] == _canonry ]]; then _canonry "$@"; else compdef _canonry canonry; fi
`;
}

function caseOf({ name, flags, argument }: CommandWords): string {
  const specs = [...flags.map(spec), quoted(`*:${action(argument)}`)];
  return `    ${name}) _arguments $flags${specs.map((one) => ` ${one}`).join("")} ;;`;
}

function spec({ long, says, takesValue, value }: FlagWords): string {
  const told = says.replace(/[[\]\\:]/g, (char) => `\\${char}`);
  return quoted(`${long}[${told}]${takesValue ? `:${action(value)}` : ""}`);
}

/** What zsh calls the word, and what it offers for it. */
function action(what: Argument | undefined): string {
  if (what === undefined) return "value: ";
  if (what === "folder") return "folder:_files -/";
  if (what === "file") return "file:_files";
  return what === "skill" ? "skill:_canonry_skills" : `word:(${what.join(" ")})`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
