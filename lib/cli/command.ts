import type { Io } from "./io.ts";

/** Options that every command takes (`cli.md`). Values as text; flags as true. */
export interface GlobalOptions {
  readonly home?: string;
  readonly repo?: string;
  readonly fingerprint?: string;
  readonly driver?: string;
  readonly dsn?: string;
  readonly runId?: string;
  readonly wave?: string;
  readonly agent?: string;
  readonly json?: boolean;
  readonly verbose?: boolean;
  readonly quiet?: boolean;
  readonly color?: string;
}

export interface Call {
  readonly io: Io;
  /** The words after the command's name. */
  readonly args: readonly string[];
  /** The command's own options and the global ones, by camel-case name. */
  readonly options: GlobalOptions & Readonly<Record<string, unknown>>;
}

/** A command's file exports this as `run`; the number is the exit code. */
export type RunCommand = (call: Call) => Promise<number>;

/** What may stand somewhere, for completion: a kind of thing, or these very words. */
export type Argument = "folder" | "file" | "skill" | readonly string[];

export interface Flag {
  /** As commander writes it: `--limit <n>`. */
  readonly flag: string;
  readonly says: string;
  /** What its value may be, where that is known. */
  readonly value?: Argument;
}

export interface CommandEntry {
  readonly name: string;
  /** Arguments as commander writes them: `<query...>`. */
  readonly args: string;
  readonly says: string;
  /** What its arguments may be, where that is known. */
  readonly argument?: Argument;
  readonly flags: readonly Flag[];
  /** Two lines a person can copy. */
  readonly examples: readonly [string, string];
  readonly load: () => Promise<{ run: RunCommand }>;
}
