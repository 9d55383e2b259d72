import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { verifyHome } from "../../lib/library.ts";
import { writeTree } from "../support/home.ts";
import {
  CANON,
  copyOf,
  finds,
  LEDGER,
  makeHome,
  manifestOf,
  NAME,
  objectOf,
  SECOND,
  treeOf,
  verified,
  write,
} from "./verify-stage.ts";

const whole = await makeHome();

test("B53 every state file that is empty, cut or of another shape is named, and stays as it is", async () => {
  const index = readdirSync(join(whole, "local/index")).find((name) => name.endsWith(".json"));
  for (const [path, line] of [
    ["settings.json", "problem settings.json:1 SETTINGS_REFUSED"],
    ["local/vault.json", "problem local/vault.json:1 STATE_DAMAGED"],
    ["local/machine.json", "problem local/machine.json:1 STATE_DAMAGED"],
    ["local/mounts.json", "problem local/mounts.json:1 STATE_DAMAGED"],
    [
      "local/slots/0123456789abcdef01234567/slot-1",
      "note local/slots/0123456789abcdef01234567/slot-1:1 STATE_DAMAGED",
    ],
    [`local/index/${index}`, `note local/index/${index}:1 STATE_DAMAGED`],
  ] as const)
    for (const text of ["", '{"id":"', '{"wrong":true}', "[]", "7", "\0\0\0"]) {
      const home = copyOf(whole);
      writeTree(home, { [path]: text });
      const tree = treeOf(home);
      const { lines, says } = await verified(home, /vault|mounts/.test(path) ? "sqljs" : "memory");
      const refused = lines.filter((one) => one === "note index.sqlite:1 INDEX_REFUSED");
      assert.deepEqual(
        lines.filter((one) => !one.endsWith("INDEX_REFUSED")),
        [line],
        `${path}: ${text}`,
      );
      assert.equal(refused.length, path === "local/vault.json" ? 1 : 0, "the index is of another id");
      assert.match(says, / → .*(?:mend|keeps it|remove it|nothing)/);
      assert.deepEqual(treeOf(home), tree);
    }
});

test("B53 what was set aside before is named with what to do about it", async () => {
  for (const path of [
    "index.sqlite.bak",
    "index.sqlite.bak-2",
    "local/mounts.json.bak",
    "local/vault.json.bak-0123456789ab",
  ])
    await finds(
      whole,
      write(path, "x"),
      [`note ${path}:1 STATE_SET_ASIDE`],
      /set aside, and another was made.* → .*remove it/,
    );
  await finds(
    whole,
    write("index.sqlite.seed", "x"),
    ["note index.sqlite.seed:1 STATE_SET_ASIDE"],
    /of an earlier program/,
  );
});

test("B53 an index that is empty, cut, altered or a text is a problem, one that another machine wrote a note", async () => {
  const flip = (home: string) => {
    const bytes = readFileSync(join(home, "index.sqlite"));
    bytes.writeUInt8(bytes.readUInt8(20_000) ^ 1, 20_000);
    writeFileSync(join(home, "index.sqlite"), bytes);
  };
  for (const damage of [
    write("index.sqlite", ""),
    write("index.sqlite", "text"),
    (home: string) =>
      writeFileSync(join(home, "index.sqlite"), readFileSync(join(home, "index.sqlite")).subarray(0, 3_000)),
    flip,
  ])
    await finds(
      whole,
      damage,
      ["problem index.sqlite:1 INDEX_REFUSED"],
      /Its bytes are not those that a flush wrote.* → nothing is lost/,
      "sqljs",
    );
  await finds(
    whole,
    (home) => rmSync(join(home, "local/index"), { recursive: true }),
    ["note index.sqlite:1 INDEX_REFUSED"],
    /not written on this machine/,
    "sqljs",
  );
  await finds(whole, (home) => rmSync(join(home, "index.sqlite")), [], /^$/, "sqljs");
});

test("P2 an image that waits for its place is a note", async () => {
  await finds(
    whole,
    (home) => {
      const name = readdirSync(join(home, "local/index")).find((one) => one.endsWith(".json")) ?? "";
      const { temp } = JSON.parse(readFileSync(join(home, "local/index", name), "utf8")) as { temp: string };
      copyFileSync(join(home, "index.sqlite"), join(home, temp));
    },
    ["note local/index/index.sqlite.1.json:1 INDEX_FLUSH_OPEN"],
    /is written and not in its place/,
    "sqljs",
  );
});

test("trust 4b a link, pipe or folder in the place of a file of ours is named, and nobody waits for it", {
  skip: process.platform === "win32" && "Windows has no named pipes",
}, async () => {
  const kinds = [
    (path: string) => symlinkSync("/nowhere", path),
    (path: string) => mkdirSync(path),
    (path: string) => execFileSync("mkfifo", [path]),
  ];
  const places = [
    CANON,
    "universal/candidates/2026-01-02T03-04-05Z-planner.md",
    LEDGER,
    "LIBRARIAN.md",
    "local/mounts.json",
    "index.sqlite",
    objectOf(SECOND),
    manifestOf(2, SECOND),
  ];
  for (const place of places)
    for (const make of kinds) {
      const home = copyOf(whole);
      rmSync(join(home, place));
      make(join(home, place));
      const { findings } = await verifyHome({ home, driver: place === "index.sqlite" ? "sqljs" : "memory" });
      const codes = findings.filter((one) => one.file === join(home, place)).map((one) => one.code);
      assert.deepEqual(codes, ["FILE_NOT_REGULAR"], `${place} ${make}`);
    }
  for (const folder of ["universal", "universal/canon", "ledger", "versions", "local/commit", "local/slots"])
    await finds(
      whole,
      (home) => {
        renameSync(join(home, folder), join(home, "..", "elsewhere"));
        symlinkSync(join(home, "..", "elsewhere"), join(home, folder));
      },
      [`problem ${folder}:1 FILE_NOT_REGULAR`],
      /There is a symbolic link where a folder/,
    );
  await finds(
    whole,
    (home) => symlinkSync("/etc/passwd", join(home, `universal/canon/${NAME}/secrets.md`)),
    [`note universal/canon/${NAME}/secrets.md:1 FILE_NOT_REGULAR`],
    /a symbolic link beside a skill: it is handed to nobody/,
  );
});

test("design 4: verify ends when its caller's signal says so", async () => {
  await assert.rejects(verifyHome({ home: whole }, { signal: AbortSignal.abort() }), {
    code: "CANONRY_ABORTED",
  });
});
