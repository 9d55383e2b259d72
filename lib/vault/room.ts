import type { Context } from "../core/context.ts";
import type { Layout } from "./layout.ts";

/** What the parts of one open vault share. */
export interface Room {
  readonly layout: Layout;
  /** Id of this machine; names its ledger files. */
  readonly machine: string;
  readonly context: Context;
}
