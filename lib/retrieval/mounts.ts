import { mountPlaceId } from "../vault/mounts.ts";
import type { View } from "./view.ts";

export interface MountReport {
  /** Absolute, as it was given. */
  readonly dir: string;
  /** A fingerprint, or "*" for the user. */
  readonly for: string;
  readonly skills: number;
  readonly unreadable: number;
}

/** Every mounted folder with what was found in it. */
export async function mountReports(view: View): Promise<MountReport[]> {
  await view.catalog.fresh({ force: true });
  const reports: MountReport[] = [];
  for (const { dir, for: scope } of view.vault.mounts()) {
    const place =
      view.vault.places().find((one) => one.kind === "mount" && one.dir === dir)?.id ?? mountPlaceId(dir);
    const skills = await view.catalog.driver.count({ place, states: ["active"] });
    const unreadable = await view.catalog.driver.count({ place, states: ["unreadable"] });
    reports.push({ dir, for: scope, skills, unreadable });
  }
  return reports;
}
