// Numbers into tables, and children into numbers.
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./corpus.mjs";

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

/** Load only ever adds to a time: the least of the runs is the figure, the median says how noisy it was. */
export function summary(values) {
  return { min: Math.min(...values), median: median(values) };
}

export function shown({ min, median: middle }, unit = "ms") {
  const digits = min < 100 ? 1 : 0;
  return `${min.toFixed(digits)} / ${middle.toFixed(digits)} ${unit}`;
}

/** Runs a script of this folder in a fresh process and reads the JSON that it prints. */
export function child(script, ...args) {
  const done = spawnSync(process.execPath, [join(ROOT, "bench", script), ...args], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    maxBuffer: 2 ** 28,
  });
  if (done.status !== 0)
    throw new Error(`${script} ${args.join(" ")} left with ${done.status}\n${done.stderr}`);
  return JSON.parse(done.stdout);
}

export function table(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => String(row[column]).length)));
  const line = (row) =>
    row
      .map((cell, column) => String(cell).padEnd(widths[column]))
      .join("  ")
      .trimEnd();
  return [
    line(rows[0]),
    widths.map((width) => "-".repeat(width)).join("  "),
    ...rows.slice(1).map(line),
  ].join("\n");
}

/** One row of the verdicts: what was reached, against what is wanted. */
export function verdict(what, value, limit, unit) {
  return { what, value, limit, unit, passed: value <= limit };
}

/** Prints the verdicts, keeps everything below bench/results/ and answers with the exit code. */
export function finish(name, verdicts, figures) {
  const rows = verdicts.map(({ what, value, limit, unit, passed, least }) => [
    passed ? "PASS" : "MISS",
    what,
    `${value.toFixed(unit === "×" ? 2 : unit === "points" ? 1 : 0)} ${unit}`,
    `${least ? "≥" : "≤"} ${limit} ${unit}`,
  ]);
  console.log(`\n${table([["", "wanted", "reached", "limit"], ...rows])}`);
  mkdirSync(join(ROOT, "bench", "results"), { recursive: true });
  const file = join(ROOT, "bench", "results", `${name}.json`);
  writeFileSync(file, `${JSON.stringify({ node: process.versions.node, verdicts, figures }, null, 2)}\n`);
  return verdicts.every((one) => one.passed) ? 0 : 1;
}

/** `--rows=1000,10000` as numbers, or the default. */
export function numbers(flag, fallback) {
  const given = process.argv.find((arg) => arg.startsWith(`--${flag}=`));
  return given === undefined
    ? fallback
    : given
        .slice(flag.length + 3)
        .split(",")
        .map(Number);
}
