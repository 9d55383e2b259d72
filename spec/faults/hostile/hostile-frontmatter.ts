import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { FORMATS } from "../../../lib/markdown/registry.ts";
import { type Hostile, hostileText } from "../../markdown/hostile-texts.ts";
import { shuffled } from "../../support/chance.ts";
import type { Row, Scale, Section } from "../section.ts";

const FORMAT_LIST = [FORMATS.canon, FORMATS.portable, FORMATS.candidate, FORMATS.reference];
/** `trust.md`, T-R5: each answered within this, in milliseconds, by the best of three when it took longer. */
const ANSWER_MS = 20;
const HEAP_MB = 16;
const PROTOTYPES = [Object.prototype, Array.prototype, Function.prototype, String.prototype, Map.prototype];

/** Names and values of what every object inherits: nothing that is read may add to it or change it. */
export function prototypeState(): string {
  const own = PROTOTYPES.map((one) => Reflect.ownKeys(one).map(String).sort().join());
  return `${own.join(";")} ${String(Reflect.get({}, "polluted"))} ${String(Reflect.get([], "x"))}`;
}

interface Tally {
  readonly times: Float64Array;
  count: number;
  records: number;
  readonly findings: string[];
}

/** Reads one text in every format; what must not happen goes to the findings. */
function readAll(hostile: Hostile, tally: Tally): void {
  for (const format of FORMAT_LIST) {
    let best = Number.POSITIVE_INFINITY;
    try {
      for (let attempt = 0; attempt < 3 && best > ANSWER_MS; attempt++) {
        const begun = process.hrtime.bigint();
        const { record, diagnostics } = format.parse(hostile.text, { file: "h/SKILL.md" });
        best = Math.min(best, Number(process.hrtime.bigint() - begun) / 1e6);
        if (attempt > 0) continue;
        const refused = diagnostics.some((one) => one.severity === "error");
        if ((record === undefined) !== refused)
          tally.findings.push(`${where(hostile, format.name)}: a record and an error together, or neither`);
        if (record !== undefined) tally.records++;
      }
    } catch (error) {
      tally.findings.push(`${where(hostile, format.name)}: threw ${String(error).slice(0, 200)}`);
    }
    tally.times[tally.count++] = best;
    if (best > ANSWER_MS)
      tally.findings.push(`${where(hostile, format.name)}: ${best.toFixed(1)} ms at the best of three`);
  }
}

function where({ seed, name, text }: Hostile, format: string): string {
  return `seed ${seed} (${name}, ${text.length} characters) as ${format}`;
}

/** The collector of garbage, also where node was started without a flag for it. */
function collector(): () => void {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as () => void;
}

/** `count` frontmatters from `firstSeed` on, shuffled, in this one process. */
export function readHostile(count: number, firstSeed: number, log: (line: string) => void): Row {
  const collect = collector();
  const perText = FORMAT_LIST.length;
  const tally: Tally = { times: new Float64Array(count * perText), count: 0, records: 0, findings: [] };
  const untouched = prototypeState();
  const marks = new Set([0.1, 0.5, 1].map((part) => Math.max(1, Math.round(count * part))));
  const heaps: number[] = [];
  for (const [at, offset] of shuffled(count, firstSeed).entries()) {
    const hostile = hostileText(firstSeed + offset);
    readAll(hostile, tally);
    if (prototypeState() !== untouched) {
      tally.findings.push(`${where(hostile, "any")}: what every object inherits was changed`);
      break;
    }
    if (!marks.has(at + 1)) continue;
    for (let turn = 0; turn < 3; turn++) collect();
    heaps.push(process.memoryUsage().heapUsed / 1e6);
    log(`${at + 1} of ${count} frontmatters, heap ${heaps.at(-1)?.toFixed(1)} MB`);
  }
  const growth = (heaps.at(-1) ?? 0) - (heaps[0] ?? 0);
  if (growth > HEAP_MB) tally.findings.push(`the heap grew by ${growth.toFixed(1)} MB`);
  const sorted = tally.times.slice(0, tally.count).sort();
  return {
    fault: "hostile frontmatter (T-R5)",
    trials: count,
    findings: tally.findings,
    figures: {
      "max ms": round(sorted.at(-1) ?? 0),
      "p99 ms": round(sorted[Math.floor(sorted.length * 0.99)] ?? 0),
      "heap MB at a tenth, half, end": heaps.map(round).join(" / "),
      records: tally.records,
    },
  };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

export const hostileFrontmatter: Section = {
  name: "hostile frontmatter",
  cannotRun: () => undefined,
  run: async ({ form, log }: Scale) => [readHostile(form === "long" ? 100_000 : 3_000, 1, log)],
};
