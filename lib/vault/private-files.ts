import { askGit } from "../core/git.ts";

/** What `init` keeps out of git, as paths below a home or a tenant's (C65). */
const PRIVATE =
  /^(?:tenants\/[^/]+\/)?(?:(?:local|gate|labels|reports)\/|index[^/]*$|[^/]+\/(?:candidates|processed|dropped|proposals)\/)/;

/** Paths below the home that git tracks all the same, sorted; none where the home is in no repository. */
export function trackedPrivateFiles(home: string): string[] {
  const listed = askGit(home, "ls-files", "-z") ?? "";
  return listed
    .split("\0")
    .filter((path) => PRIVATE.test(path))
    .sort();
}
