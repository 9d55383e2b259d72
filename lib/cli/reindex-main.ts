import { statSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { CanonryError } from "../core/errors.ts";
import { didYouMean } from "../core/nearest.ts";
import { checkColor } from "./color.ts";
import type { Call } from "./command.ts";
import { printFailure } from "./failure.ts";
import { type Io, processIo } from "./io.ts";
import { reindexAndPrint } from "./reindex.ts";
import { withLibrary } from "./session.ts";
import { version } from "./version.ts";

const HELP = `canonry-reindex: index folders of skills, without any set-up before

Usage: canonry-reindex [DIR...] [--home DIR] [--driver NAME] [--dsn DSN]
                       [--full] [--json] [--quiet] [--verbose] [--color WHEN]
       canonry-reindex --version

Makes the home if there is none, mounts each DIR for the user, reindexes and
prints the counts.

Examples
  canonry-reindex ~/.claude/skills .agents/skills
  canonry-reindex --full --json

Then: canonry search WORDS
`;

const FLAG = { type: "boolean" } as const;
const OPTIONS = Object.freeze({
  home: { type: "string" },
  driver: { type: "string" },
  dsn: { type: "string" },
  full: FLAG,
  json: FLAG,
  quiet: FLAG,
  color: { type: "string" },
  verbose: FLAG,
  version: FLAG,
  help: { type: "boolean", short: "h" },
} as const);

/** `bin/reindex.mjs`: makes the home, mounts each folder for the user, reindexes, prints the counts (`cli.md`). */
export async function reindexMain(argv: readonly string[], io: Io = processIo()): Promise<number> {
  const json = argv.includes("--json");
  try {
    const { values, positionals } = parse(argv);
    if (values.help === true || values.version === true) {
      const answer = values.help === true ? { text: HELP } : { version: version() };
      io.out(json ? `${JSON.stringify(answer, null, 2)}\n` : (answer.text ?? `${answer.version}\n`));
      return 0;
    }
    checkColor(values.color);
    for (const dir of positionals) assertFolder(resolve(io.cwd, dir));
    const call: Call = { io, args: positionals, options: values };
    return await withLibrary(call, { create: true }, async (library) => {
      if (positionals.length > 0) await library.mount(positionals.map((dir) => resolve(io.cwd, dir)));
      return reindexAndPrint(call, library, values.full === true);
    });
  } catch (error) {
    return printFailure(io, "canonry-reindex", error, json);
  }
}

/** Before anything is made: a slip in a path should leave no home behind. */
function assertFolder(dir: string): void {
  if (statSync(dir, { throwIfNoEntry: false })?.isDirectory() === true) return;
  throw new CanonryError(
    "CANONRY_USAGE",
    `There is no folder ${dir}. Name one that holds skills, such as ~/.claude/skills or .agents/skills.`,
    { data: { received: dir } },
  );
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], allowPositionals: true, options: OPTIONS });
  } catch (cause) {
    const [why = ""] = (cause instanceof Error ? cause.message : String(cause)).split(". ");
    const [, unknown] = /^Unknown option '(--[^']+)'/.exec(why) ?? [];
    const known = Object.keys(OPTIONS).map((name) => `--${name}`);
    const meant = unknown === undefined ? "" : didYouMean(unknown, known);
    throw new CanonryError("CANONRY_USAGE", `${why}.${meant} See canonry-reindex --help.`, { cause });
  }
}
