import assert from "node:assert/strict";
import { test } from "node:test";
import { COMMANDS, GLOBAL_FLAGS } from "../../lib/cli/commands.ts";
import { runBin } from "../support/cli.ts";
import { temporaryFolder } from "../support/home.ts";

const longFlags = (text: string): string[] =>
  [...text.matchAll(/(?<=^| )--[a-z][a-z-]*/g)].map(([flag]) => flag);

test("cli help: each command has two examples that begin with it and use flags that it takes", () => {
  const everywhere = GLOBAL_FLAGS.flatMap(({ flag }) => longFlags(flag));
  for (const { name, flags, examples } of COMMANDS) {
    const known = [...everywhere, ...flags.flatMap(({ flag }) => longFlags(flag))];
    assert.equal(new Set(examples).size, 2, name);
    for (const example of examples) {
      assert.match(example, new RegExp(`^canonry ${name}(?: |$)`));
      assert.deepEqual(
        longFlags(example).filter((flag) => !known.includes(flag)),
        [],
        example,
      );
    }
  }
});

test("cli help: every text fits a terminal of 80 columns", () => {
  const home = temporaryFolder();
  const topics = ["exit-codes", "environment", "formats", ...COMMANDS.map(({ name }) => name)];
  for (const args of [["help"], ...topics.map((topic) => ["help", topic])]) {
    const { out } = runBin("canonry", args, { home });
    const long = out.split("\n").filter((line) => line.length > 80);
    assert.deepEqual(long, [], args.join(" "));
  }
  const { out } = runBin("reindex", ["--help"], { home });
  assert.ok(out.split("\n").every((line) => line.length <= 80));
});

test("cli help: the topics say what each exit code, variable and format is", () => {
  const home = temporaryFolder();
  const topic = (name: string): string => runBin("canonry", ["help", name], { home }).out;
  const codes = topic("exit-codes");
  for (const code of ["0  done", "1  ran, and", "2  wrong", "3  refused", "4  a key", "5  conflict"])
    assert.ok(codes.includes(`\n  ${code}`), code);
  for (const name of ["CANONRY_HOME", "CANONRY_DRIVER", "CANONRY_RUN_ID", "NO_COLOR"])
    assert.ok(topic("environment").includes(`\n  ${name}`), name);
  for (const name of ["canon", "portable", "candidate", "reference"])
    assert.ok(topic("formats").includes(`\n  ${name} `), name);
});

test("cli help: a slip of the pen in a command, flag, value, topic or skill name gets the word that was meant", () => {
  const home = temporaryFolder();
  for (const [bin, args, says] of [
    ["canonry", ["docter"], /unknown command 'docter'\. Did you mean doctor\?/],
    ["canonry", ["list", "--orign", "user"], /unknown option '--orign'\. Did you mean --origin\?/],
    ["canonry", ["list", "--origin", "usr"], /received "usr"\. Did you mean user\?/],
    ["canonry", ["config", "--color", "alwys"], /received "alwys"\. Did you mean always\?/],
    ["canonry", ["help", "environmnt"], /no help on "environmnt"\. Did you mean environment\?/],
    ["canonry", ["find", "x"], /unknown command 'find'\. Did you mean search\?/],
    ["canonry", ["version"], /unknown command 'version'\. Did you mean --version\?/],
    ["canonry", ["verify"], /unknown command 'verify'\. Did you mean doctor --verify\?/],
    ["canonry", ["constructor"], /unknown command 'constructor'\. See canonry help\./],
    ["canonry", ["doctor", "verify"], /Did you mean --verify\? See canonry help doctor\./],
    ["canonry", ["reindex", "skills"], /too many arguments.* To add a folder: canonry mount DIR\./],
    ["canonry", ["search", "--force"], /unknown option '--force'.* go behind --/],
    ["reindex", ["--jsn"], /Unknown option '--jsn'\. Did you mean --json\?/],
  ] as const) {
    const ran = runBin(bin, args, { home });
    assert.deepEqual([ran.code, ran.out], [2, ""], args.join(" "));
    assert.match(ran.err, says);
  }
});
