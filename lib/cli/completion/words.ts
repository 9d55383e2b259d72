import type { Argument, CommandEntry, Flag } from "../command.ts";
import { COMMANDS, GLOBAL_FLAGS } from "../commands.ts";
import { TOPICS } from "../help-text.ts";

/** What a shell offers for one flag. */
export interface FlagWords {
  /** With its hyphens. */
  readonly long: string;
  readonly says: string;
  /** Whether a word of its own follows. */
  readonly takesValue: boolean;
  readonly value: Argument | undefined;
}

/** What a shell offers behind one command. */
export interface CommandWords {
  readonly name: string;
  readonly says: string;
  readonly flags: readonly FlagWords[];
  readonly argument: Argument | undefined;
}

export const GLOBAL_WORDS: readonly FlagWords[] = Object.freeze([
  ...GLOBAL_FLAGS.map(wordsOf),
  { long: "--help", says: "print help", takesValue: false, value: undefined },
]);

/** Every command with its own flags, as the table has them; the topics of help are the commands and its own. */
export function commandWords(): CommandWords[] {
  return COMMANDS.map(({ name, says, flags, argument }) => ({
    name,
    says,
    flags: flags.map(wordsOf),
    argument: name === "help" ? topics() : argument,
  }));
}

function topics(): string[] {
  return [...COMMANDS.map((entry: CommandEntry) => entry.name), ...Object.keys(TOPICS)];
}

function wordsOf({ flag, says, value }: Flag): FlagWords {
  const [long = flag, rest] = flag.split(" ");
  return { long, says, takesValue: rest !== undefined, value };
}

/**
 * Names of skills for a shell, one a line. They come from other people's files and some shells expand what they are
 * offered, so only plain names pass.
 */
export const SKILL_NAMES =
  "canonry list --quiet 2>/dev/null | sed -n 's/^\\([a-z0-9][a-z0-9-]*\\)  .*/\\1/p'";
