import { ERROR_CODES } from "../core/errors.ts";
import type { CommandEntry, Flag } from "./command.ts";
import { COMMANDS, ENVIRONMENT, GLOBAL_FLAGS } from "./commands.ts";

/** What a terminal shows without breaking lines of its own. */
const COLUMNS = 80;

export function overview(): string {
  return [
    "Canonry keeps what coding agents learn: Markdown skills, found by full text.",
    "",
    "Usage: canonry <command> [arguments] [flags]",
    "",
    "Commands",
    table(COMMANDS.map((entry) => [`${entry.name} ${entry.args}`.trim(), entry.says])),
    "",
    "Flags of every command",
    flagTable(GLOBAL_FLAGS),
    "",
    "Start with",
    table([
      ["canonry demo", "what you have already; read-only"],
      ["canonry-reindex ~/.claude/skills", "makes the home and indexes the folder"],
      ["canonry search flaky test", "names and descriptions, best first"],
    ]),
    "",
    "More: canonry help <command>; canonry help exit-codes, environment or formats;",
    "canonry --version",
    "",
  ].join("\n");
}

export function commandHelp(entry: CommandEntry): string {
  return [
    ...wrapped(`canonry ${entry.name}: ${entry.says}`, COLUMNS),
    "",
    `Usage: canonry ${[entry.name, entry.args, "[flags]"].filter((word) => word !== "").join(" ")}`,
    ...(entry.flags.length === 0 ? [] : ["", "Flags", flagTable(entry.flags)]),
    "",
    "Examples",
    ...entry.examples.map((line) => `  ${line}`),
    "",
    "Flags of every command: canonry help",
    "",
  ].join("\n");
}

/** The topics of `canonry help TOPIC` that are not commands. */
export const TOPICS: Readonly<Record<string, () => string>> = Object.freeze({
  "exit-codes": exitCodes,
  environment: () =>
    `Environment\n${table(ENVIRONMENT.map(({ name, says }) => [name, says]))}\n\nFlags win over the environment, the environment over <home>/settings.json.\n`,
  formats,
});

function exitCodes(): string {
  const meanings: [string, string][] = [
    ["0", "done"],
    ["1", "ran, and the answer is no: nothing found, problems found, or it failed"],
    ["2", "wrong usage: an unknown command or flag, a value that is not allowed"],
    ["3", "refused by the gate or by policy"],
    ["4", "a key, model, engine or host is missing"],
    ["5", "conflict: somebody else changed it first"],
  ];
  const codes = Object.entries(ERROR_CODES).map(([code, { exit, says }]): [string, string] => [
    `${exit}  ${code}`,
    says,
  ]);
  return `Exit codes\n${table(meanings)}\n\nError codes (with --json on stderr), after the exit code each gives\n${table(codes)}\n`;
}

function formats(): string {
  return `Formats\n${table([
    ["canon", "<home>/<fingerprint>/canon/<name>.md: a promoted skill, at most 15,360 bytes"],
    ["portable", "SKILL.md of the Agent Skills hosts: name and description, then Markdown"],
    [
      "candidate",
      "<home>/<fingerprint>/candidates/<time>-<agent>.md: an agent's note, body at most 5,120 bytes",
    ],
    ["reference", "<name>/references/<file>.md: a text beside a skill, at most 15,360 bytes"],
  ])}\n\nEvery field: docs/formats.md\n`;
}

function flagTable(flags: readonly Flag[]): string {
  return table(flags.map(({ flag, says }) => [flag, says]));
}

function table(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  const rest = Math.max(24, COLUMNS - width - 4);
  return rows
    .flatMap(([left, right]) =>
      wrapped(right, rest).map((line, at) => `  ${(at === 0 ? left : "").padEnd(width)}  ${line}`),
    )
    .join("\n");
}

/** Lines of at most so many characters, broken between words. */
function wrapped(text: string, columns: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= columns)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
