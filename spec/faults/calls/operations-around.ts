import { cpSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { createContext } from "../../../lib/core/context.ts";
import { initHome } from "../../../lib/vault/init.ts";
import { openVault } from "../../../lib/vault/vault.ts";
import { writeTree } from "../../support/home.ts";
import { SPACE } from "../swarm/whole-text.ts";
import { textAt } from "./check-home.ts";
import { answersOf } from "./index-answers.ts";
import {
  EVENT,
  type Operation,
  PATCH,
  plainHome,
  put,
  QUARANTINE,
  RUN,
  TARGET,
  textOf,
} from "./operations.ts";
import { pointsOf, traceActor } from "./strace.ts";

export const APPEND: Operation = {
  name: "append",
  prepare: plainHome,
  act: () => ({ do: "append", event: EVENT }),
  expected: () => ({ files: [], run: RUN }),
};

export const MOUNT: Operation = {
  name: "mount",
  prepare(home) {
    plainHome(home);
    writeTree(join(home, "..", "mounted"), { "one/SKILL.md": "---\nname: one\ndescription: one\n---\n" });
  },
  act: (home) => ({ do: "mount", dir: join(home, "..", "mounted") }),
  expected(home) {
    const dir = join(home, "..", "mounted");
    const next = `${JSON.stringify({ mounts: [{ dir, real: dir, for: "*" }] }, undefined, 2)}\n`;
    return { files: [{ path: "local/mounts.json", old: null, next }] };
  },
};

export const INIT: Operation = {
  name: "init",
  prepare: (home) => void initHome(join(home, "..", "whole"), createContext()),
  act: () => ({ do: "init" }),
  expected: (_, template) => ({
    files: [".gitignore", ".gitattributes"].map((path) => ({
      path,
      old: null,
      next: textAt(join(template, "..", "whole"), path),
    })),
    create: true,
  }),
};

/** A home whose index has fallen behind by more files than a library leaves to the next one. */
async function indexedHome(home: string): Promise<void> {
  plainHome(home);
  const vault = openVault({ home, context: createContext() });
  const write = (from: number, to: number) => {
    for (let n = from; n < to; n++) {
      const name = `retry-number-${n}`;
      const target = `${SPACE}/canon/${name}.md`;
      vault.commit(put(textOf(`index${n}`, 1, name), null, 1, { name, target }));
    }
  };
  write(0, 4);
  await answersOf(home, { keep: true });
  write(4, 24);
  vault.close();
  await freshAnswers(home);
}

/** What a fresh index over the same files answers; worked out once, beside the home. */
async function freshAnswers(home: string): Promise<void> {
  const copy = join(dirname(home), "fresh");
  cpSync(home, copy, { recursive: true });
  rmSync(join(copy, "index.sqlite"));
  rmSync(join(copy, "local", "index"), { recursive: true });
  const answers = await answersOf(copy);
  rmSync(copy, { recursive: true });
  writeTree(dirname(home), { "answers.json": answers });
}

const indexing = (kind: "reindex" | "flush"): Operation => ({
  name: kind,
  slow: true,
  prepare: indexedHome,
  act: () => ({ do: kind }),
  expected: (_, template) => ({
    files: [],
    answers: textAt(join(template, ".."), "answers.json") ?? "",
  }),
});

export const REINDEX = indexing("reindex");
export const FLUSH = indexing("flush");

/**
 * Opening a home in which a process was killed after it had won, at the first call that the expression fits; the next
 * one finishes its work.
 */
export const finishing = (name: string, of: Operation, killAt: RegExp): Operation => ({
  name,
  async prepare(home) {
    await of.prepare(home);
    const log = join(home, "..", "trace");
    const spare = join(home, "..", "spare");
    cpSync(home, spare, { recursive: true });
    const { lines } = await traceActor({ home: spare, act: of.act(spare) }, { log });
    const points = pointsOf(lines, spare);
    const claimed = points.findIndex((point) =>
      /^link\w*\(.*"local\/commit\/[^"]*\.\d+"\)$/.test(point.text),
    );
    const point = points.find((one, n) => claimed !== -1 && n > claimed && killAt.test(one.text));
    if (point === undefined) throw new Error(`${name}: there is no such call after the claim`);
    const inject = [`${point.call}:signal=KILL:when=${point.nth}`];
    const { killed } = await traceActor({ home, act: of.act(home) }, { log, inject });
    if (!killed) throw new Error(`${name}: the process was not killed`);
    rmSync(log);
    rmSync(spare, { recursive: true });
  },
  act: () => ({ do: "open" }),
  expected: (home, template) => ({ ...of.expected(home, template), settled: true }),
});

/** The very next call. */
const AT_ONCE = /^/;

export const FINISH_PATCH = finishing("finish a patch", PATCH, AT_ONCE);
export const FINISH_QUARANTINE = finishing("finish a quarantine", QUARANTINE, AT_ONCE);
/** Half of it is done: the text is in place, and that was not brought to the disk. */
export const FINISH_RENAMED: Operation = {
  ...finishing("finish a patch whose rename was not synced", PATCH, /^fsync\(<[0-9a-f]{12}\/canon>\)$/),
  unsynced: [TARGET],
};
