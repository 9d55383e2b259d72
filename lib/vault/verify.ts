import type { Clock, Progress } from "../core/context.ts";
import { createPacer } from "../core/pacer.ts";
import type { Checked, Finding } from "../schema/finding.ts";
import { createLayout, type Layout } from "./layout.ts";
import { checkClaims } from "./verify/claims.ts";
import { checkIndexFile } from "./verify/index-file.ts";
import { checkJournal, checkLedger } from "./verify/ledger.ts";
import { checkObjects } from "./verify/objects.ts";
import { entriesOf } from "./verify/read.ts";
import { createScene, foreign, type Scene, type Steps } from "./verify/scene.ts";
import { checkSpaces } from "./verify/spaces.ts";
import { checkState } from "./verify/state.ts";
import { checkVersions } from "./verify/versions.ts";

export interface VerifyOptions {
  readonly clock: Clock;
  /** Absolute path of the index file; undefined where none is kept. */
  readonly dsn: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called with what is being looked at and how many of it so far; the total is not known (0). */
  readonly progress?: Progress | undefined;
}

/**
 * Looks at every file of a vault, and of its tenants: settings, claims, objects, versions, skills, candidates, ledger,
 * journal. Opens nothing for writing and changes nothing, so it may run beside any number of writers. Yields what it finds as it
 * finds it, and returns how much it looked at; memory grows with the largest folder and the marks of the journal, not with ledger and texts. Throws `CANONRY_ABORTED` alone.
 */
export async function* verifyVault(
  layout: Layout,
  options: VerifyOptions,
): AsyncGenerator<Finding, Checked, undefined> {
  const pacer = createPacer(options.signal, 64);
  const scene = createScene(layout, options.clock());
  const listing = entriesOf(layout.tenants);
  let step = listing.next();
  for (; step.done !== true; step = listing.next()) if (step.value !== undefined) yield step.value;
  const tenants = step.value.filter((entry) => entry.stats.isDirectory());
  for (const { name, path, stats } of step.value)
    if (!stats.isDirectory() && !name.startsWith(".")) yield foreign(path);
  const parts = [
    ...partsOf(scene, options.dsn),
    ...tenants.flatMap(({ path }) => partsOf(sceneOf(scene, path), undefined)),
  ];
  for (const [stage, steps] of parts) {
    let done = 0;
    for (const found of steps) {
      options.progress?.(stage, ++done, 0);
      const pause = pacer.step();
      if (pause !== undefined) await pause;
      if (found !== undefined) yield found;
    }
  }
  return scene.checked;
}

/** The same tree again, below the home; it is counted together. */
function sceneOf(scene: Scene, home: string): Scene {
  return { ...scene, layout: createLayout(home), claimed: new Set(), damaged: new Set() };
}

/** The order matters: open claims say which temporary files are theirs, damaged objects which versions they hurt. */
function partsOf(scene: Scene, dsn: string | undefined): readonly (readonly [string, Steps])[] {
  return [
    ["claims", checkClaims(scene)],
    ...(dsn === undefined ? [] : [["index file", checkIndexFile(scene, dsn)] as const]),
    ["state", checkState(scene)],
    ["objects", checkObjects(scene)],
    ["versions", checkVersions(scene)],
    ["skills", checkSpaces(scene, dsn)],
    ["ledger", checkLedger(scene, { ids: true })],
    ["journal", checkJournal(scene)],
  ];
}
