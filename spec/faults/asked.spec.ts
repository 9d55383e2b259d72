import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { SECTIONS } from "./sections.ts";

const MAIN = fileURLToPath(new URL("./main.js", import.meta.url));

function run(...args: string[]): { status: number | null; out: string; errors: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], { encoding: "utf8" });
  return { status, out: stdout, errors: stderr };
}

test("design 5: the fault harness says what it can be asked for, by form and section, and leaves with 0", () => {
  for (const flag of ["--help", "-h"]) {
    const { status, out, errors } = run(flag);
    assert.deepEqual([status, errors], [0, ""], flag);
    for (const piece of ["--form=short", "--form=long", "--section=NAME", "strace", "  kill sweep"])
      assert.ok(out.includes(piece), piece);
    for (const { name } of SECTIONS) assert.match(out, new RegExp(`^  ${name}\\b`, "m"));
  }
});

test("design 5: an option, a form or a section that the fault harness does not know is named, and it leaves with 2", () => {
  const cases: [string[], RegExp][] = [
    [
      ["--sections=swarm"],
      /Unknown option --sections=swarm\. Allowed: --form=short\|long, --section=NAME, --help/,
    ],
    [["--form"], /Unknown option --form\. Allowed/],
    [["-x", "editor"], /Unknown option -x\./],
    [["--form=tiny"], /Unknown form "tiny"\. Allowed: short, long/],
    [["--form=short", "--section=editor,swarms"], /No section "swarms"\. There are: kill sweep, error sweep/],
    [["--section="], /No section ""\. There are: /],
  ];
  for (const [args, message] of cases) {
    const { status, out, errors } = run(...args);
    assert.deepEqual([status, out], [2, ""], args.join(" "));
    assert.match(errors, message);
  }
});
