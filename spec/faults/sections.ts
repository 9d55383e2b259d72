import { backups } from "./backups.ts";
import { delaySweep } from "./delay-sweep.ts";
import { editor } from "./editor.ts";
import { errorSweep } from "./error-sweep.ts";
import { fullDisk } from "./full-disk.ts";
import { fuzzing } from "./fuzzing.ts";
import { hostileFrontmatter } from "./hostile-frontmatter.ts";
import { indexDamage } from "./index-damage.ts";
import { indexProcesses } from "./index-processes.ts";
import { killSweep } from "./kill-sweep.ts";
import { ledger } from "./ledger.ts";
import { pidNamespaces } from "./pid-namespaces.ts";
import { readOnlyHome } from "./read-only-home.ts";
import type { Section } from "./section.ts";
import { sigstop } from "./sigstop.ts";
import { swarm } from "./swarm.ts";
import { syncOrder } from "./sync-order.ts";
import { throughput } from "./throughput.ts";
import { toctou } from "./toctou.ts";
import { traversal } from "./traversal.ts";

/** Every part of the harness, in the order of the table. */
export const SECTIONS: readonly Section[] = [
  killSweep,
  errorSweep,
  delaySweep,
  syncOrder,
  swarm,
  throughput,
  sigstop,
  fullDisk,
  readOnlyHome,
  pidNamespaces,
  editor,
  ledger,
  backups,
  fuzzing,
  hostileFrontmatter,
  toctou,
  traversal,
  indexDamage,
  indexProcesses,
];
