import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { test } from "node:test";
import { COMMANDS } from "../../lib/cli/commands.ts";
import { checkedJson, runBin } from "../support/cli.ts";
import { temporaryFolder, writeTree } from "../support/home.ts";
import { skill } from "../support/library.ts";
import { ROOT } from "../support/root.ts";

interface Stage {
  readonly script: string;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** The script of a shell in a file, `canonry` on the PATH, and a home with two skills. */
function stage(shell: string): Stage {
  const root = temporaryFolder();
  const home = join(root, "home");
  mkdirSync(home);
  const program = `#!/bin/sh\nexec "${process.execPath}" "${join(ROOT, "bin/canonry.mjs")}" "$@"\n`;
  writeTree(root, {
    "skills/a/SKILL.md": skill("pdf-merge", "Join PDF files"),
    "skills/b/SKILL.md": skill("$(touch ran)", "A name that a shell would run"),
    "completion.sh": runBin("canonry", ["completion", shell], { home }).out,
  });
  mkdirSync(join(root, "bin"));
  writeFileSync(join(root, "bin/canonry"), program, { mode: 0o755 });
  assert.equal(runBin("reindex", ["skills"], { home, cwd: root }).code, 0);
  const path = `${join(root, "bin")}${delimiter}${process.env["PATH"]}`;
  return {
    script: join(root, "completion.sh"),
    cwd: root,
    env: { PATH: path, HOME: root, CANONRY_HOME: home, TERM: "dumb" },
  };
}

function has(shell: string): boolean {
  return spawnSync(shell, ["-c", "exit 0"], { stdio: "ignore" }).status === 0;
}

/** What bash would offer behind these words, the last of which is being typed. */
function bashOffers({ script, cwd, env }: Stage, words: readonly string[]): string[] {
  const quoted = ["canonry", ...words].map((word) => `'${word}'`).join(" ");
  const text = `source "${script}"; COMP_WORDS=(${quoted}); COMP_CWORD=${words.length}; _canonry; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const ran = spawnSync("bash", ["--norc", "--noprofile", "-eu", "-c", text], { cwd, env, encoding: "utf8" });
  assert.deepEqual([ran.status, ran.stderr], [0, ""], words.join(" "));
  return ran.stdout.split("\n").filter((word) => word !== "");
}

test("cli completion: bash offers commands, their flags, values and topics", {
  skip: !has("bash") && "bash is not installed",
}, () => {
  const on = stage("bash");
  const offers = (...words: string[]): string[] => bashOffers(on, words);
  assert.deepEqual(
    offers(""),
    COMMANDS.map(({ name }) => name),
  );
  assert.deepEqual(offers("re"), ["read", "reindex", "restore-backup"].sort(byTable));
  assert.deepEqual(offers("search", "--l"), ["--limit"]);
  assert.deepEqual(offers("--home", "x", "list", "--o"), ["--origin"]);
  assert.deepEqual(offers("list", "--origin", ""), ["pack", "generated", "user"]);
  assert.deepEqual(offers("list", "--color", "=", "al"), ["always"]);
  assert.deepEqual(offers("--color=never", "sea"), ["search"]);
  assert.deepEqual(offers("--vers"), ["--version"]);
  assert.deepEqual(offers("help", "exit"), ["exit-codes"]);
  assert.deepEqual(offers("completion", ""), ["bash", "zsh", "fish"]);
  assert.deepEqual(offers("mount", ""), [], "left to bash, which offers files");
  assert.deepEqual(offers("search", "--limit", ""), []);
});

const byTable = (a: string, b: string): number =>
  COMMANDS.findIndex(({ name }) => name === a) - COMMANDS.findIndex(({ name }) => name === b);

test("cli completion: bash offers the names of skills, and runs none of them", {
  skip: !has("bash") && "bash is not installed",
}, () => {
  const on = stage("bash");
  assert.deepEqual(bashOffers(on, ["read", ""]), ["pdf-merge"]);
  assert.equal(spawnSync("ls", { cwd: on.cwd, encoding: "utf8" }).stdout.includes("ran"), false);
});

test("cli completion: zsh takes the script, and completes canonry with it", {
  skip: !has("zsh") && "zsh is not installed",
}, () => {
  const { script, cwd, env } = stage("zsh");
  const text = `autoload -Uz compinit && compinit -u -d "$HOME/dump" && source "${script}" && print $_comps[canonry]`;
  const ran = spawnSync("zsh", ["-f", "-c", text], { cwd, env, encoding: "utf8" });
  assert.deepEqual([ran.status, ran.stdout, ran.stderr], [0, "_canonry\n", ""]);
});

test("cli completion: fish offers commands, flags, values and skills", {
  skip: !has("fish") && "fish is not installed",
}, () => {
  const { script, cwd, env } = stage("fish");
  const offers = (typed: string): string[] => {
    const ran = spawnSync(
      "fish",
      ["--no-config", "-c", `source "${script}"; complete -C "canonry ${typed}"`],
      {
        cwd,
        env,
        encoding: "utf8",
      },
    );
    assert.deepEqual([ran.status, ran.stderr], [0, ""], typed);
    return ran.stdout.split("\n").flatMap((line) => (line === "" ? [] : [line.split("\t")[0] ?? ""]));
  };
  assert.deepEqual(offers("sea"), ["search"]);
  assert.deepEqual(offers("search --lim"), ["--limit"]);
  assert.deepEqual(offers("list --origin ").sort(), ["generated", "pack", "user"]);
  assert.deepEqual(offers("read "), ["pdf-merge"]);
});

test("cli completion: each script knows every command and flag of the table; a shell that is none is refused", () => {
  const home = temporaryFolder();
  for (const shell of ["bash", "zsh", "fish"]) {
    const { code, out } = runBin("canonry", ["completion", shell], { home });
    assert.equal(code, 0);
    for (const { name, flags } of COMMANDS) {
      assert.ok(out.includes(name), `${shell}: ${name}`);
      for (const { flag } of flags) {
        const long = flag.split(" ")[0] ?? "";
        assert.ok(
          out.includes(shell === "fish" ? `-l ${long.slice(2)} ` : long),
          `${shell}: ${name} ${long}`,
        );
      }
    }
    const json = runBin("canonry", ["completion", shell, "--json"], { home });
    assert.deepEqual(checkedJson("completion", json.out), { text: out });
  }
  const refused = runBin("canonry", ["completion", "bsh"], { home });
  assert.deepEqual([refused.code, refused.out], [2, ""]);
  assert.match(refused.err, /bash, zsh, fish; received "bsh"\. Did you mean bash\?/);
});
