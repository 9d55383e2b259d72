import { fingerprintOf } from "../layout.ts";
import { type Entry, entriesOf } from "./read.ts";
import { foreign, note, type Steps } from "./scene.ts";

/** What stands in the home beside its spaces, and may stand there: `lost+found` is that of a fresh mount. */
const HOME_NAMES = [
  "LIBRARIAN.md",
  "settings.json",
  "versions",
  "ledger",
  "gate",
  "labels",
  "reports",
  "tenants",
  "local",
  "lost+found",
];
const SPACE_NAMES = [
  "canon",
  "quarantine",
  "archive",
  "candidates",
  "processed",
  "dropped",
  "proposals",
  "members",
];

/** Of what stands in the home: whatever is no space, no index (that at `dsn`, or another) and nothing else that is known. */
export function* strayInHome(entry: Entry, dsn: string | undefined): Steps {
  const { name, path } = entry;
  const isIndex =
    (dsn !== undefined && path.startsWith(dsn)) || (name.startsWith("index") && !name.endsWith(".md"));
  if (isIndex || fingerprintOf(name) !== undefined) return;
  yield* stray(
    entry,
    HOME_NAMES,
    "if it is a skill, move it to universal/canon/ or to the canon/ of its space; else nothing",
  );
}

/** What stands right in the folder of a space: a skill is one level too high there. */
export function* straysInSpace(dir: string): Steps {
  for (const entry of yield* entriesOf(dir)) yield* stray(entry, SPACE_NAMES, moveTo(dir));
}

/** The same for the folder of a member or of a session; `names` may stand there. */
export function* straysInMember(dir: string, ...names: readonly string[]): Steps {
  for (const entry of yield* entriesOf(dir)) yield* stray(entry, names, moveTo(dir));
}

/** A file where the folders of members or sessions stand. */
export function* strayBesideMembers(entry: Entry): Steps {
  yield* stray(
    entry,
    [],
    "if it is a skill, move it to the canon/ of one of the folders beside it; else nothing",
  );
}

function moveTo(dir: string): string {
  return `if it is a skill, move it to ${dir}/canon/; else nothing`;
}

/** Hidden names are those of other programs (`.git`, `.DS_Store`), or temporary files, which are found elsewhere. */
function* stray({ name, path, stats }: Entry, names: readonly string[], next: string): Steps {
  if (name.startsWith(".") || names.includes(name)) return;
  yield name.endsWith(".md") && stats.isFile()
    ? note(
        path,
        "FILE_ASTRAY",
        "No skill is looked for here: it is in no list, and no search finds it.",
        next,
      )
    : foreign(path);
}
