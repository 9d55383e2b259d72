import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../../lib/core/hash.ts";
import type { Row, Scale, Section } from "../section.ts";
import { withFolder } from "../temporary.ts";
import type { EditorJob, Saved } from "./editor-actor.ts";
import { editInGaps } from "./editor-gap.ts";
import type { SaveKind } from "./editor-saves.ts";
import { endOf, startScript } from "./fleet.ts";
import { readHomeState } from "./home-state.ts";
import { ours } from "./race.ts";
import { reopenLater } from "./reopen.ts";
import { canonPath } from "./swarm-writes.ts";
import type { UpdaterJob, UpdaterResult } from "./updater.ts";

const KINDS: readonly SaveKind[] = ["in place", "in place, cut after opening", "by rename"];
const NAME = "one";

/**
 * A save by rename between the two calls of a commit, the link that keeps what stands there and the rename over it,
 * takes a place that nobody holds: Node has no exchange of two names. Such texts are counted; all others must be there.
 */
export const editor: Section = {
  name: "editor",
  cannotRun: () =>
    process.platform === "win32" ? "a file that is open cannot be replaced on Windows" : undefined,
  async run(scale) {
    // stopped processes are found in /proc
    const rows: Row[] = process.platform === "linux" ? [await editInGaps()] : [];
    for (const kind of KINDS) rows.push(await edit(kind, scale));
    return rows;
  },
};

function edit(kind: SaveKind, { form, log }: Scale): Promise<Row> {
  const seconds = form === "short" ? 2 : 30;
  log(`editor: saves ${kind}, for ${seconds} s`);
  return withFolder(async (folder) => {
    const [home, scratch, go] = [join(folder, "home"), join(folder, "scratch"), join(folder, "go")];
    mkdirSync(scratch);
    const file = ours.prepare(home, [NAME])(NAME);
    const untilMs = Date.now() + seconds * 1_000;
    writeFileSync(go, String(untilMs));
    const committer: UpdaterJob = { folder: home, names: [NAME], go, stopAt: 0, staleMs: 0 };
    const job: EditorJob = { file, scratch, name: NAME, kind, untilMs };
    const [commits, edits] = await Promise.all([
      endOf(startScript("./updater.js", committer)),
      endOf(startScript("./editor-actor.js", job)),
    ]);
    const problems = [commits, edits].flatMap(({ problem }) => problem ?? []);
    if (problems.length > 0) return { fault: titleOf(kind), trials: 0, findings: problems };
    const warnings = reopenLater(home);
    const saved = JSON.parse(edits.out) as Saved[];
    const gone = saved.filter(({ hash }) => !isKept(home, file, hash));
    const acknowledged = (JSON.parse(commits.out.replace(/^ready\n/, "")) as UpdaterResult).waits.length;
    return {
      fault: titleOf(kind),
      trials: saved.length,
      findings: [...warnings.filter((line) => !line.includes("is kept as")), ...judge(kind, gone, home)],
      figures: {
        commits: acknowledged,
        "gone in the gap of two calls": kind === "by rename" ? gone.length : 0,
      },
    };
  });
}

const titleOf = (kind: SaveKind) => `an editor saves ${kind} while commits go on`;

function judge(kind: SaveKind, gone: readonly Saved[], home: string): string[] {
  const { files, damaged, leftovers } = readHomeState(home);
  return [
    ...(kind === "by rename" ? [] : gone.map(({ token }) => `the text ${token} is nowhere`)),
    ...files.flatMap(({ problem }) =>
      problem === undefined ? [] : [`${canonPath(NAME)} is torn: ${problem}`],
    ),
    ...damaged.map((path) => `damaged: ${path}`),
    ...leftovers.map((path) => `leftover: ${path}`),
  ];
}

/** In the file, among the objects, or still where a commit put it aside. */
function isKept(home: string, file: string, hash: string): boolean {
  const kept = join(home, "local", "kept");
  const aside = existsSync(kept) ? readdirSync(kept).map((name) => join(kept, name)) : [];
  const paths = [file, join(home, "versions", "objects", hash.slice(0, 2), hash), ...aside];
  return paths.some((path) => {
    try {
      return sha256(readFileSync(path)) === hash;
    } catch {
      return false;
    }
  });
}
