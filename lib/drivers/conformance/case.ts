import type { DriverOptions, IndexDriver, OpenDriver } from "../driver.ts";

/** What the suite is told of a driver: how it opens, and what it must say of itself. */
export interface DriverUnderTest {
  readonly name: string;
  readonly open: OpenDriver;
  /** The engine to ask for, for drivers that have several. */
  readonly engine?: string;
  readonly fullText: boolean;
  readonly persistent: boolean;
}

/** What a case is given. Every driver that it opens is closed after it, and its folder is removed. */
export interface Bench {
  /** An empty index that keeps nothing. */
  readonly driver: IndexDriver;
  /** A folder of its own. */
  readonly folder: string;
  open(options?: Partial<DriverOptions>): Promise<IndexDriver>;
}

export interface Case {
  /** A sentence that begins with the number of what it proves. */
  readonly title: string;
  /** The case is passed over where the driver has not this. */
  readonly needs?: "fullText" | "persistent";
  run(bench: Bench): Promise<void>;
}
