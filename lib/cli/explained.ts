import { clipColumns, columnsOf, padColumns } from "../core/columns.ts";
import { counted, oneLine } from "../core/text.ts";
import type { Explained } from "../library.ts";
import type { Call } from "./command.ts";
import { say } from "./session.ts";

const COLUMNS = 80;
const NAME_COLUMNS = 30;
/** Of the skills left out, so many are named; all with --verbose. */
const OUT_LINES = 20;

/** Why each skill is in the stub or not, as a table on stderr: place in the order, name, reason. */
export function printExplained(call: Call, explained: readonly Explained[]): void {
  const isIn = explained.filter((one) => one.in);
  const isOut = explained.filter((one) => !one.in);
  const named = call.options.verbose === true ? isOut : isOut.slice(0, OUT_LINES);
  const width = Math.min(
    NAME_COLUMNS,
    Math.max(4, ...[...isIn, ...named].map((one) => columnsOf(nameOf(one)))),
  );
  const print = (one: Explained) => say(call, lineOf(one, width));
  say(call, `In the stub: ${counted(isIn.length, "skill")}`);
  isIn.forEach(print);
  if (isOut.length === 0) return;
  say(call, `Left out: ${counted(isOut.length, "skill")}`);
  named.forEach(print);
  if (named.length < isOut.length)
    say(call, `and ${isOut.length - named.length} more; --verbose names them all`);
}

function nameOf({ name }: Explained): string {
  return oneLine(name);
}

function lineOf(one: Explained, width: number): string {
  const rank = String(one.rank ?? "-").padStart(6);
  const name = padColumns(clipColumns(nameOf(one), width), width);
  return `${rank}  ${name}  ${clipColumns(oneLine(one.reason), COLUMNS - width - 10)}`;
}
