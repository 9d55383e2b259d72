import { join } from "node:path";
import { createContext } from "../../../lib/core/context.ts";
import { sha256 } from "../../../lib/core/hash.ts";
import type { NewEvent } from "../../../lib/schema/ledger-event.ts";
import type { Change, PutChange } from "../../../lib/vault/change.ts";
import { openVault } from "../../../lib/vault/vault.ts";
import { writeTree } from "../../support/home.ts";
import { makeText, SPACE } from "../swarm/whole-text.ts";
import type { Act } from "./actor.ts";
import type { ExpectedVersion } from "./check-home.ts";

/** A file that the operation changes: null is "no file". */
export interface FileChange {
  readonly path: string;
  readonly old: string | null;
  readonly next: string | null;
}

/** What an operation does as a whole or not at all. */
export interface Expected {
  readonly files: readonly FileChange[];
  /** Kept once it is done. */
  readonly versions?: readonly ExpectedVersion[];
  /** Texts that must be among the objects once it is done. */
  readonly objects?: readonly string[];
  /** A piece of the one line of the journal. */
  readonly journal?: string;
  /** Run id of the one event. */
  readonly run?: string;
  /** It was won before the operation began: whatever happens it must stand. */
  readonly settled?: boolean;
  /** The opening that follows makes the home, too; until then each file is there, or not, by itself. */
  readonly create?: boolean;
  /** What the index must answer: what one answers that is built anew. */
  readonly answers?: string;
}

/** One operation of the sweeps: a home to begin with, what is done, what comes of it. */
export interface Operation {
  readonly name: string;
  /** Names in the home to begin with that a killed process had not yet brought to the disk. */
  readonly unsynced?: readonly string[];
  /** Loads an engine: the short form tries it less often. */
  readonly slow?: boolean;
  /** Makes the home to begin with; it may put more beside it. All of it is copied for each trial. */
  readonly prepare: (home: string) => void | Promise<void>;
  readonly act: (home: string) => Act;
  /** `template` is the home that `prepare` made, untouched. */
  readonly expected: (home: string, template: string) => Expected;
}

export const SKILL = "retry-flaky-test";
export const TARGET = `${SPACE}/canon/${SKILL}.md`;
export const HIDDEN = `${SPACE}/quarantine/${SKILL}.md`;
const BESIDE = { "references/why.md": "Because.\n", "scripts/run.sh": "#!/bin/sh\ntrue\n" };
export const RUN = "run-of-the-trial";
export const LINE = "2026-05-01 the trial's line";

/** A text of this harness, over one page so that a torn one shows. */
export const textOf = (token: string, version: number, name = SKILL) =>
  makeText({ name, version, token, bodyBytes: 6_000 });
export const OLD = textOf("old", 1);
export const NEXT = textOf("next", 2);

export const EVENT: NewEvent = { event: "promoted", run_id: RUN, fingerprint: SPACE, skill: SKILL };

const common = {
  fingerprint: SPACE,
  name: SKILL,
  target: TARGET,
  by: "librarian",
  runId: RUN,
  verdict: "verdict-1",
} as const;

/** A put of that text over `base`. */
export function put(
  content: string,
  base: string | null,
  version: number,
  more: Partial<PutChange> = {},
): PutChange {
  return { kind: "put", ...common, content, base: base === null ? null : sha256(base), version, ...more };
}

export function move(from: string, to: string, text: string, version: number): Change {
  return {
    kind: "move",
    ...common,
    target: from,
    to,
    base: sha256(text),
    version,
    journal: LINE,
    event: { ...EVENT, event: "quarantined" },
  };
}

/** A home with another skill, a journal and events that nothing may touch. */
export function plainHome(home: string): void {
  const vault = openVault({ home, create: true, context: createContext() });
  vault.commit(
    put(textOf("bystander", 1, "other-skill"), null, 1, {
      name: "other-skill",
      target: `${SPACE}/canon/other-skill.md`,
      journal: "2026-04-30 the bystander's line",
    }),
  );
  vault.append({ event: "hydrated", run_id: "earlier" });
  vault.append({ event: "hydrated", run_id: "earlier" });
  vault.close();
}

