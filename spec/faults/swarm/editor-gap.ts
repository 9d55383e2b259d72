import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sha256 } from "../../../lib/core/hash.ts";
import type { Row } from "../section.ts";
import { withFolder } from "../temporary.ts";
import { SAVES, type SaveKind } from "./editor-saves.ts";
import { isStopped } from "./fate.ts";
import { endOf, startScript } from "./fleet.ts";
import type { GapJob, GapResult } from "./gap-actor.ts";
import { readHomeState } from "./home-state.ts";
import { ours } from "./race.ts";
import { reopenLater } from "./reopen.ts";
import { makeText, versionOf } from "./whole-text.ts";

const NAME = "one";

interface Gap {
  readonly kind: SaveKind;
  /** What the process has done by then, and the call that it stops before. */
  readonly when: string;
  readonly call: GapJob["call"];
  readonly path: string;
}

const BEFORE_KEEPING = { when: "after the claim", call: "linkSync", path: "/local/kept/" } as const;
const BEFORE_RENAMING = {
  when: "after the old text got its second name",
  call: "renameSync",
  path: "/canon/one\\.md$",
} as const;

/** Where an edit is kept by the second name of the old text, and by nothing else. */
const GAPS: readonly Gap[] = [
  { kind: "in place", ...BEFORE_KEEPING },
  { kind: "in place, cut after opening", ...BEFORE_KEEPING },
  { kind: "by rename", ...BEFORE_KEEPING },
  { kind: "in place", ...BEFORE_RENAMING },
  { kind: "in place, cut after opening", ...BEFORE_RENAMING },
];

/** A commit is stopped between its claim and its rename, an editor saves, and the commit goes on: the edit is kept. */
export async function editInGaps(): Promise<Row> {
  const found = await Promise.all(GAPS.map(tryGap));
  return {
    fault: "an editor saves between the claim and the rename of a stopped commit",
    trials: GAPS.length,
    findings: found.flatMap(({ findings }) => findings),
    figures: { "kept edits": found.filter(({ kept }) => kept).length },
  };
}

function tryGap({ kind, when, call, path }: Gap): Promise<{ kept: boolean; findings: string[] }> {
  return withFolder(async (folder) => {
    const [home, scratch] = [join(folder, "home"), join(folder, "scratch")];
    mkdirSync(scratch);
    const file = ours.prepare(home, [NAME])(NAME);
    const job: GapJob = { home, name: NAME, call, path };
    const committer = startScript("./gap-actor.js", job);
    const end = endOf(committer);
    const findings: string[] = [];
    const text = makeText({ name: NAME, version: 1, token: "edited-in-the-gap", bodyBytes: 3_000 });
    const hash = sha256(text);
    if (!(await comesToStop(committer.pid, end))) findings.push("the commit never came to that call");
    else if (versionOf(readFileSync(file, "utf8")) !== 1) findings.push("the file was replaced by then");
    SAVES[kind]({ file, scratch }, text);
    committer.kill("SIGCONT");
    const { out, problem } = await end;
    if (problem !== undefined) return { kept: false, findings: [problem] };
    const told = JSON.parse(out) as GapResult;
    const standing = sha256(readFileSync(file));
    if (told.changed !== true || standing !== told.next)
      findings.push(`the commit was won, and what it made does not stand there: ${out}`);
    if (told.keptEdit !== hash) findings.push(`whoever committed was not told of the edit: ${out}`);
    const before = isObject(home, hash);
    if (!before) findings.push("the edit is not among the objects of versions");
    findings.push(...reopenLater(home));
    const { damaged, leftovers } = readHomeState(home);
    if (!isObject(home, hash)) findings.push("the edit is not among the objects after the next open");
    findings.push(...[...damaged, ...leftovers].map((one) => `damaged or left over: ${one}`));
    return { kept: before, findings: findings.map((one) => `saved ${kind} ${when}: ${one}`) };
  });
}

function isObject(home: string, hash: string): boolean {
  return readHomeState(home).objects.has(hash);
}

/** False where it came to its end instead. */
async function comesToStop(pid: number | undefined, end: Promise<unknown>): Promise<boolean> {
  let ended = false;
  void end.then(() => {
    ended = true;
  });
  while (!ended && !isStopped(pid)) await sleep(5);
  return !ended;
}
