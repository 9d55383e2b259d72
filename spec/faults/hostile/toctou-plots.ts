import { mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { silentLog } from "../../../lib/core/context.ts";
import { sha256 } from "../../../lib/core/hash.ts";
import { openLibrary } from "../../../lib/library.ts";
import { openInside } from "../../../lib/vault/paths.ts";
import { readSkillFile } from "../../../lib/vault/skill-file.ts";
import { takeSlot } from "../../../lib/vault/slots.ts";
import { openVault } from "../../../lib/vault/vault.ts";
import { CANARY, type Outside } from "../../vault/outside.ts";
import type { Swap } from "./swapper.ts";

/** What is done over and over while somebody exchanges folders and files for links. */
export interface Plot {
  readonly name: string;
  readonly swaps: (stage: Outside) => Swap[];
  /** Gives one turn of the work; what a turn returns is looked through for canaries. */
  readonly begin: (stage: Outside) => Promise<{ turn: (n: number) => unknown; end?: () => Promise<void> }>;
}

const SPACE = "home/universal";

function swapOf(stage: Outside, place: string, outside: string): Swap {
  return { place: join(stage.root, place), outside: join(stage.root, outside) };
}

function reading(name: string, links: "refuse" | "follow"): Plot {
  return {
    name: `reference, links ${name}`,
    swaps: (stage) => [
      swapOf(stage, "skills/inner-two/references", "outside/references"),
      swapOf(stage, "skills/inner-two/references/a.md", "outside/a.md"),
    ],
    begin: async ({ skills }) => ({
      turn: () => openInside(`${skills}/inner-two`, "references/a.md", { maxBytes: 1_000, links }).bytes,
    }),
  };
}

const FILE_OF_A_SPACE: Plot = {
  name: "file of a space",
  swaps: (stage) => [
    swapOf(stage, `${SPACE}/canon`, "outside"),
    swapOf(stage, `${SPACE}/canon/inner.md`, "outside/inner.md"),
  ],
  begin: async ({ home }) => {
    const path = join(home, "universal/canon/inner.md");
    return { turn: () => JSON.stringify(readSkillFile(path, path, "canon")) };
  },
};

const LIBRARY: Plot = {
  name: "read and reindex",
  swaps: (stage) => [
    swapOf(stage, `${SPACE}/canon`, "outside"),
    swapOf(stage, `${SPACE}/canon/inner`, "outside/inner"),
    swapOf(stage, `${SPACE}/canon/inner.md`, "outside/inner.md"),
    swapOf(stage, `${SPACE}/canon/inner/references`, "outside/references"),
  ],
  begin: async ({ home }) => {
    const library = await openLibrary({ home, fingerprint: "*", log: silentLog });
    const turns = [
      () => library.read("inner", { record: false }),
      () => library.read("inner", { file: "references/a.md", record: false }),
      () => library.reindex({ full: true }),
      () => library.search("inside canary"),
    ] as const;
    return {
      turn: async (n) => JSON.stringify(await turns[n % turns.length]?.()),
      end: () => library.close(),
    };
  },
};

/** A change of the one skill, from what stands there or from nothing. */
function committing(name: string, places: readonly (readonly [string, string])[]): Plot {
  return {
    name: `commit, ${name} exchanged`,
    swaps: (stage) => places.map(([place, outside]) => swapOf(stage, place, outside)),
    begin: async ({ home }) => {
      const vault = openVault({ home, create: true });
      const target = "universal/canon/inner.md";
      let base = sha256(readFileSync(join(home, target)));
      return {
        turn: (n) => {
          const content = readFileSync(join(home, target), "utf8").includes(CANARY)
            ? "other\n"
            : `---\nname: inner\ndescription: d\n---\n\n# Inner ${n}\n`;
          const change = {
            name: "inner",
            fingerprint: "*",
            by: "x",
            runId: "",
            version: n + 1,
            verdict: null,
          };
          try {
            vault.commit({ ...change, kind: "put", target, content, base, journal: `turn ${n}` });
            base = sha256(content);
          } catch (error) {
            base = baseAfter(error) ?? base;
            throw error;
          }
          return "";
        },
        end: async () => vault.close(),
      };
    },
  };
}

/** What a conflict says stands there: the next turn starts from that. */
function baseAfter(error: unknown): string | undefined {
  const found =
    error instanceof Error && "data" in error ? Reflect.get(Object(error.data), "found") : undefined;
  return typeof found === "string" ? found : undefined;
}

function appending(): Plot {
  return {
    name: "ledger",
    swaps: (stage) => [swapOf(stage, "home/ledger", "outside/ledger")],
    begin: async ({ root, home }) => {
      mkdirSync(join(root, "outside/ledger"), { recursive: true });
      mkdirSync(join(home, "ledger"), { recursive: true });
      const vault = openVault({ home, create: true });
      vault.append({ event: "hydrated" });
      for (const name of readdirSync(join(home, "ledger")))
        writeFileSync(join(root, "outside/ledger", name), `${CANARY}\n`);
      return { turn: () => vault.append({ event: "hydrated" }), end: async () => vault.close() };
    },
  };
}

function slotting(): Plot {
  return {
    name: "slots",
    swaps: (stage) => [swapOf(stage, "home/local/slots", "outside/slots")],
    begin: async ({ root, home }) => {
      mkdirSync(join(root, "outside/slots"), { recursive: true });
      mkdirSync(join(home, "local/slots"), { recursive: true });
      const slots = join(home, "local/slots");
      return { turn: (n) => takeSlot(slots, { runId: String(n), wave: 0, agent: "a" }, "inner") };
    },
  };
}

function backingUp(): Plot {
  return {
    name: "backup",
    swaps: (stage) => [
      swapOf(stage, `${SPACE}/canon`, "outside"),
      swapOf(stage, `${SPACE}/canon/inner.md`, "outside/inner.md"),
      swapOf(stage, `${SPACE}/canon/inner`, "outside/inner"),
    ],
    begin: async ({ root, home }) => {
      const library = await openLibrary({ home, fingerprint: "*", log: silentLog });
      const file = join(root, "backup.tar");
      return {
        turn: async () => {
          await library.backup(file, { force: true });
          return readFileSync(file);
        },
        end: () => library.close(),
      };
    },
  };
}

function flushing(): Plot {
  return {
    name: "index file",
    swaps: (stage) => [swapOf(stage, "home/index.sqlite", "outside/index.sqlite")],
    begin: async ({ root, home }) => {
      writeFileSync(join(root, "outside/index.sqlite"), CANARY);
      return {
        turn: async (n) => {
          const library = await openLibrary({ home, fingerprint: "*", log: silentLog });
          writeFileSync(join(home, "universal/canon/more.md"), `---\nname: more\ndescription: d ${n}\n---\n`);
          await library.reindex();
          await library.close();
        },
      };
    },
  };
}

export const PLOTS: readonly Plot[] = [
  reading("refused", "refuse"),
  reading("followed", "follow"),
  FILE_OF_A_SPACE,
  LIBRARY,
  committing("the folder of the target", [[`${SPACE}/canon`, "outside"]]),
  committing("the target", [[`${SPACE}/canon/inner.md`, "outside/inner.md"]]),
  committing("the files beside", [
    [`${SPACE}/canon/inner`, "outside/inner"],
    [`${SPACE}/canon/inner/references`, "outside/references"],
  ]),
  committing("versions and objects", [
    ["home/versions", "outside/versions"],
    ["home/versions/objects", "outside/objects"],
  ]),
  committing("claims", [["home/local/commit", "outside/commit"]]),
  appending(),
  slotting(),
  backingUp(),
  flushing(),
];

/** Kept texts that came from outside: what a process read there and filed as its own. */
export function strayObjects(home: string): string[] {
  const objects = join(home, "versions/objects");
  try {
    return readdirSync(realpathSync(objects), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => readFileSync(path, "utf8").includes(CANARY) && dirname(path) !== "");
  } catch {
    return [];
  }
}
