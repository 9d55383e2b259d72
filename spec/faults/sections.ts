import { delaySweep } from "./calls/delay-sweep.ts";
import { errorSweep } from "./calls/error-sweep.ts";
import { killSweep } from "./calls/kill-sweep.ts";
import { syncOrder } from "./calls/sync-order.ts";
import { fuzzing } from "./hostile/fuzzing.ts";
import { hostileFrontmatter } from "./hostile/hostile-frontmatter.ts";
import { oddQueries } from "./hostile/odd-queries.ts";
import { toctou } from "./hostile/toctou.ts";
import { traversal } from "./hostile/traversal.ts";
import { indexDamage } from "./index/index-damage.ts";
import { indexProcesses } from "./index/index-processes.ts";
import type { Section } from "./section.ts";
import { backups } from "./swarm/backups.ts";
import { editor } from "./swarm/editor.ts";
import { fullDisk } from "./swarm/full-disk.ts";
import { ledger } from "./swarm/ledger.ts";
import { pidNamespaces } from "./swarm/pid-namespaces.ts";
import { readOnlyHome } from "./swarm/read-only-home.ts";
import { sigstop } from "./swarm/sigstop.ts";
import { swarm } from "./swarm/swarm.ts";
import { throughput } from "./swarm/throughput.ts";

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
  oddQueries,
  toctou,
  traversal,
  indexDamage,
  indexProcesses,
];
