import { closeSync, ftruncateSync, openSync, renameSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Change } from "../../../lib/vault/change.ts";
import type { Outcome } from "./actor.ts";
import { filesOf } from "./check-home.ts";
import { move, NEXT, OLD, type Operation, put } from "./operations.ts";
import {
  EDIT_LOST,
  EDITED,
  editorFindings,
  fileAfter,
  fileBefore,
  isPut,
  THEIR_LINE,
  THEIR_RUN,
  THEIRS,
  writerFindings,
} from "./rival-checks.ts";
import { startActor, traceActor } from "./strace.ts";

/** What another does while an operation is held up, made ready beforehand, and what must hold once both are gone. */
export interface Turn {
  readonly act: () => Promise<void>;
  /**
   * What must not be and is; `outcome` is what the process that was held up was told. `unclaimed`: it had not looked
   * at the base for the last time when the other one acted.
   */
  readonly check: (outcome: Outcome, unclaimed: boolean) => string[] | Promise<string[]>;
}

export interface Rival {
  readonly name: string;
  readonly prepare: (operation: Operation, home: string) => Promise<Turn>;
  /** Takes no part in the protocol. */
  readonly edits?: boolean;
  /** Of interest only up to the claim of the one that is held up. */
  readonly untilClaim?: boolean;
  /** Whether a finding is the loss that is known and counted apart, and what that count is called. */
  readonly isKnown: (finding: string, inGap: boolean) => boolean;
  readonly knownLoss?: string;
}

const never = () => false;

export const RIVALS: readonly Rival[] = Object.freeze([
  writer("another changes it from the same base", (operation) =>
    put(THEIRS, OLD, 2, { ...aside, target: fileBefore(operation) }),
  ),
  sleeper("another changes it from the same base, and is held up itself"),
  writer("another changes what came of it", (operation) =>
    isPut(operation)
      ? put(THEIRS, NEXT, 3, aside)
      : { ...move(fileAfter(operation), fileBefore(operation), OLD, 1), ...aside },
  ),
  editor("an editor saves in place", (path) => ({ act: () => writeFileSync(path, EDITED) })),
  {
    ...editor("an editor saves by rename", (path) => ({
      act() {
        writeFileSync(`${path}.swp`, EDITED);
        renameSync(`${path}.swp`, path);
      },
    })),
    isKnown: (finding, inGap) => inGap && finding === EDIT_LOST,
    knownLoss: "editor renames lost in the two-call gap",
  },
  {
    ...editor("an editor writes to the file that it opened before", (path) => {
      const fd = openSync(path, "r+");
      return {
        act() {
          ftruncateSync(fd, 0);
          writeSync(fd, EDITED);
          closeSync(fd);
        },
      };
    }),
    isKnown: (finding) => finding === EDIT_LOST || finding.startsWith("damaged object"),
    knownLoss: "texts lost with the inode they were written to",
  },
]);

const aside = {
  journal: THEIR_LINE,
  runId: THEIR_RUN,
  by: "other",
  event: { event: "patched", run_id: THEIR_RUN },
} as const;

function writer(name: string, change: (operation: Operation) => Change): Rival {
  return {
    name,
    isKnown: never,
    async prepare(operation, home) {
      const theirs = change(operation);
      const { child, end } = await startActor({ home, act: { do: "commit", change: theirs } });
      let told: Outcome = {};
      return {
        async act() {
          child.stdin.end("g");
          told = (await end).outcome;
        },
        check: (outcome) => writerFindings(operation, home, outcome, theirs, told),
      };
    },
  };
}

function gate(): { opened: Promise<void>; open: () => void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** The other wins, and is held up in turn before it has done anything of what it won. */
function sleeper(name: string): Rival {
  return {
    name,
    untilClaim: true,
    isKnown: never,
    async prepare(operation, home) {
      const theirs = put(THEIRS, OLD, 2, { ...aside, target: fileBefore(operation) });
      const log = join(home, "..", "other");
      const ready = gate();
      const begun = gate();
      const inject = ["?link,?linkat:delay_exit=900ms:when=1"];
      const before = () => {
        ready.open();
        return begun.opened;
      };
      const other = traceActor({ home, act: { do: "commit", change: theirs } }, { log, inject, before });
      let ended = false;
      const end = other.then(({ outcome }) => {
        ended = true;
        return outcome;
      });
      await ready.opened;
      const claims = () => filesOf(join(home, "local", "commit")).length;
      return {
        async act() {
          const already = claims();
          begun.open();
          // its token, then its claim
          while (!ended && claims() < already + 2) await new Promise((resolve) => setTimeout(resolve, 2));
        },
        check: async (outcome) => writerFindings(operation, home, outcome, theirs, await end),
      };
    },
  };
}

function editor(name: string, open: (path: string) => { act: () => void }): Rival {
  return {
    name,
    edits: true,
    isKnown: never,
    async prepare(operation, home) {
      const save = open(join(home, fileBefore(operation)));
      return {
        async act() {
          save.act();
        },
        check: (outcome, unclaimed) => editorFindings(operation, home, outcome, unclaimed),
      };
    },
  };
}
