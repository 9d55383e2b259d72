import { statSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { CanonryError } from "../core/errors.ts";
import { checkColor } from "./color.ts";
import type { Call } from "./command.ts";
import { printFailure } from "./failure.ts";
import { type Io, processIo } from "./io.ts";
import { reindexAndPrint } from "./reindex.ts";
import { withLibrary } from "./session.ts";
import { version } from "./version.ts";

const HELP = `canonry-reindex: index folders of skills, without any set-up before

Usage: canonry-reindex [DIR...] [--home DIR] [--driver NAME] [--dsn DSN] [--full] [--json] [--quiet] [--verbose]
                       [--color WHEN]
       canonry-reindex --version

Makes the home if there is none, mounts each DIR for the user, reindexes and prints the counts.
Then: canonry search WORDS
`;

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
    const flag = { type: "boolean" } as const;
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        home: { type: "string" },
        driver: { type: "string" },
        dsn: { type: "string" },
        full: flag,
        json: flag,
        quiet: flag,
        color: { type: "string" },
        verbose: flag,
        version: flag,
        help: { type: "boolean", short: "h" },
      },
    });
  } catch (cause) {
    const [why = ""] = (cause instanceof Error ? cause.message : String(cause)).split(". ");
    throw new CanonryError("CANONRY_USAGE", `${why}. See canonry-reindex --help.`, { cause });
  }
}
