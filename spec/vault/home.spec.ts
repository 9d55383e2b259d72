import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { openVault } from "../../lib/vault/vault.ts";
import { temporaryFolder, writeTree } from "../support/home.ts";
import { noPlainUser, plainUser } from "../support/nobody.ts";
import { CHILD, namesIn, openStage, runChild } from "./stage.ts";

test("design 2: a missing home is an error that says how to make one, and nothing is made", () => {
  const home = join(temporaryFolder(), "none");
  assert.throws(
    () => openVault({ home }),
    (error: Error & { code?: string }) => {
      assert.equal(error.code, "CANONRY_HOME_UNREADABLE");
      assert.match(error.message, /there is no such folder/);
      assert.match(error.message, /canonry init/);
      assert.match(error.message, /canonry-reindex DIR/);
      return true;
    },
  );
  assert.equal(existsSync(home), false);
});

test("B110 a home that is a file is an error, not an empty library", () => {
  const folder = temporaryFolder();
  writeTree(folder, { home: "a file" });
  for (const create of [false, true])
    assert.throws(() => openVault({ home: join(folder, "home"), create }), {
      code: "CANONRY_HOME_UNREADABLE",
    });
});

test("design 2: a folder full of other things is never turned into a home", () => {
  for (const files of [
    { "package.json": "{}", "src/x.ts": "" },
    { "canon/a.md": "" },
    { "universal/readme.txt": "" },
    { "0123456789ab": "a file" },
    { "local/notes.txt": "" },
  ]) {
    const home = temporaryFolder();
    writeTree(home, files);
    const before = namesIn(home);
    for (const create of [false, true])
      assert.throws(() => openVault({ home, create }), { code: "CANONRY_NOT_A_HOME" });
    assert.deepEqual(namesIn(home), before);
  }
});

test("design 2: an empty folder, a fresh repository and settings made beforehand can become a home", () => {
  for (const files of [{}, { ".git/HEAD": "ref", ".gitignore": "x" }, { "settings.json": "{}" }]) {
    const home = temporaryFolder();
    writeTree(home, files);
    assert.equal(openVault({ home, create: true }).writable, true);
    assert.equal(openVault({ home }).home, home);
  }
});

test("C60 a home of the seed's own program is a home as it stands", () => {
  for (const files of [
    { "0123456789ab/canon/a.md": "text" },
    { "0123456789ab/candidates/2026-01-02T03-04-05Z-planner.md": "text" },
    { "LIBRARIAN.md": "### journal" },
    { "index.sqlite": "SQLite format 3\0" },
  ]) {
    const home = temporaryFolder();
    writeTree(home, files);
    const vault = openVault({ home });
    assert.equal(vault.writable, true);
    for (const [path, text] of Object.entries(files))
      assert.equal(readFileSync(join(home, path), "utf8"), text);
  }
});

test("design 2: processes that open one fresh home at once agree on its id and this machine's", async () => {
  const home = join(temporaryFolder(), "home");
  mkdirSync(home);
  const outcomes = await Promise.all(Array.from({ length: 6 }, () => runChild({ home, look: true })));
  const ids = outcomes.map((one) => (one.result as unknown as { vaultId: string }).vaultId);
  assert.equal(new Set(ids).size, 1);
  const vault = openVault({ home });
  assert.equal(vault.vaultId, ids[0]);
  assert.equal(namesIn(home, "ledger").length, 1, "one machine, one file");
  assert.equal(vault.readLedger({}).events.length, 12);
});

test("B53 a damaged id file is kept aside and made anew", () => {
  for (const text of ["", '{"id":', "[]", '{"id":"../../x"}']) {
    const { home, warnings } = openStage();
    writeTree(home, { "local/vault.json": text });
    const again = openVault({
      home,
      context: {
        clock: Date.now,
        newId: () => "0199-new-id",
        log: { warn: (line) => void warnings.push(line), note() {} },
        emit() {},
        translate: () => [],
      },
    });
    assert.equal(again.vaultId, "0199-new-id");
    assert.equal(readFileSync(join(home, "local/vault.json.bak"), "utf8"), text);
    assert.match(warnings.join("\n"), /vault\.json was damaged; it is kept as .*vault\.json\.bak/);
  }
});

test("trust 4a a home that can only be read opens, reads, refuses changes, and says once that nothing is counted", {
  skip: noPlainUser(CHILD),
}, async () => {
  for (const opened of [true, false]) {
    const home = join(temporaryFolder(), "home");
    writeTree(home, {
      "universal/canon/a.md": "text",
      "ledger/m-2026-01.ndjson": '{"id":"1","ts":"2026-01-02T03:04:05Z","event":"win"}\n',
    });
    const id = opened ? openVault({ home }).vaultId : undefined;
    chmodSync(dirname(home), 0o755);
    for (const folder of ["ledger", "local", "."])
      if (existsSync(join(home, folder))) chmodSync(join(home, folder), 0o555);
    const { result, warnings } = (await runChild({ home, look: true }, plainUser)) as unknown as {
      result: Record<string, unknown>;
      warnings: string[];
    };
    assert.match(String(result["vaultId"]), opened ? new RegExp(`^${id}$`) : /^ro-[0-9a-f]{12}$/);
    const refused = ["CANONRY_READ_ONLY", "CANONRY_READ_ONLY"];
    assert.deepEqual(
      { ...result, vaultId: "" },
      { writable: false, vaultId: "", dropped: 2, codes: refused, places: ["universal"], events: 1 },
    );
    assert.equal(warnings.filter((line) => line.includes("cannot be written")).length, 1);
    assert.equal(existsSync(join(home, "local")), opened);
    for (const folder of ["ledger", "."]) chmodSync(join(home, folder), 0o755);
  }
});

test("design 4: after close every method says so, and close may be called again", () => {
  const { vault } = openStage();
  vault.close();
  vault.close();
  const acts = [
    () => vault.places(),
    () => vault.readingPath("*"),
    () => vault.mounts(),
    () => vault.append({ event: "win" }),
    () => vault.readLedger({}),
    () => vault.finishClaims(),
  ];
  for (const act of acts) assert.throws(act, { code: "CANONRY_CLOSED" });
});

test("design 5: opening a home that is at rest writes nothing", () => {
  const { home } = openStage();
  const before = statSync(join(home, "local")).mtimeMs;
  openVault({ home });
  assert.equal(statSync(join(home, "local")).mtimeMs, before);
});
