import { isAbsolute, relative, resolve } from "node:path";
import { counted } from "../core/text.ts";
import type { LintProblem } from "../hosts/lint-problem.ts";
import { hostTitles, lint } from "../library/lint.ts";
import { expandHome } from "../library.ts";
import type { Call } from "./command.ts";
import { progressLine } from "./io.ts";
import { homeOf, line, printJson, say } from "./session.ts";
import { untilSignal } from "./signals.ts";

/** Exit 1 where a host, or Canonry, would refuse a skill; notes alone leave 0. */
export async function run(call: Call): Promise<number> {
  return untilSignal(call, async (signal) => {
    const paths = call.args.map((path) => resolve(call.io.cwd, expandHome(path)));
    const shown = progressLine(call.io, call.options.quiet === true);
    const { files, problems, notes } = await lint(paths, {
      home: homeOf(call),
      progress: shown.progress,
      signal,
    }).finally(shown.done);
    if (call.options.json === true) {
      const bare = ({ severity: _, ...one }: LintProblem) => one;
      printJson(call, { problems: problems.map(bare), notes: notes.map(bare), files });
    } else {
      for (const one of [...problems, ...notes]) line(call, shownOf(call, one));
      const sum = `${counted(files, "skill file")}: ${counted(problems.length, "problem")}, ${counted(notes.length, "note")}.`;
      say(call, files === 0 ? "There is no skill file here: a SKILL.md, or a canon folder of a home." : sum);
    }
    return problems.length > 0 ? 1 : 0;
  });
}

function shownOf(call: Call, problem: LintProblem): string {
  const { file, line: at, column, code, severity, hosts, message } = problem;
  const near = relative(call.io.cwd, file);
  const path = near.startsWith("..") || isAbsolute(near) ? file : near;
  const verb = severity === "problem" ? "Refused by" : "Cut by";
  const who = hosts.length === 0 ? "" : ` ${verb} ${hostTitles(hosts)}.`;
  return `${severity.padEnd(7)} ${path}:${at}:${column}: ${code}: ${message}${who}`;
}