/** The same with the skill that the operations change, and files beside it. */
export function skillHome(home: string): void {
  plainHome(home);
  const vault = openVault({ home, context: createContext() });
  vault.commit(put(OLD, null, 1));
  vault.close();
  writeTree(join(home, SPACE, "canon", SKILL), BESIDE);
}

function hiddenHome(home: string): void {
  skillHome(home);
  const vault = openVault({ home, context: createContext() });
  vault.commit({
    ...move(TARGET, HIDDEN, OLD, 1),
    runId: "earlier",
    journal: "earlier",
    event: { event: "quarantined" },
  });
  vault.close();
}

const CANDIDATE = { from: `${SPACE}/candidates/one.md`, to: `${SPACE}/processed/2026-05-01/one.md` };
const CANDIDATE_TEXT = textOf("candidate", 0, "one");

const beside = (from: string, to: string): FileChange[] =>
  Object.entries(BESIDE).flatMap(([path, text]) => [
    { path: `${from.slice(0, -3)}/${path}`, old: text, next: null },
    { path: `${to.slice(0, -3)}/${path}`, old: null, next: text },
  ]);

const moved = (from: string, to: string, text: string): FileChange[] => [
  { path: from, old: text, next: null },
  { path: to, old: null, next: text },
];

const version = (text: string, number: number): ExpectedVersion => ({
  space: SPACE,
  name: SKILL,
  version: number,
  text,
});

export const PATCH: Operation = {
  name: "patch",
  prepare: skillHome,
  act: () => ({ do: "commit", change: put(NEXT, OLD, 2, { journal: LINE, event: EVENT }) }),
  expected: () => ({
    files: [{ path: TARGET, old: OLD, next: NEXT }],
    versions: [version(OLD, 1), version(NEXT, 2)],
    objects: Object.values(BESIDE),
    journal: LINE,
    run: RUN,
  }),
};

/** Read, change and commit, in turn with others. */
export const UPDATE: Operation = {
  ...PATCH,
  name: "update",
  act: () => ({ do: "update", change: put(NEXT, OLD, 2, { journal: LINE, event: EVENT }) }),
};

export const CREATE: Operation = {
  name: "create",
  prepare(home) {
    plainHome(home);
    writeTree(home, { [CANDIDATE.from]: CANDIDATE_TEXT });
  },
  act: () => ({
    do: "commit",
    change: put(NEXT, null, 1, { journal: LINE, event: EVENT, moves: [CANDIDATE] }),
  }),
  expected: () => ({
    files: [{ path: TARGET, old: null, next: NEXT }, ...moved(CANDIDATE.from, CANDIDATE.to, CANDIDATE_TEXT)],
    versions: [version(NEXT, 1)],
    journal: LINE,
    run: RUN,
  }),
};

const moving = (name: string, prepare: Operation["prepare"], from: string, to: string): Operation => ({
  name,
  prepare,
  act: () => ({ do: "commit", change: move(from, to, OLD, 1) }),
  expected: () => ({
    files: [...moved(from, to, OLD), ...beside(from, to)],
    versions: [version(OLD, 1)],
    journal: LINE,
    run: RUN,
  }),
});

export const QUARANTINE = moving("quarantine", skillHome, TARGET, HIDDEN);
export const RESTORE = moving("restore", hiddenHome, HIDDEN, TARGET);

export const REJECT: Operation = {
  name: "reject",
  prepare: CREATE.prepare,
  act: () => ({
    do: "commit",
    change: { ...move(CANDIDATE.from, CANDIDATE.to, CANDIDATE_TEXT, 0), name: "one" },
  }),
  expected: () => ({ files: moved(CANDIDATE.from, CANDIDATE.to, CANDIDATE_TEXT), journal: LINE, run: RUN }),
};
