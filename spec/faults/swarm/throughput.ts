import type { Row, Scale, Section } from "../section.ts";
import { type Course, type Finish, noPeers, ours, peers, race } from "./race.ts";

/**
 * Ours: the text, a version manifest, the bytes as an object, a journal line and a ledger event, each synced, and a
 * conflict check that holds whoever is paused. Theirs: the text, synced, behind a lock that ends when its time is up.
 */
const GUARANTEES = {
  canonry: "text, version, object, journal, event, all synced",
  peers: "text, synced",
};

const RACES = (form: Scale["form"]): { readonly fault: string; readonly course: Course }[] => {
  const seconds = form === "short" ? 2 : 10;
  const calm = { seconds, stopMs: 0 };
  const races = [
    { fault: "8 processes update a skill each", course: { ...calm, processes: 8, shared: false } },
    { fault: "8 processes update one skill", course: { ...calm, processes: 8, shared: true } },
    {
      fault: "one of 4 stops for 3.5 s between reading and writing",
      course: { processes: 4, shared: true, seconds: 6, stopMs: 3_500 },
    },
  ];
  if (form === "short") return races;
  return [
    ...races,
    { fault: "64 processes update a skill each", course: { ...calm, processes: 64, shared: false } },
    { fault: "64 processes update one skill", course: { ...calm, processes: 64, shared: true } },
  ];
};

export const throughput: Section = {
  name: "throughput",
  cannotRun: () => (process.platform === "win32" ? "there are no signals on Windows" : undefined),
  async run(scale) {
    const rows: Row[] = [];
    for (const { fault, course } of RACES(scale.form)) {
      scale.log(`throughput: ${fault}`);
      rows.push(ownRow(fault, await race(ours, course)));
      rows.push(await peerRow(fault, course));
    }
    return rows;
  },
};

function ownRow(fault: string, finish: Finish): Row {
  const findings = [...finish.problems];
  if (finish.lost !== 0)
    findings.push(
      `${finish.acknowledged} updates were acknowledged, and the files count ${finish.lost} less`,
    );
  return {
    fault: `${fault}: ${ours.name}`,
    trials: finish.acknowledged,
    findings,
    figures: { ...figuresOf(finish), writes: GUARANTEES.canonry },
  };
}

/** What the peers lose is a figure: it is no finding about this code. */
async function peerRow(fault: string, course: Course): Promise<Row> {
  const title = `${fault}: ${peers.name}`;
  const why = noPeers();
  if (why !== undefined) return { fault: title, trials: 1, findings: [], figures: { "not run": why } };
  const finish = await race(peers, course);
  const figures = { ...figuresOf(finish), failed: finish.problems.length, writes: GUARANTEES.peers };
  return { fault: title, trials: Math.max(1, finish.acknowledged), findings: [], figures };
}

function figuresOf(finish: Finish): Record<string, number> {
  return {
    "acknowledged/s": finish.perSecond,
    "median wait ms": finish.medianMs,
    "p99 wait ms": finish.p99Ms,
    "longest ms": finish.longestMs,
    lost: finish.lost,
  };
}
