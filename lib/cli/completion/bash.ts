import type { Argument } from "../command.ts";
import { type CommandWords, commandWords, type FlagWords, GLOBAL_WORDS, SKILL_NAMES } from "./words.ts";

/** Works in bash 3.2 too, which has neither `compopt` nor `mapfile`. */
export function bashScript(): string {
  const commands = commandWords();
  const flags = [...GLOBAL_WORDS, ...commands.flatMap((command) => command.flags)];
  const valued = [...new Set(flags.filter((flag) => flag.takesValue).map((flag) => flag.long))];
  return `# bash completion for canonry. Load it with: source <(canonry completion bash)
_canonry_words() { COMPREPLY=($(compgen -W "$1" -- "$cur")); }
_canonry_none() { compopt +o default +o bashdefault 2>/dev/null || true; }
_canonry_skills() { _canonry_words "$(${SKILL_NAMES})"; _canonry_none; }

_canonry() {
  local cur prev command="" i
  COMPREPLY=()
  cur="\${COMP_WORDS[COMP_CWORD]}"
  prev="\${COMP_WORDS[COMP_CWORD - 1]}"
  if [[ $cur == "=" ]]; then cur=""; elif [[ $prev == "=" ]]; then prev="\${COMP_WORDS[COMP_CWORD - 2]}"; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "\${COMP_WORDS[i]}" in
      ${valued.join(" | ")}) i=$((i + 1)); [[ \${COMP_WORDS[i]} == "=" ]] && i=$((i + 1)) ;;
      -*) ;;
      *) command="\${COMP_WORDS[i]}"; break ;;
    esac
  done
  case "$prev" in
${valueCases(flags)}
  esac
  if [[ $cur == -* ]]; then
    case "$command" in
${commands.map((command) => `      ${command.name}) _canonry_words "${flagList(command.flags)}" ;;`).join("\n")}
      "") _canonry_words "${flagList([])} --version" ;;
    esac
    _canonry_none
    return
  fi
  case "$command" in
    "") _canonry_words "${commands.map((command) => command.name).join(" ")}"; _canonry_none ;;
${commands.map(argumentCase).join("\n")}
  esac
}

complete -o bashdefault -o default -F _canonry canonry
`;
}

function flagList(own: readonly FlagWords[]): string {
  return [...own, ...GLOBAL_WORDS].map((flag) => flag.long).join(" ");
}

/** One line for each flag with a value; where nothing is known of it, bash is kept from offering files. */
function valueCases(flags: readonly FlagWords[]): string {
  const seen = new Map(flags.filter((flag) => flag.takesValue).map((flag) => [flag.long, flag.value]));
  return [...seen].map(([long, value]) => `    ${long}) ${offer(value)}; return ;;`).join("\n");
}

function argumentCase({ name, argument }: CommandWords): string {
  return `    ${name}) ${offer(argument)} ;;`;
}

/** An empty answer lets bash offer files, which are folders too. */
function offer(what: Argument | undefined): string {
  if (what === "folder" || what === "file") return ":";
  if (what === "skill") return "_canonry_skills";
  return what === undefined ? "_canonry_none" : `_canonry_words "${what.join(" ")}"; _canonry_none`;
}
