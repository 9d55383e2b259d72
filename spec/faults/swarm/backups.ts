import { copyFileSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { Row, Scale, Section } from "../section.ts";
import { withFolder } from "../temporary.ts";
import { damageArchives } from "./backup-damage.ts";
import { digestOf, prepare, runActor } from "./backup-home.ts";
import { restoreBesideWriters, restoreInterrupted } from "./backup-writers.ts";
import { createDice, type Dice } from "./dice.ts";

/**
 * A backup that is killed leaves the file whole or as it was; a restore that is killed is done again. One that finds a
 * damaged archive restores nothing, and one beside writers takes nothing from them.
 */
export const backups: Section = {
  name: "backups",
  cannotRun: () => undefined,
  run: async (scale) => [
    await killBackups(scale),
    await killRestores(scale),
    await damageArchives(scale),
    await restoreBesideWriters(scale),
    await restoreInterrupted(),
  ],
};

/** How long the work takes when nobody disturbs it, in ms. */
async function timeOf(what: string, home: string, archive: string): Promise<number> {
  const begun = performance.now();
  await runActor(what, home, archive);
  return performance.now() - begun;
}

function killBackups({ form, log }: Scale): Promise<Row> {
  const trials = form === "short" ? 5 : 200;
  log(`backups: ${trials} killed`);
  return withFolder(async (folder) => {
    const [home, file, old] = [join(folder, "home"), join(folder, "b.tar.gz"), join(folder, "old")];
    prepare(home);
    const ms = await timeOf("backup", home, file);
    copyFileSync(file, old);
    const dice = createDice(96);
    const findings: string[] = [];
    let killed = 0;
    for (let trial = 0; trial < trials; trial++) {
      const ended = await runActor("backup", home, file, dice.roll(Math.ceil(ms / 2)));
      if (!ended) killed++;
      findings.push(...problemOfArchive(file).map((problem) => `trial ${trial}: ${problem}`));
    }
    const temps = readdirSync(folder).filter((name) => name.startsWith(".b.tar.gz"));
    return {
      fault: "a backup killed while it replaces another",
      trials,
      findings,
      figures: { killed, "temporary files beside it": temps.length },
    };
  });
}

/** A whole gzip with its checksum, and every file that its list names. */
function problemOfArchive(file: string): string[] {
  if (!existsSync(file)) return ["the file is gone"];
  try {
    const text = gunzipSync(readFileSync(file)).toString("latin1");
    return text.includes("canonry-backup.json") && text.includes("skill-11")
      ? []
      : ["the archive is not whole"];
  } catch (error) {
    return [`the archive is torn: ${error instanceof Error ? error.message : String(error)}`];
  }
}

function killRestores({ form, log }: Scale): Promise<Row> {
  const trials = form === "short" ? 4 : 150;
  log(`restores: ${trials} killed`);
  return withFolder(async (folder) => {
    const [home, archive] = [join(folder, "home"), join(folder, "b.tar.gz")];
    prepare(home);
    await runActor("backup", home, archive);
    const ms = await timeOf("restore", join(folder, "undisturbed"), archive);
    const wanted = digestOf(join(folder, "undisturbed"));
    const dice = createDice(97);
    const findings: string[] = [];
    let killed = 0;
    for (let trial = 0; trial < trials; trial++) {
      const target = join(folder, `home-${trial}`);
      killed += await killTwice(target, archive, ms, dice);
      await runActor("restore", target, archive);
      if (digestOf(target) !== wanted)
        findings.push(`trial ${trial}: the home is not what an undisturbed restore makes`);
    }
    return {
      fault: "a restore killed at any moment, twice, and done again",
      trials,
      findings,
      figures: { killed },
    };
  });
}

async function killTwice(target: string, archive: string, ms: number, dice: Dice): Promise<number> {
  let killed = 0;
  for (let time = 0; time < 2; time++)
    if (!(await runActor("restore", target, archive, dice.roll(Math.ceil(ms))))) killed++;
  return killed;
}
