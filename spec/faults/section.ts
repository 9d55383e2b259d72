/** How much of it: `short` runs in CI within a minute a section, `long` is `npm run faults`. */
export type Form = "short" | "long";

export interface Scale {
  readonly form: Form;
  /** Progress, one line at a time: the run takes long. */
  readonly log: (line: string) => void;
}

/** What one kind of fault came to. */
export interface Row {
  readonly fault: string;
  /** How many times it was injected or tried. */
  readonly trials: number;
  /** What must not be and was seen, a sentence each, with what it takes to see it again. None is what is wanted. */
  readonly findings: readonly string[];
  /** Measured beside it, by name and unit: `{ "updates/s": 213, "p99 wait ms": 640 }`. */
  readonly figures?: Readonly<Record<string, number | string>>;
}

/** One part of the fault harness: a file of its own, a line in `sections.ts`, a spec that runs the short form. */
export interface Section {
  readonly name: string;
  /** Why it cannot run on this machine (a missing tool, not root), or undefined. */
  readonly cannotRun: () => string | undefined;
  readonly run: (scale: Scale) => Promise<Row[]>;
}
